package softgpu

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/softgpu/disassembly"
)

func largeImage(t *testing.T) []byte {
	t.Helper()
	return compile(t, []string{"-x", "cl", "-cl-std=CL2.0", "testdata/gfx1250_registers.cl", "-mcpu=gfx1250", "-O2", "-mcode-object-version=6", "-w"})
}

// TestRegistersAbove255OfGFX1250AreTheirOwn runs kernels of 748 and 950 vector registers, with and without checks.
func TestRegistersAbove255OfGFX1250AreTheirOwn(t *testing.T) {
	const rounds = 3
	for _, check := range []string{"", "all"} {
		said := &reports{}
		d := open(t, Options{Chip: "gfx1250", Check: check, Reports: said})
		image := largeImage(t)
		p, pv := buffer[uint32](t, d, 32*600)
		q, qv := buffer[uint32](t, d, 32*600)
		for n := range pv {
			pv[n] = uint32(n*2654435761) ^ uint32(n>>3)
		}
		require.NoError(t, run(t, d, image, "mix", d1(1), d1(32), p, q, uint32(rounds)))
		require.Equal(t, mixed(pv, rounds), qv)

		f, fv := buffer[float32](t, d, 32*300)
		g, gv := buffer[float64](t, d, 32*450)
		for n := range fv {
			fv[n] = float32(n%97)/7 - 5
		}
		require.NoError(t, run(t, d, image, "floats", d1(1), d1(32), f, g, uint32(rounds)))
		require.Equal(t, mixedFloats(fv, rounds), gv)
		require.Empty(t, said.String())
	}
}

// mixed is what the kernel mix does.
func mixed(p []uint32, rounds int) []uint32 {
	a := append([]uint32(nil), p...)
	for range rounds {
		for l := range 32 {
			x := a[l*600 : l*600+600]
			for i := range x {
				x[i] = (x[(i+7)%600] ^ x[i]) + x[(i*3+1)%600]
			}
		}
		var swapped [4][32]uint32
		for l := range 32 {
			for i := range swapped {
				swapped[i][l] = a[l*600+i*150]
			}
		}
		for l := range 32 {
			x := a[l*600 : l*600+600]
			for i := range swapped {
				x[i*150+1] ^= swapped[3-i][31-l]
			}
			for i := 0; i < 300 && x[599]&1 != 0; i++ {
				if x[i] > x[i+300] {
					x[i]--
				} else {
					x[i] = x[i+300]
				}
			}
		}
	}
	return a
}

// mixedFloats is what the kernel floats does.
func mixedFloats(p []float32, rounds int) []float64 {
	var out []float64
	for l := range 32 {
		a, b := append([]float32(nil), p[l*300:l*300+300]...), make([]float64, 150)
		for i := range b {
			b[i] = float64(a[i]) + 0.5
		}
		for range rounds {
			for i := range a {
				a[i] = float32(math.FMA(float64(a[(i+7)%300]), 0.5, float64(a[i]))) // the sum is rounded once: the product is exact
			}
			for i := range b {
				c := b[i]
				if c >= 0 {
					c = float64(a[i])
				}
				b[i] = math.FMA(b[(i+11)%150], 0.25, c)
			}
		}
		out = append(out, b...)
		for _, x := range a {
			out = append(out, float64(x))
		}
	}
	return out
}

// TestRegistersAbove255OfGFX1250ArePrintedAsByLLVM compares each word of the kernels.
func TestRegistersAbove255OfGFX1250ArePrintedAsByLLVM(t *testing.T) {
	n, err := disassembly.Compare(largeImage(t))
	require.NoError(t, err)
	require.Greater(t, n, 10000)
}

// text1250 is a code object for gfx1250 with one kernel, k, whose arguments are so many pointers. It has 1024 vector
// registers and 4 KiB of LDS.
func text1250(t *testing.T, code string, pointers int) []byte {
	t.Helper()
	return text125(t, "gfx1250", code, pointers)
}

