package softgpu

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/mgpu/driver"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/emu"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/profile"
)

// profiled runs a kernel of profile.cl on a chip, in two workgroups of 64, and returns what is told of it.
func profiled(t *testing.T, chip, modes, kernel string, more ...any) (profile.Kernel, string) {
	t.Helper()
	d := open(t, Options{Chip: chip, Profile: modes})
	in, iv := buffer[float32](t, d, 256)
	for i := range iv {
		iv[i] = 0.25 + float32(i%7)
	}
	out, _ := buffer[float32](t, d, 256)
	image := compile(t, []string{"-x", "cl", "-cl-std=CL2.0", "-cl-fp32-correctly-rounded-divide-sqrt", filepath.FromSlash("testdata/profile.cl"), "-mcpu=" + chip, "-O1"})
	args := append([]any{in, out}, more...)
	if kernel == "strided" || kernel == "counted" {
		args = append([]any{out}, more...)
	}
	require.NoError(t, run(t, d, image, kernel, d1(2), d1(64), args...))
	return onlyKernel(t, d)
}

// onlyKernel is what is told of the kernel that has run.
func onlyKernel(t *testing.T, d *Driver) (k profile.Kernel, text string) {
	t.Helper()
	text, objects := d.Profile()
	require.Len(t, objects, 1)
	require.NoError(t, json.Unmarshal(objects[0], &k))
	return k, text
}

// standings are the instructions of a profile that are not simply exact, each with its standing and bound.
func standings(k *profile.Kernel) (all []string) {
	for _, i := range k.Fidelity.Instructions {
		if i.Source != "" {
			all = append(all, strings.TrimSuffix(fmt.Sprintf("%s %s %s", i.Name, i.Word, i.Bound), " "))
		}
	}
	slices.Sort(all)
	return all
}

func TestAProfileTellsHowResultsCompareWithAChips(t *testing.T) {
	for _, chip := range []string{"gfx906", "gfx90a", "gfx942", "gfx1100"} {
		k, text := profiled(t, chip, "fidelity", "functions")
		assert.Equal(t, "functions", k.Name)
		assert.Equal(t, chip, k.Chip)
		assert.Nil(t, k.Counts)
		assert.Equal(t, []string{"v_cos_f32 approximate not stated", "v_exp_f32 approximate 1 ulp", "v_log_f32 approximate 1 ulp", "v_rcp_f32 approximate 1 ulp",
			"v_rsq_f32 approximate 1 ulp", "v_sin_f32 approximate not stated", "v_sqrt_f32 approximate 1 ulp"}, standings(&k), chip)
		assert.Empty(t, k.Fidelity.Reached, chip)
		assert.Contains(t, text, fmt.Sprintf("approximate: v_exp_f32, %d executed, bound 1 ulp (AMD's manual: 1 ULP accuracy)", k.Waves))
		assert.Contains(t, text, "no approximate result reached an address or a branch")

		k, _ = profiled(t, chip, "fidelity", "exact")
		assert.Empty(t, standings(&k), chip)

		k, _ = profiled(t, chip, "fidelity", "quotient")
		scale := map[bool]string{false: "inferred", true: "measured"}[chip == "gfx1100"]
		assert.Equal(t, []string{"v_div_fixup_f32 " + scale, "v_div_fmas_f32 " + scale, "v_div_scale_f32 " + scale, "v_rcp_f32 approximate 1 ulp"}, standings(&k)[:4], chip)
	}
}

func TestAProfileTellsOfMatrixInstructions(t *testing.T) {
	for _, c := range []struct{ chip, name, standing string }{
		{"gfx90a", "v_mfma_f32_32x32x8f16", "measured"}, {"gfx942", "v_mfma_f32_32x32x8_f16", "measured"}, {"gfx950", "v_mfma_f32_32x32x8_f16", "inferred"},
	} {
		d := open(t, Options{Chip: c.chip, Profile: "all"})
		a, _ := buffer[uint16](t, d, 1024)
		b, _ := buffer[uint16](t, d, 1024)
		out, _ := buffer[float32](t, d, 1024)
		image := compile(t, []string{"-x", "cl", "-cl-std=CL2.0", filepath.FromSlash("testdata/matrix.cl"), "-mcpu=" + c.chip, "-O1"})
		require.NoError(t, run(t, d, image, "matmul_f16", d1(1), d1(64), a, b, out, uint32(32)))
		k, _ := onlyKernel(t, d)
		assert.Equal(t, []string{c.name + " " + c.standing}, standings(&k))
		assert.Contains(t, k.Counts.Classes, profile.ClassCount{Class: "matrix", Instructions: 4})
	}
}

