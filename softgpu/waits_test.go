package softgpu

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/internal/codeobj"
)

// waitsIn runs a kernel of waits.cl, with the right waits or the wrong ones, and
// returns what the checker says.
func waitsIn(t *testing.T, kernel string, flags ...string) string {
	t.Helper()
	return waitsOn(t, "gfx906", kernel, flags...)
}

func waitsOn(t *testing.T, chip, kernel string, flags ...string) string {
	t.Helper()
	said := &reports{}
	block := uint32(64)
	switch kernel {
	case "load_into_local":
		chip = "gfx942" // older chips do not have it
	case "local_store", "waits_late":
		block = 128
	}
	d := open(t, Options{Chip: chip, Check: "wait", Reports: said})
	in, iv := buffer[uint32](t, d, 256)
	for i := range iv {
		iv[i] = uint32(i)
	}
	out, _ := buffer[uint32](t, d, 256)
	source := "testdata/waits.cl"
	if strings.HasPrefix(chip, "gfx12") {
		source = "testdata/waits12.cl"
	}
	image := compile(t, append([]string{"-x", "cl", "-cl-std=CL2.0", filepath.FromSlash(source), "-mcpu=" + chip, "-O1", "-g"}, flags...))
	require.NoError(t, run(t, d, image, kernel, d1(3), d1(block), in, out))
	return said.String()
}

func TestMissingWaitsAreReportedAndTheirTwinsAreNot(t *testing.T) {
	for kernel, want := range map[string][]string{
		"vector_load": {`mgpu check: wait: v\d+ is read while an instruction that writes it may be under way, in kernel vector_load`,
			"`v_add_u32_e32 v", "waits.cl:1", "by workgroup \\(0,0,0\\), wave 0\n", "under way is vector_load\\+0x.*: `global_load_dword v", "missing in between is `s_waitcnt vmcnt\\(0\\)`\n"},
		"second_of_three":     {`v\d+ is read while`, "missing in between is `s_waitcnt vmcnt\\(1\\)`\n"},
		"overwritten":         {`v\d+ is overwritten while`, "`v_mov_b32_e32 ", "missing in between is `s_waitcnt vmcnt\\(0\\)`\n"},
		"loaded_twice":        {`v\d+ is read while`, "offset:4`", "missing in between is `s_waitcnt vmcnt\\(0\\)`\n"},
		"other_lanes":         {`v\d+ is read while`, "`v_add_u32_e32 v"},
		"scalar_loads":        {`s\d+ is read while`, "`s_load_dword ", "missing in between is `s_waitcnt lgkmcnt\\(0\\)`\n"},
		"local_load":          {`v\d+ is read while`, "`ds_read_b32 ", "missing in between is `s_waitcnt lgkmcnt\\(1\\)`\n"},
		"local_store":         {"read of 4 bytes of workgroup memory, at offset \\d+, while wave [01] may still be writing it", "under way is .*`ds_write_b32 ", "missing before that wave's barrier is `s_waitcnt lgkmcnt\\(0\\)`\n"},
		"waits_late":          {"while wave [01] may still be writing it", "missing before that wave's barrier"},
		"flat_load":           {`v\d+ is read while`, "`flat_load_dword ", "missing in between is `s_waitcnt lgkmcnt\\(0\\)`\n"},
		"flat_load_of_global": {`v\d+ is read while`, "`flat_load_dword ", "missing in between is `s_waitcnt vmcnt\\(0\\)`\n"},
		"load_into_local":     {"read of 4 bytes of workgroup memory, at offset 0, while a load into it may be under way", "missing in between is `s_waitcnt vmcnt\\(0\\)`\n"},
		"branch":              {"vcc_lo is read while", "`s_cbranch_vccz"},
	} {
		t.Run(kernel, func(t *testing.T) {
			text := waitsIn(t, kernel)
			for _, part := range want {
				assert.Regexp(t, part, text)
			}
			assert.Empty(t, waitsIn(t, kernel, "-DRIGHT"))
		})
	}
}

func TestWhatAWaveLeavesUnderWayIsNothingToTheNextOne(t *testing.T) {
	assert.Empty(t, waitsIn(t, "ends_early"))
}

