package softgpu

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/internal/codeobj"
)

// A random kernel loads registers and uses them, with waits in between that may be too weak, and
// branches by bits of an argument. Run with each argument it takes all its ways, so that the
// checker finds at some time what there is to find without running it.

// randomWaits writes such kernels for a chip.
type randomWaits struct {
	*rand.Rand
	chip     string
	lanes    int
	text     strings.Builder
	branches int // so far, in this kernel
	pending  int // instructions that lgkmcnt may count: it holds waves up where they are too many
}

const mostWaitBranches = 3

func (g *randomWaits) line(format string, args ...any) {
	fmt.Fprintf(&g.text, "  "+format+"\n", args...)
}

// name is an instruction's in the chip's assembly: the first one to GFX10, the second one from GFX11 on.
func (g *randomWaits) name(gfx9, gfx11 string) string {
	if strings.HasPrefix(g.chip, "gfx11") || g.splits() {
		return gfx11
	}
	return gfx9
}

// splits reports whether each counter has a wait of its own.
func (g *randomWaits) splits() bool { return strings.HasPrefix(g.chip, "gfx12") }

// vector and scalar are registers that kernels load: v0 is an offset, v1 zero, s[8:9] an address.
func (g *randomWaits) vector() int { return 4 + g.IntN(8) }
func (g *randomWaits) scalar() int { return 20 + g.IntN(6) }

func (g *randomWaits) instruction() {
	switch n := g.IntN(12); n {
	case 0, 1:
		g.line("%s v%d, v0, s[8:9] offset:%d", g.name("global_load_dword", "global_load_b32"), g.vector(), 4*g.IntN(16))
	case 2:
		first := 4 + 2*g.IntN(4)
		g.line("%s v[%d:%d], v0, s[8:9]", g.name("global_load_dwordx2", "global_load_b64"), first, first+1)
	case 3, 4:
		if g.pending++; g.pending > 12 {
			g.wait(15, 0)
		}
		g.line("%s v%d, v0", g.name("ds_read_b32", "ds_load_b32"), g.vector())
	case 5:
		if g.pending++; g.pending > 12 {
			g.wait(15, 0)
		}
		g.line("%s s%d, s[8:9], %#x", g.name("s_load_dword", "s_load_b32"), g.scalar(), 4*g.IntN(16))
	case 6:
		g.line("%s v0, v%d, s[8:9]", g.name("global_store_dword", "global_store_b32"), g.vector())
	case 7:
		g.line("v_mov_b32 v%d, s%d", g.vector(), g.scalar())
	case 8, 9:
		g.line("v_xor_b32 v%d, v%d, v%d", g.vector(), g.vector(), g.vector())
	case 10:
		g.line("s_xor_b32 s%d, s%d, s%d", g.scalar(), g.scalar(), g.scalar())
	case 11:
		g.wait([]int{0, 1, 2, 63}[g.IntN(4)], []int{0, 1, 2, 15}[g.IntN(4)])
	}
}

func (g *randomWaits) wait(vector, workgroup int) {
	switch {
	case !g.splits():
		g.line("s_waitcnt vmcnt(%d) lgkmcnt(%d)", vector, workgroup)
	case vector > 2:
		g.line("s_wait_dscnt %d", workgroup)
	default:
		g.line("s_wait_loadcnt_dscnt %#x", vector<<8|workgroup)
	}
	if g.splits() && workgroup <= 1 {
		g.line("s_wait_kmcnt %d", workgroup)
	}
	if workgroup == 0 {
		g.pending = 0
	}
}

// body writes instructions, and ways past some of them.
func (g *randomWaits) body(name string, depth int) {
	for range 4 + g.IntN(8) {
		if depth < 2 && g.branches < mostWaitBranches && g.IntN(6) == 0 {
			n := g.branches
			g.branches++
			g.line("s_bitcmp1_b32 s10, %d", n)
			g.line("s_cbranch_scc1 .L%s_%d", name, n)
			g.body(name, depth+1)
			fmt.Fprintf(&g.text, ".L%s_%d:\n", name, n)
			continue
		}
		g.instruction()
	}
}