// Of each kernel where a result gets, and from which instruction.
func TestApproximateResultsAreFollowedToAddressesAndBranches(t *testing.T) {
	for _, chip := range []string{"gfx906", "gfx90a", "gfx942", "gfx1100"} {
		for kernel, want := range map[string]string{
			"to_address": "address from v_exp_f32", "through_lds": "address from v_exp_f32", "through_memory": "address from v_exp_f32",
			"through_private": "address from v_exp_f32", "to_branch": "branch from v_exp_f32", "overwritten": "", "quotient": "", "functions": "", "divergent": "",
			"integer_quotient": "address from v_rcp_iflag_f32", "uniform": "branch from v_exp_f32", "exchanged": "address from v_exp_f32",
		} {
			var more []any
			if kernel == "integer_quotient" {
				more = []any{uint32(3)}
			}
			k, text := profiled(t, chip, "fidelity", kernel, more...)
			reached := map[string]bool{}
			for _, r := range k.Fidelity.Reached {
				reached[r.Where+" from "+strings.Join(r.From, ", ")] = true
				assert.Equal(t, kernel, r.Function)
				assert.NotZero(t, r.Times)
			}
			if want == "" {
				assert.Empty(t, reached, "%s, %s:\n%s", chip, kernel, text)
			} else {
				assert.Equal(t, map[string]bool{want: true}, reached, "%s, %s:\n%s", chip, kernel, text)
			}
		}
	}
}

func TestAProfileCountsWhatAKernelDoes(t *testing.T) {
	for _, chip := range []string{"gfx906", "gfx1100"} {
		k, text := profiled(t, chip, "counts", "divergent")
		assert.Nil(t, k.Fidelity)
		assert.EqualValues(t, 1, k.Launches)
		assert.EqualValues(t, 2, k.Workgroups)
		sum := uint64(0)
		for _, c := range k.Counts.Classes {
			sum += c.Instructions
		}
		assert.Equal(t, k.Instructions, sum)
		assert.Equal(t, profile.Moved{Read: 2 * 3 * 4}, profile.Moved{Read: k.Counts.Bytes.Global.Read}, "three lanes of each workgroup, four bytes each")
		assert.EqualValues(t, 2*3*4, k.Counts.Bytes.Global.Written)
		l := k.Counts.Lanes
		assert.Less(t, l.Lanes, l.Instructions*uint64(l.Size)/2)
		assert.Contains(t, text, "in workgroups of 64,1,1 (1 launch)")
		lanes := 64
		if chip == "gfx1100" {
			lanes = 32
		}
		assert.Equal(t, lanes, l.Size)

		// Words in one bank: each takes a cycle of its own. In all banks: none waits.
		for stride, each := range map[uint32]uint64{1: 64 / 32, 2: 64 / 16, 32: 64, 33 - 2: 64 / 32} {
			k, _ = profiled(t, chip, "counts", "strided", stride)
			accesses := uint64(2 * 2 * 64 / lanes) // a store and a load in two workgroups
			assert.Equal(t, profile.LDSCounts{Accesses: accesses, Cycles: 2 * 2 * each, BankConflicts: 2*2*each - 2*2*2}, k.Counts.LDS, "%s, stride %d", chip, stride)
			assert.Equal(t, profile.Moved{Read: 512, Written: 512}, k.Counts.Bytes.LDS)
		}
		k, _ = profiled(t, chip, "counts", "counted")
		assert.Equal(t, profile.Moved{Updated: 512}, k.Counts.Bytes.Global, "atomics by 128 work-items")
		assert.Equal(t, profile.Moved{Updated: 512}, k.Counts.Bytes.LDS)
		assert.EqualValues(t, 2*2*31, k.Counts.LDS.AtomicConflicts, "32 lanes on one word, one after the other")
	}
}