// missingIn lists the missing waits of an image, each with the names of its two functions.
func missingIn(t *testing.T, image []byte) (all []string) {
	t.Helper()
	o, err := codeobj.Parse(image)
	require.NoError(t, err)
	missing, err := MissingWaits(o)
	require.NoError(t, err)
	for _, m := range missing {
		for _, f := range o.Functions() {
			if f.Start <= m.Address && m.Address < f.End {
				all = append(all, f.Name+": "+m.What+", "+m.UnderWay+", "+m.Needs)
			}
		}
	}
	return all
}

func waitsImage(t *testing.T, chip string, flags ...string) []byte {
	t.Helper()
	return compile(t, append([]string{"-x", "cl", "-cl-std=CL2.0", filepath.FromSlash("testdata/waits.cl"), "-mcpu=" + chip, "-O1", "-g"}, flags...))
}

// What the checker finds of registers while a kernel runs is found without running it, and
// nothing in the same kernels with their waits.
func TestMissingWaitsAreFoundWithoutRunning(t *testing.T) {
	found := missingIn(t, waitsImage(t, "gfx906"))
	for _, kernel := range []string{"vector_load", "second_of_three", "overwritten", "loaded_twice", "other_lanes", "scalar_loads", "local_load", "branch"} {
		said := waitsIn(t, kernel)
		under := regexp.MustCompile("under way is .*?: `([^`]*)`").FindStringSubmatch(said)
		what := regexp.MustCompile(`wait: (\w+) is (read|overwritten) while`).FindStringSubmatch(said)
		require.NotNil(t, under, said)
		require.NotNil(t, what, said)
		matching := 0
		for _, f := range found {
			if strings.HasPrefix(f, kernel+": "+what[1]+" is "+what[2]+" by ") && strings.Contains(f, ", "+under[1]+", ") {
				matching++
			}
		}
		assert.NotZero(t, matching, "%s\nfound without running: %q", said, found)
	}
	for _, chip := range []string{"gfx906", "gfx942"} {
		for _, f := range missingIn(t, waitsImage(t, chip, "-DRIGHT")) {
			// lanes are not told apart; copies that clang makes for callers give asm other registers, and never run
			assert.Regexp(t, "^other_lanes: .* is overwritten by|^__clang_ocl_kern_imp_", f, chip)
		}
	}
}

// Compilers wait for everything that they use, with loops, calls and spilled registers.
func TestCompiledKernelsMissNoWaits(t *testing.T) {
	for _, source := range []string{"kernels.cl", "corners.cl", "records.cl", "speed.cl", "faults.cl"} {
		for _, flags := range [][]string{{"-mcpu=gfx900", "-O0"}, {"-mcpu=gfx906", "-O1"}, {"-mcpu=gfx90a", "-O3"}, {"-mcpu=gfx950", "-O2"}, {"-mcpu=gfx1030", "-O2"}, {"-mcpu=gfx1030", "-O1", "-mwavefrontsize64"}, {"-mcpu=gfx1100", "-O2"}, {"-mcpu=gfx1100", "-O1", "-mwavefrontsize64"}, {"-mcpu=gfx1200", "-O2"}, {"-mcpu=gfx1201", "-O1", "-mwavefrontsize64"}, {"-mcpu=gfx1250", "-O2"}} {
			image := compile(t, append([]string{"-x", "cl", "-cl-std=CL2.0", filepath.Join("testdata", source)}, flags...))
			assert.Empty(t, missingIn(t, image), "%s %v", source, flags)
		}
	}
}

// TestMissingWaitsOfRDNA: stores have a counter of their own, which no register waits for.
func TestMissingWaitsOfRDNA(t *testing.T) {
	for kernel, want := range map[string]string{
		"vector_load":  `v\d+ is read while (.|\n)*global_load_b32 (.|\n)*missing in between is .s_waitcnt vmcnt\(0\)`,
		"overwritten":  `v\d+ is overwritten while`,
		"scalar_loads": `s\d+ is read while (.|\n)*s_load_b32 (.|\n)*missing in between is .s_waitcnt lgkmcnt\(0\)`,
		"local_load":   `v\d+ is read while (.|\n)*ds_load_b32 (.|\n)*missing in between is .s_waitcnt lgkmcnt\(1\)`,
		"local_store":  `while wave [0-3] may still be writing it(.|\n)*ds_store_b32 `,
		"flat_load":    `v\d+ is read while (.|\n)*flat_load_b32 `,
	} {
		for _, size := range []string{"-mno-wavefrontsize64", "-mwavefrontsize64"} {
			assert.Regexp(t, want, waitsOn(t, "gfx1100", kernel, size), size)
			assert.Empty(t, waitsOn(t, "gfx1100", kernel, size, "-DRIGHT"), kernel+size)
		}
	}
	// The wait that is right on GFX9 counts a store, which vmcnt does not count here.
	assert.Regexp(t, `v\d+ is read while (.|\n)*missing in between is .s_waitcnt vmcnt\(0\)`, waitsOn(t, "gfx1100", "second_of_three", "-DRIGHT"))
}