// text125 is text1250 for gfx1250 or gfx1251.
func text125(t *testing.T, chip, code string, pointers int) []byte {
	t.Helper()
	var arguments strings.Builder
	for n := range pointers {
		fmt.Fprintf(&arguments, "      - {.offset: %d, .size: 8, .value_kind: global_buffer, .address_space: global}\n", 8*n)
	}
	file := filepath.Join(t.TempDir(), "kernel.s")
	require.NoError(t, os.WriteFile(file, fmt.Appendf(nil, `
.amdgcn_target "amdgcn-amd-amdhsa--%[4]s"
.text
.globl k
.p2align 8
.type k,@function
k:
%[1]s
.Lend:
.size k, .Lend-k
.rodata
.p2align 6
.amdhsa_kernel k
  .amdhsa_user_sgpr_kernarg_segment_ptr 1
  .amdhsa_user_sgpr_count 2
  .amdhsa_kernarg_size %[2]d
  .amdhsa_group_segment_fixed_size 4096
  .amdhsa_next_free_vgpr 1024
  .amdhsa_next_free_sgpr 40
.end_amdhsa_kernel
.amdgpu_metadata
---
amdhsa.version: [1, 2]
amdhsa.target: amdgcn-amd-amdhsa--%[4]s
amdhsa.kernels:
  - .name: k
    .symbol: k.kd
    .args:
%[3]s
    .kernarg_segment_size: %[2]d
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 4096
    .private_segment_fixed_size: 0
    .wavefront_size: 32
    .sgpr_count: 40
    .vgpr_count: 1024
    .max_flat_workgroup_size: 256
...
.end_amdgpu_metadata
`, code, 8*pointers, &arguments, chip), 0o600))
	return compile(t, []string{"-mcpu=" + chip, "-mcode-object-version=6", "-x", "assembler", file})
}

// TestHighBitsThatDependOnThePathAreRefused assembles what compilers do not emit.
func TestHighBitsThatDependOnThePathAreRefused(t *testing.T) {
	const both = "gfx1250 gfx1251"
	for name, c := range map[string]struct{ chips, body, refusal string }{
		"a branch that leaves": {both, "s_set_vgpr_msb 1\n s_branch .Lleave\n", "instruction `s_branch 1` leaves while vector registers have high bits"},
		"a branch that enters": {both, "s_cbranch_scc1 .Linside\n s_set_vgpr_msb 64\n .Linside:\n v_mov_b32 v1, 0\n s_set_vgpr_msb 0\n", "instruction `s_cbranch_scc1 1` goes to where vector registers have high bits"},
		"from a register":      {"gfx1251", "s_setreg_b32 hwreg(1, 12, 8), s0\n", "instruction `s_setreg_b32 hwreg(HW_REG_WAVE_MODE, 12, 8), s0` has no meaning"},
		"none":                 {both, "s_setreg_imm32_b32 hwreg(1, 0, 32), 0x4f0\n s_set_vgpr_msb 0x40\n v_mov_b32 v1, 0\n s_set_vgpr_msb 0\n", ""},
	} {
		for _, chip := range strings.Fields(c.chips) {
			t.Run(name+" "+chip, func(t *testing.T) {
				d := open(t, Options{Chip: chip})
				image := text125(t, chip, c.body+"s_nop 0\n .Lleave:\n s_endpgm\n s_nop 0\n", 0)
				if c.refusal == "" {
					require.NoError(t, run(t, d, image, "k", d1(1), d1(32)))
					return
				}
				module, err := d.ModuleLoad(image)
				require.NoError(t, err)
				_, err = d.ModuleGetFunction(module, "k")
				require.ErrorContains(t, err, c.refusal)
			})
		}
	}
}