// Occupancies of kernels with known registers and LDS, by LLVM's tables of the chips.
func TestAProfileTellsWhatBoundsOccupancy(t *testing.T) {
	of := func(chip, name string, block, shared uint32) emu.Occupancy {
		t.Helper()
		d := open(t, Options{Chip: chip, Profile: "counts"})
		out, _ := buffer[float32](t, d, 4096)
		image := compile(t, []string{"-x", "cl", "-cl-std=CL2.0", filepath.FromSlash("testdata/profile.cl"), "-mcpu=" + chip, "-O1"})
		f := kernel(t, d, image, name)
		require.NoError(t, d.LaunchKernel(f, driver.Launch{Grid: d1(1), Block: d1(block), SharedBytes: shared, Params: arguments(t, out)}))
		require.NoError(t, d.StreamSynchronize(0))
		k, _ := onlyKernel(t, d)
		return k.Counts.Shapes[0].Occupancy
	}
	for _, c := range []struct {
		chip, kernel  string
		block, shared uint32
		waves         int
		limit         string
	}{
		{"gfx906", "small", 64, 0, 10, "chip"},
		{"gfx906", "small", 64, 32 << 10, 1, "LDS"},
		{"gfx906", "small", 256, 16 << 10, 4, "LDS"},
		{"gfx906", "small", 1024, 0, 8, "workgroup"}, // two of 16 waves on four SIMDs
		{"gfx906", "large", 64, 0, 2, "vector registers"},
		{"gfx906", "scalars", 64, 0, 7, "scalar registers"},
		{"gfx90a", "large", 64, 0, 4, "vector registers"},
		{"gfx942", "small", 64, 0, 8, "chip"},
		{"gfx950", "small", 64, 80 << 10, 1, "LDS"},
		{"gfx1100", "small", 64, 0, 16, "chip"},
		{"gfx1100", "scalars", 64, 0, 16, "chip"},
	} {
		o := of(c.chip, c.kernel, c.block, c.shared)
		assert.Equal(t, c.waves, o.Waves, "%+v: %+v", c, o)
		assert.Equal(t, c.limit, o.Limit, "%+v: %+v", c, o)
	}
}

func TestNothingIsToldUnasked(t *testing.T) {
	d := open(t, Options{})
	out, _ := buffer[float32](t, d, 64)
	image := compile(t, []string{"-x", "cl", "-cl-std=CL2.0", filepath.FromSlash("testdata/profile.cl"), "-mcpu=gfx906", "-O1"})
	require.NoError(t, run(t, d, image, "small", d1(1), d1(64), out))
	text, objects := d.Profile()
	assert.Empty(t, text)
	assert.Empty(t, objects)
	_, err := Open(Options{Profile: "counts,nonsense"})
	assert.EqualError(t, err, `MGPU_PROFILE=counts,nonsense: "nonsense" is not one of counts, fidelity, all, off`)
}

// A profile and a checker see the same kernel.
func TestAProfileGoesWithAChecker(t *testing.T) {
	said := &reports{}
	d := open(t, Options{Check: "memory,wait", Reports: said, Profile: "all"})
	in, _ := buffer[float32](t, d, 128)
	image := compile(t, []string{"-x", "cl", "-cl-std=CL2.0", filepath.FromSlash("testdata/profile.cl"), "-mcpu=gfx906", "-O1"})
	out, err := d.MemAlloc(4 * 100)
	require.NoError(t, err)
	require.Error(t, run(t, d, image, "divergent", d1(1), d1(64), in, driver.Ptr(uintptr(out)+4*100)))
	assert.Contains(t, said.String(), "mgpu check: memory: write of 4 bytes")
	k, _ := onlyKernel(t, d)
	assert.NotZero(t, k.Instructions)
}