// kernel writes a kernel that finds an address and the bits of its branches in its arguments, and how it is declared.
func (g *randomWaits) kernel(name string) (declared, metadata string) {
	g.branches, g.pending = 0, 0
	arguments, own := "s[0:1]", map[string]string{
		"gfx906": "  .amdhsa_user_sgpr_private_segment_buffer 1\n", "gfx942": "  .amdhsa_accum_offset 16\n",
	}[g.chip]
	if strings.HasPrefix(g.chip, "gfx1") {
		own = fmt.Sprintf("  .amdhsa_wavefront_size32 %d\n", 64/g.lanes-1)
	}
	if g.chip == "gfx906" {
		arguments = "s[4:5]" // after the private segment's buffer
	}
	fmt.Fprintf(&g.text, ".globl %s\n.p2align 8\n.type %s,@function\n%s:\n", name, name, name)
	g.line("%s s[8:9], %s, 0x0", g.name("s_load_dwordx2", "s_load_b64"), arguments)
	g.line("%s s10, %s, 0x8", g.name("s_load_dword", "s_load_b32"), arguments)
	g.line("v_lshlrev_b32 v0, 2, v0")
	g.wait(0, 0)
	g.body(name, 0)
	g.line("s_endpgm")
	fmt.Fprintf(&g.text, ".L%s_end:\n.size %s, .L%s_end-%s\n", name, name, name, name)
	declared = fmt.Sprintf(".amdhsa_kernel %s\n%s  .amdhsa_user_sgpr_kernarg_segment_ptr 1\n  .amdhsa_group_segment_fixed_size 4096\n"+
		"  .amdhsa_kernarg_size 12\n  .amdhsa_next_free_vgpr 16\n  .amdhsa_next_free_sgpr 40\n.end_amdhsa_kernel\n", name, own)
	metadata = fmt.Sprintf(`  - .name: %s
    .symbol: %s.kd
    .args:
      - {.offset: 0, .size: 8, .value_kind: global_buffer, .address_space: global}
      - {.offset: 8, .size: 4, .value_kind: by_value}
    .kernarg_segment_size: 12
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 4096
    .private_segment_fixed_size: 0
    .wavefront_size: %d
    .sgpr_count: 40
    .vgpr_count: 16
    .max_flat_workgroup_size: 256
`, name, name, g.lanes)
	return declared, metadata
}

// waitsProgram is a file of so many kernels.
func waitsProgram(r *rand.Rand, chip string, lanes, kernels int) string {
	g := randomWaits{Rand: r, chip: chip, lanes: lanes}
	fmt.Fprintf(&g.text, ".amdgcn_target \"amdgcn-amd-amdhsa--%s\"\n.text\n", chip)
	var declared, metadata strings.Builder
	for n := range kernels {
		d, m := g.kernel(fmt.Sprint("k", n))
		declared.WriteString(d)
		metadata.WriteString(m)
	}
	return fmt.Sprintf("%s.rodata\n.p2align 6\n%s.amdgpu_metadata\n---\namdhsa.version: [1, 2]\namdhsa.target: amdgcn-amd-amdhsa--%s\namdhsa.kernels:\n%s...\n.end_amdgpu_metadata\n",
		&g.text, &declared, chip, &metadata)
}

var foundAt = regexp.MustCompile(`mgpu check: wait: [^\n]*\n\s+at (k\d+)\+(0x[0-9a-f]+) \(pc`)