// TestModeShowsHighBitsOfRegisters reads them back after both instructions that set them. gfx1250 takes bits 19:12 of any
// literal for MODE, gfx1251 those of the field that is written.
func TestModeShowsHighBitsOfRegisters(t *testing.T) {
	for _, c := range []struct{ chip, set string }{
		{"gfx1250", "s_setreg_imm32_b32 hwreg(1, 12, 4), 0xb007"},
		{"gfx1250", "s_setreg_imm32_b32 hwreg(1, 4, 4), 0xb00f"},
		{"gfx1250", "s_setreg_imm32_b32 hwreg(1, 0, 32), 0xb0f0"},
		{"gfx1251", "s_setreg_imm32_b32 hwreg(1, 12, 4), 0xb"},
		{"gfx1251", "s_setreg_imm32_b32 hwreg(1, 0, 32), 0xb0f0"},
	} {
		t.Run(c.chip+" "+c.set, func(t *testing.T) {
			d := open(t, Options{Chip: c.chip})
			image := text125(t, c.chip, `
  s_load_b64 s[2:3], s[0:1], 0x0
  v_mov_b32 v0, 0
  s_set_vgpr_msb 0xb1
  s_getreg_b32 s4, hwreg(1, 12, 8)
  s_set_vgpr_msb 0
  `+c.set+`
  v_mov_b32 v2, 7
  s_getreg_b32 s5, hwreg(1, 12, 8)
  s_set_vgpr_msb 2
  v_mov_b32 v3, v2
  s_set_vgpr_msb 3
  v_mov_b32 v4, v2
  s_set_vgpr_msb 0
  v_mov_b32 v1, s4
  v_mov_b32 v2, s5
  s_wait_kmcnt 0
  v_mov_b32 v5, v4
  v_mov_b32 v4, v3
  v_mov_b32 v3, v2
  v_mov_b32 v2, v1
  global_store_b128 v0, v[2:5], s[2:3]
  s_endpgm
`, 1)
			p, pv := buffer[uint32](t, d, 4)
			require.NoError(t, run(t, d, image, "k", d1(1), d1(32), p))
			require.Equal(t, []uint32{0xc6, 0xb, 0, 7}, pv) // MODE has the destination first; the last write is to v770
		})
	}
}

// TestWritesOfModeThatKeepHighBits writes other fields of MODE in between.
func TestWritesOfModeThatKeepHighBits(t *testing.T) {
	for _, c := range []struct{ chip, set, fault string }{
		{"gfx1250", "s_setreg_imm32_b32 hwreg(1, 0, 4), 0x1003", ""},
		{"gfx1250", "s_setreg_b32 hwreg(1, 0, 4), s6", ""},
		{"gfx1250", "s_setreg_b32 hwreg(1, 0, 4), s7", "s_setreg_b32 that changes the high bits of vector registers"},
		{"gfx1251", "s_setreg_imm32_b32 hwreg(1, 0, 4), 3", ""},
		{"gfx1251", "s_setreg_imm32_b32 hwreg(1, 0, 4), 0xff003", ""},
		{"gfx1251", "s_setreg_b32 hwreg(1, 0, 4), s7", ""},
	} {
		t.Run(c.chip+" "+c.set, func(t *testing.T) {
			d := open(t, Options{Chip: c.chip})
			image := text125(t, c.chip, `
  s_load_b64 s[2:3], s[0:1], 0x0
  s_mov_b32 s6, 0x1003
  s_mov_b32 s7, 3
  v_mov_b32 v0, 0
  v_mov_b32 v2, 5
  s_set_vgpr_msb 0x40
  `+c.set+`
  v_mov_b32 v2, 7
  s_getreg_b32 s5, hwreg(1, 0, 20)
  s_set_vgpr_msb 0
  v_mov_b32 v3, s5
  s_wait_kmcnt 0
  global_store_b64 v0, v[2:3], s[2:3]
  s_endpgm
`, 1)
			p, pv := buffer[uint32](t, d, 2)
			err := run(t, d, image, "k", d1(1), d1(32), p)
			if c.fault != "" {
				require.ErrorContains(t, err, c.fault)
				return
			}
			require.NoError(t, err)
			require.Equal(t, []uint32{5, 0x1003}, []uint32{pv[0], pv[1] & 0xff00f})
		})
	}
}

func TestBranchesRelativeToTheNextInstruction(t *testing.T) {
	d := open(t, Options{Chip: "gfx1250"})
	image := text1250(t, `
  s_load_b64 s[2:3], s[0:1], 0x0
  v_mov_b32 v0, 0
  s_mov_b32 s4, 7
  s_add_pc_i64 4
  s_mov_b32 s4, 9
  v_mov_b32 v1, s4
  s_wait_kmcnt 0
  global_store_b32 v0, v1, s[2:3]
  s_endpgm
`, 1)
	p, pv := buffer[uint32](t, d, 1)
	require.NoError(t, run(t, d, image, "k", d1(1), d1(32), p))
	require.Equal(t, uint32(7), pv[0])
}