// TestFlatLoadsOfRDNAEndInTheOrderOfIssue: both counters count them, wherever their lanes' memory is.
func TestFlatLoadsOfRDNAEndInTheOrderOfIssue(t *testing.T) {
	for _, size := range []string{"-mno-wavefrontsize64", "-mwavefrontsize64"} {
		wrong, right := missingIn(t, waitsImage(t, "gfx1100", size)), missingIn(t, waitsImage(t, "gfx1100", size, "-DRIGHT"))
		for kernel, want := range map[string]string{
			"flat_loads":           `v\d+ is read while (.|\n)*flat_load_(.|\n)*missing in between is .s_waitcnt vmcnt\(1\)`,
			"local_and_flat_load":  `v\d+ is read while (.|\n)*missing in between is .s_waitcnt lgkmcnt\(1\)`,
			"vector_and_flat_load": `v\d+ is read while (.|\n)*global_load_(.|\n)*missing in between is .s_waitcnt vmcnt\(1\)`,
		} {
			assert.Regexp(t, want, waitsOn(t, "gfx1100", kernel, size), size)
			assert.Empty(t, waitsOn(t, "gfx1100", kernel, size, "-DRIGHT"), kernel+size)
			named := func(f string) bool { return strings.HasPrefix(f, kernel+": ") }
			assert.True(t, slices.ContainsFunc(wrong, named), "%s %s: %q", size, kernel, wrong)
			assert.False(t, slices.ContainsFunc(right, named), "%s %s: %q", size, kernel, right)
		}
	}
}

// TestMissingWaitsOfRDNA4: each counter has a wait of its own, whose name a report says, and two loads may write one
// register in either order. What is found while a kernel runs is found without running it.
func TestMissingWaitsOfRDNA4(t *testing.T) {
	for _, size := range []string{"-mno-wavefrontsize64", "-mwavefrontsize64"} {
		image := func(flags ...string) []byte {
			return compile(t, append([]string{"-x", "cl", "-cl-std=CL2.0", filepath.FromSlash("testdata/waits12.cl"), "-mcpu=gfx1201", "-O1", "-g", size}, flags...))
		}
		found := strings.Join(missingIn(t, image()), "\n")
		for kernel, want := range map[string]string{
			"vector_load":  `v\d+ is read while (.|\n)*global_load_b32 (.|\n)*missing in between is .s_wait_loadcnt 0x0`,
			"past_a_store": `v\d+ is read while (.|\n)*missing in between is .s_wait_loadcnt 0x0`,
			"loaded_twice": `v\d+ is overwritten while (.|\n)*missing in between is .s_wait_loadcnt 0x0`,
			"scalar_load":  `s\d+ is read while (.|\n)*s_load_b32 (.|\n)*missing in between is .s_wait_kmcnt 0x0`,
			"local_load":   `v\d+ is read while (.|\n)*ds_load_b32 (.|\n)*missing in between is .s_wait_dscnt 0x1`,
			"local_store":  `while wave [0-3] may still be writing it(.|\n)*ds_store_b32 (.|\n)*missing before that wave's barrier is .s_wait_dscnt 0x0`,
		} {
			assert.Regexp(t, want, waitsOn(t, "gfx1201", kernel, size), size)
			assert.Empty(t, waitsOn(t, "gfx1201", kernel, size, "-DRIGHT"), kernel+size)
			if kernel != "local_store" {
				assert.Contains(t, found, kernel+": ")
			}
		}
		for _, f := range missingIn(t, image("-DRIGHT")) {
			assert.Regexp(t, "^__clang_ocl_kern_imp_", f) // copies for callers, which never run
		}
	}
}