// TestMissingWaitsOfRandomKernels compares what is found without running with what the checker finds on all ways
// of a kernel: the same instructions. It takes other kernels where MGPU_RANDOM_SEED is a number, and more with
// MGPU_TEST_LONG.
func TestMissingWaitsOfRandomKernels(t *testing.T) {
	seed, kernels := uint64(1), 40
	if s := os.Getenv("MGPU_RANDOM_SEED"); s != "" {
		var err error
		seed, err = strconv.ParseUint(s, 10, 64)
		require.NoError(t, err, "MGPU_RANDOM_SEED")
	}
	if allCases {
		kernels = 1000
	}
	for n, of := range []struct {
		chip  string
		lanes int
	}{{"gfx906", 64}, {"gfx942", 64}, {"gfx1100", 64}, {"gfx1030", 32}, {"gfx1030", 64}, {"gfx1100", 32}, {"gfx1201", 32}, {"gfx1201", 64}} {
		chip := of.chip
		text := waitsProgram(rand.New(rand.NewPCG(seed, uint64(n))), chip, of.lanes, kernels)
		file := filepath.Join(t.TempDir(), "waits.s")
		require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
		image := compile(t, []string{"-mcpu=" + chip, "-x", "assembler", file})
		o, err := codeobj.Parse(image)
		require.NoError(t, err)
		missing, err := MissingWaits(o)
		require.NoError(t, err)
		static := map[string]bool{}
		for _, m := range missing {
			for _, f := range o.Functions() {
				if f.Start <= m.Address && m.Address < f.End {
					static[fmt.Sprintf("%s+%#x", f.Name, m.Address-f.Start)] = true
				}
			}
		}
		said := &reports{}
		d := open(t, Options{Chip: chip, Check: "wait", Reports: said})
		memory, _ := buffer[uint32](t, d, 256)
		for k := range kernels {
			for bits := range uint32(1 << mostWaitBranches) {
				require.NoError(t, run(t, d, image, fmt.Sprint("k", k), d1(1), d1(64), memory, bits))
			}
		}
		running := map[string]bool{}
		for _, m := range foundAt.FindAllStringSubmatch(said.String(), -1) {
			running[m[1]+"+"+m[2]] = true
		}
		assert.Greater(t, len(running), kernels, "%s, waves of %d: most kernels miss some wait", chip, of.lanes)
		assert.Equal(t, keys(running), keys(static), "%s, waves of %d; again with MGPU_RANDOM_SEED=%d", chip, of.lanes, seed)
	}
}

func keys(of map[string]bool) (all []string) {
	for k := range of {
		all = append(all, k)
	}
	slices.Sort(all)
	return all
}

// What compilers make of random programs misses no wait, without running and running.
func TestCompiledRandomProgramsMissNoWaits(t *testing.T) {
	programs := 1
	if allCases {
		programs = 40
	}
	for n := range programs {
		file := filepath.Join(t.TempDir(), "program.c")
		require.NoError(t, os.WriteFile(file, []byte(randomProgram(rand.New(rand.NewPCG(7, uint64(n))), 6)), 0o600))
		for _, flags := range [][]string{
			{"-mcpu=gfx906", "-O2"}, {"-mcpu=gfx942", "-O1"}, {"-mcpu=gfx1030", "-O1", "-mwavefrontsize64"},
			{"-mcpu=gfx1100", "-O2"}, {"-mcpu=gfx1100", "-O1", "-mwavefrontsize64"}, {"-mcpu=gfx1201", "-O1"}, {"-mcpu=gfx1201", "-O2", "-mwavefrontsize64"},
		} {
			image := compile(t, append([]string{"-x", "cl", "-cl-std=CL2.0", "-ffp-contract=off", "-Itestdata", file}, flags...))
			assert.Empty(t, missingIn(t, image), "%s %v", file, flags)
			said := &reports{}
			d := open(t, Options{Chip: strings.TrimPrefix(flags[0], "-mcpu="), Check: "wait", Reports: said})
			in, _ := buffer[uint64](t, d, 3*64)
			out, _ := buffer[uint64](t, d, 6*64)
			require.NoError(t, run(t, d, image, "random_program", d1(1), d1(64), in, out))
			assert.Empty(t, said.String(), "%v", flags)
		}
	}
}
