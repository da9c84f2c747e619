package kernels

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/test/internal/chost"
	"github.com/mgpu-runtime/mgpu/test/internal/softgpu"
)

var one = softgpu.Linear(1, 1)

// rows are the tests of all kernels.
var rows = slices.Concat(sorting, scans, grids, digests, numbers, floats, vectors, atomics, control, memory, private, lanes, objects)

// targets are the chips that kernels are compiled for, with MGPU_TEST_LONG more of them.
func targets() []Target {
	list := []Target{{"gfx906", "-O2", 0}, {"gfx906", "-O0", 0}, {"gfx90a", "-O2", 0}, {"gfx942", "-O2", 0}}
	if !chost.Long() {
		return append(list, Target{"gfx1030", "-O2", 64}, Target{"gfx1100", "-O2", 32}, Target{"gfx1201", "-O0", 32}, Target{"gfx1201", "-O2", 64})
	}
	list = append(list, Target{"gfx906", "-O1", 0}, Target{"gfx906", "-O3", 0}, Target{"gfx900", "-O2", 0}, Target{"gfx908", "-O2", 0}, Target{"gfx90a", "-O0", 0}, Target{"gfx942", "-O0", 0}, Target{"gfx950", "-O2", 0})
	for _, chip := range []string{"gfx1030", "gfx1100", "gfx1151", "gfx1201"} {
		for _, lanes := range []int{32, 64} {
			list = append(list, Target{chip, "-O0", lanes}, Target{chip, "-O2", lanes})
		}
	}
	return list
}

// inEachSize are files, one of OpenCL and one of HIP, that run in both sizes of waves whatever else is chosen.
var inEachSize = []string{"scan.cl", "lanes.hip"}

// TestKernelsComputeWhatGoDoes runs every kernel for the first target, and for each other
// one those of one file in ten, or of all if MGPU_TEST_LONG is set.
func TestKernelsComputeWhatGoDoes(t *testing.T) {
	for n, target := range targets() {
		for _, r := range rows {
			always := n == 0 || target.Lanes != 0 && slices.Contains(inEachSize, r.File)
			if !always && !chost.Chosen(10, target.String()+r.File) {
				continue
			}
			t.Run(target.String()+"/"+r.File+"/"+r.Name, func(t *testing.T) { r.Run(t, target) })
		}
	}
}

// TestNothingIsWrongWithKernelsThatAreRight runs them with the checker on: for one
// target, or all if MGPU_TEST_LONG is set.
func TestNothingIsWrongWithKernelsThatAreRight(t *testing.T) {
	list := targets()
	if !chost.Long() {
		list = list[:1]
	}
	for _, target := range list {
		for _, r := range rows {
			t.Run(target.String()+"/"+r.File+"/"+r.Name, func(t *testing.T) { r.RunChecked(t, target) })
		}
	}
}

// TestThereAreKernelsOfManyKinds requires different names, and enough rows in the table.
func TestThereAreKernelsOfManyKinds(t *testing.T) {
	names := map[string]bool{}
	for _, r := range rows {
		names[r.File+r.Name] = true
	}
	require.Len(t, names, len(rows))
	require.GreaterOrEqual(t, len(rows), 60)
}
