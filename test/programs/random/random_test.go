package random

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/test/internal/chost"
	"github.com/mgpu-runtime/mgpu/test/internal/toolchain"
)

const perBatch = 25 // programs that the tools get at once

// batches is how many there are, for every setting together.
func batches() int {
	if chost.Long() {
		return 90
	}
	return 3
}

// settings are used in turn: the chips of RDNA in both sizes of waves.
var settings = []Setting{{"gfx906", 2, 64, 0}, {"gfx1100", 2, 32, 0}, {"gfx1201", 2, 64, 0},
	{"gfx906", 0, 64, 0}, {"gfx90a", 3, 64, 0}, {"gfx950", 1, 64, 0}, {"gfx1030", 2, 32, 0}, {"gfx1151", 0, 32, 0}, {"gfx1201", 3, 32, 0},
	{"gfx906", 1, 64, 0}, {"gfx906", 3, 64, 0}, {"gfx900", 2, 64, 0}, {"gfx942", 0, 64, 0}, {"gfx908", 2, 64, 0}, {"gfx90a", 0, 64, 0},
	{"gfx1030", 0, 64, 0}, {"gfx1100", 3, 64, 0}, {"gfx1151", 2, 64, 0}}

// number is a variable of the environment that is one, or what is usual.
func numberFrom(t *testing.T, name string, usual uint64) uint64 {
	t.Helper()
	s := os.Getenv(name)
	if s == "" {
		return usual
	}
	n, err := strconv.ParseUint(s, 10, 64)
	require.NoError(t, err, name)
	return n
}

func tools(t *testing.T) {
	t.Helper()
	toolchain.NeedMLIR(t)
}

// TestRandomProgramsAgree compares 75 programs, or 2,250 if MGPU_TEST_LONG is set,
// from seed 1 or MGPU_RANDOM_SEED on. A program that fails is cut down and saved in
// testdata, where TestFoundProgramsAgree runs it from then on.
func TestRandomProgramsAgree(t *testing.T) {
	tools(t)
	first := numberFrom(t, "MGPU_RANDOM_SEED", 1)
	for b := range batches() {
		seed := first + uint64(b*perBatch)
		s := settings[b%len(settings)]
		s.Inputs = seed
		t.Run(fmt.Sprintf("%s-seeds-%d-to-%d", s, seed, seed+perBatch-1), func(t *testing.T) {
			var kernels []Kernel
			for i := range uint64(perBatch) {
				kernels = append(kernels, New(seed+i, s.Lanes, s.Reach()).Kernel())
			}
			different, err := Compare(t, s, kernels)
			if err != nil {
				different = oneByOne(t, s, kernels)
				require.NotEmpty(t, different, "no program alone, but all together: %v", err)
			}
			for _, d := range different {
				report(t, s, d)
			}
		})
	}
}

// oneByOne finds the programs for which a tool fails.
func oneByOne(t *testing.T, s Setting, kernels []Kernel) (different []Difference) {
	for _, k := range kernels {
		d, err := Compare(t, s, []Kernel{k})
		if err != nil {
			d = []Difference{{Kernel: k.Name, Err: err, Tools: true}}
		}
		different = append(different, d...)
	}
	return different
}

// report shrinks a failing program and saves it.
func report(t *testing.T, s Setting, d Difference) {
	seed, err := strconv.ParseUint(d.Kernel[1:], 10, 64)
	require.NoError(t, err)
	p := New(seed, s.Lanes, s.Reach())
	var last error
	p.Shrink(func(p *Program) bool {
		now, err := Compare(t, s, []Kernel{p.Kernel()})
		if len(now) > 0 {
			err = now[0].Err
		}
		if (len(now) == 0) != d.Tools || err == nil {
			return false
		}
		last = err
		return true
	})
	path := filepath.Join("testdata", fmt.Sprintf("%s-%s.mlir", d.Kernel, s))
	require.NoError(t, os.MkdirAll("testdata", 0o755))
	require.NoError(t, Save(path, s, p.Kernel()))
	assert.Fail(t, "the sides differ", "seed %d: %v\ncut down to %d statements in %s: %v", seed, d.Err, len(p.all()), path, last)
}

// TestFoundProgramsAgree runs the saved programs.
func TestFoundProgramsAgree(t *testing.T) {
	tools(t)
	files, err := filepath.Glob(filepath.Join("testdata", "*.mlir"))
	require.NoError(t, err)
	kernels := map[Setting][]Kernel{}
	for _, f := range files {
		s, k, err := Saved(f)
		require.NoError(t, err)
		kernels[s] = append(kernels[s], k)
	}
	for s, k := range kernels {
		different, err := Compare(t, s, k)
		require.NoError(t, err)
		for _, d := range different {
			assert.Fail(t, "the sides differ", "%s for %s: %v", d.Kernel, s, d.Err)
		}
	}
}
