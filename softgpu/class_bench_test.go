package softgpu

import (
	"strings"
	"testing"

	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

// classes are kernels that do little but one sort of instruction. They find a
// buffer's address in s[8:9], the work-item's place in it in v[2:3], four bytes
// to each, its offset in v1, a zero in v0 and numbers between 1 and 2 in v[8:15].
var classes = []struct{ name, body string }{
	{"VALU int", "v_add_u32 v16, v8, v9\nv_and_b32 v17, v10, v16\nv_lshlrev_b32 v18, 3, v17\nv_add_co_u32 v19, vcc, s8, v18"},
	{"VALU int 64", "v_lshlrev_b64 v[16:17], 2, v[8:9]\nv_mad_u64_u32 v[18:19], vcc, v8, v9, v[10:11]\nv_cmp_lt_u64 vcc, v[16:17], v[18:19]\nv_addc_co_u32 v20, vcc, v8, v9, vcc"},
	{"VALU move, compare", "v_mov_b32 v16, v8\nv_cmp_lt_u32 vcc, v8, v9\nv_cndmask_b32 v17, v8, v9, vcc\nv_mov_b32 v18, s8"},
	{"VALU f32", "v_fma_f32 v16, v8, v9, v10\nv_add_f32 v17, v8, v16\nv_mul_f32 v18, v9, v10\nv_max_f32 v19, v17, v18"},
	{"VALU f32 division", "v_rcp_f32 v16, v8\nv_div_scale_f32 v17, vcc, v9, v9, v8\nv_div_fmas_f32 v18, v16, v17, v9\nv_div_fixup_f32 v19, v18, v9, v8"},
	{"VALU f32 exp, sqrt", "v_exp_f32 v16, v8\nv_sqrt_f32 v17, v9\nv_rsq_f32 v18, v10\nv_ldexp_f32 v19, v11, 3"},
	{"VALU f64", "v_fma_f64 v[16:17], v[8:9], v[10:11], v[12:13]\nv_add_f64 v[18:19], v[8:9], v[10:11]\nv_mul_f64 v[20:21], v[8:9], v[12:13]"},
	{"VALU f16", "v_fma_f16 v16, v8, v9, v10\nv_add_f16 v17, v8, v9\nv_cvt_f32_f16 v18, v8"},
	{"VALU packed f16", "v_pk_fma_f16 v16, v8, v9, v10\nv_pk_add_f16 v17, v8, v9"},
	{"VALU mixed f16", "v_fma_mix_f32 v16, v8, v9, v10 op_sel_hi:[1,1,0]\nv_fma_mix_f32 v17, v8, v9, v10 op_sel:[1,1,0] op_sel_hi:[1,1,0]\nv_dot2_f32_f16 v18, v8, v9, v10"},
	{"SALU", "s_add_u32 s20, s21, s22\ns_addc_u32 s23, s24, s25\ns_and_b64 s[26:27], s[28:29], exec\ns_lshl_b32 s30, s31, 2"},
	{"branches", "s_cbranch_scc1 0\ns_branch 0\ns_cbranch_vccnz 0\ns_cbranch_execz 0"},
	{"SMEM", "s_load_dwordx2 s[20:21], s[8:9], 0x0\ns_load_dwordx4 s[24:27], s[8:9], 0x10"},
	{"VMEM load", "global_load_dword v16, v[2:3], off\nglobal_load_dword v17, v1, s[8:9]\nglobal_load_dwordx4 v[20:23], v0, s[8:9]"},
	{"VMEM store", "global_store_dword v[2:3], v8, off\nglobal_store_dword v1, v9, s[8:9]"},
	{"scratch", "buffer_store_dword v8, off, s[0:3], 0 offset:4\nbuffer_load_dword v16, off, s[0:3], 0 offset:4"},
	{"LDS", "ds_write_b32 v1, v8\nds_read_b32 v16, v1\nds_read2_b32 v[18:19], v0 offset0:1 offset1:2"},
	{"LDS exchange", "ds_bpermute_b32 v16, v1, v8\nds_swizzle_b32 v17, v9 offset:swizzle(SWAP,1)\nv_mov_b32_dpp v18, v8 row_shr:1 row_mask:0xf bank_mask:0xf"},
	{"LDS atomics", "ds_add_u32 v1, v8\nds_max_rtn_u32 v16, v1, v9"},
	{"LDS atomics f32", "ds_add_f32 v1, v8\nds_add_rtn_f32 v16, v1, v9"},
	{"VMEM atomics, one address", "global_atomic_add v0, v8, s[8:9]\nglobal_atomic_umax v16, v0, v9, s[8:9] glc"},
	{"VMEM atomics", "global_atomic_add v[2:3], v8, off\nglobal_atomic_umax v16, v[2:3], v9, off glc"},
}

const classHeader = `
.amdgcn_target "amdgcn-amd-amdhsa--gfx906"
.text
.globl k
.p2align 8
.type k,@function
k:
  s_load_dwordx2 s[8:9], s[4:5], 0x0
  v_lshlrev_b32 v1, 2, v0
  v_and_b32 v4, 0x7fff, v0
  v_or_b32 v4, 0x3f803c00, v4
  s_waitcnt lgkmcnt(0)
  v_mov_b32 v3, s9
  v_add_co_u32 v2, vcc, s8, v1
  v_addc_co_u32 v3, vcc, 0, v3, vcc
  v_mov_b32 v8, v4
  v_add_u32 v9, 1, v4
  v_add_u32 v10, 2, v4
  v_add_u32 v11, 3, v4
  v_mov_b32 v12, v8
  v_mov_b32 v13, v9
  v_mov_b32 v0, 0
  s_movk_i32 s16, 200
.Lloop:
.rept 16
`

const classFooter = `
.endr
  s_sub_u32 s16, s16, 1
  s_cmp_lg_u32 s16, 0
  s_cbranch_scc1 .Lloop
  s_endpgm
.Lend:
.size k, .Lend-k
.rodata
.p2align 6
.amdhsa_kernel k
  .amdhsa_user_sgpr_private_segment_buffer 1
  .amdhsa_user_sgpr_kernarg_segment_ptr 1
  .amdhsa_system_sgpr_private_segment_wavefront_offset 1
  .amdhsa_private_segment_fixed_size 64
  .amdhsa_group_segment_fixed_size 4096
  .amdhsa_kernarg_size 8
  .amdhsa_float_denorm_mode_32 3
  .amdhsa_float_denorm_mode_16_64 3
  .amdhsa_next_free_vgpr 32
  .amdhsa_next_free_sgpr 40
.end_amdhsa_kernel
.amdgpu_metadata
---
amdhsa.version: [1, 2]
amdhsa.target: amdgcn-amd-amdhsa--gfx906
amdhsa.kernels:
  - .name: k
    .symbol: k.kd
    .args:
      - .offset: 0
        .size: 8
        .value_kind: global_buffer
        .address_space: global
    .kernarg_segment_size: 8
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 4096
    .private_segment_fixed_size: 64
    .wavefront_size: 64
    .sgpr_count: 40
    .vgpr_count: 32
    .max_flat_workgroup_size: 256
...
.end_amdgpu_metadata
`

// BenchmarkClasses times one class of instructions each.
func BenchmarkClasses(b *testing.B) {
	for _, c := range classes {
		b.Run(strings.ReplaceAll(c.name, " ", "-"), func(b *testing.B) {
			d := open(b, Options{})
			x, _ := buffer[float32](b, d, 4096)
			f := kernel(b, d, assemble(b, classHeader+c.body+classFooter), "k")
			timed(b, d, f, driver.Launch{Grid: d1(16), Block: d1(64), Params: arguments(b, x)})
		})
	}
}
