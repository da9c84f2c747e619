; Two kernels of an image that may be large: SPACE bytes of data.

  .amdgcn_target "amdgcn-amd-amdhsa--gfx906"
  .amdhsa_code_object_version VERSION

  .text
  .globl late
  .p2align 8
  .type late,@function
late: ; (unsigned *out): out[0] = 7 after much code, and the address of seven in out[2], out[3]
  s_load_dwordx2 s[0:1], s[0:1], 0x0
  .rept WORDS
  s_nop 0
  .endr
  s_getpc_b64 s[2:3]
  s_add_u32 s2, s2, seven@rel32@lo+4
  s_addc_u32 s3, s3, seven@rel32@hi+12
  v_mov_b32_e32 v0, 0
  v_mov_b32_e32 v1, 7
  v_mov_b32_e32 v2, s2
  v_mov_b32_e32 v3, s3
  s_waitcnt lgkmcnt(0)
  global_store_dword v0, v1, s[0:1]
  global_store_dwordx2 v0, v[2:3], s[0:1] offset:8
  s_endpgm

  .hidden seven
  .globl seven
  .type seven,@function
seven: ; returns 7 in v1
  v_mov_b32_e32 v1, 7
  s_setpc_b64 s[30:31]

  .globl calls
  .p2align 8
  .type calls,@function
calls: ; (unsigned *out): calls the function at out[2], out[3], and puts what it returns into out[1]
  s_load_dwordx2 s[0:1], s[0:1], 0x0
  s_waitcnt lgkmcnt(0)
  s_load_dwordx2 s[2:3], s[0:1], 0x8
  v_mov_b32_e32 v0, 0
  s_waitcnt lgkmcnt(0)
  s_swappc_b64 s[30:31], s[2:3]
  global_store_dword v0, v1, s[0:1] offset:4
  s_endpgm

  .rodata
  .space SPACE, 1

  .macro kernel name
  .p2align 6
  .amdhsa_kernel \name
    .amdhsa_user_sgpr_kernarg_segment_ptr 1
    .amdhsa_next_free_vgpr 8
    .amdhsa_next_free_sgpr 32
  .end_amdhsa_kernel
  .endm
  kernel late
  kernel calls

  .amdgpu_metadata
amdhsa.version: [1, 1]
amdhsa.kernels:
  - .name: late
    .symbol: late.kd
    .kernarg_segment_size: 8
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 38
    .vgpr_count: 8
    .max_flat_workgroup_size: 64
    .args:
      - {.size: 8, .offset: 0, .value_kind: global_buffer, .address_space: global}
  - .name: calls
    .symbol: calls.kd
    .kernarg_segment_size: 8
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 38
    .vgpr_count: 8
    .max_flat_workgroup_size: 64
    .args:
      - {.size: 8, .offset: 0, .value_kind: global_buffer, .address_space: global}
  .end_amdgpu_metadata
