// Kernels for GPUs of RDNA: matrices as AMD's examples for these chips lay them out, and instructions of GFX12.
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
typedef unsigned int uint;
typedef half half4_ __attribute__((ext_vector_type(4)));
typedef half half8_ __attribute__((ext_vector_type(8)));
typedef half half16_ __attribute__((ext_vector_type(16)));
typedef int int2_ __attribute__((ext_vector_type(2)));
typedef int int4_ __attribute__((ext_vector_type(4)));
typedef int int8_ __attribute__((ext_vector_type(8)));
typedef float float4_ __attribute__((ext_vector_type(4)));
typedef float float8_ __attribute__((ext_vector_type(8)));
#define ITEM __builtin_amdgcn_workitem_id_x()

#ifdef __GFX11__
#define COUNT 16
#define FIRST 0
typedef half16_ halves;
typedef int4_ bytes;
#ifdef WAVE64
#define ROW(r, group) (4 * (r) + (group))
#define WMMA __builtin_amdgcn_wmma_f32_16x16x16_f16_w64
#define WMMA8 __builtin_amdgcn_wmma_i32_16x16x16_iu8_w64
#else
#define ROW(r, group) (2 * (r) + (group))
#define WMMA __builtin_amdgcn_wmma_f32_16x16x16_f16_w32
#define WMMA8 __builtin_amdgcn_wmma_i32_16x16x16_iu8_w32
#endif
#elif defined(WAVE64)
#define COUNT 4
#define FIRST (4 * (i / 16))
#define ROW(r, group) ((group) % 2 * 8 + (group) / 2 * 4 + (r))
#define WMMA __builtin_amdgcn_wmma_f32_16x16x16_f16_w64_gfx12
#define WMMA8 __builtin_amdgcn_wmma_i32_16x16x16_iu8_w64_gfx12
typedef half4_ halves;
typedef int bytes;
#else
#define COUNT 8
#define FIRST (8 * (i / 16))
#define ROW(r, group) ((group) * 8 + (r))
#define WMMA __builtin_amdgcn_wmma_f32_16x16x16_f16_w32_gfx12
#define WMMA8 __builtin_amdgcn_wmma_i32_16x16x16_iu8_w32_gfx12
typedef half8_ halves;
typedef int2_ bytes;
#endif
#ifdef WAVE64
#define RESULTS 4
typedef float4_ floats;
typedef int4_ ints;
#else
#define RESULTS 8
typedef float8_ floats;
typedef int8_ ints;
#endif

// c = a*b + c: matrices of 16 rows, one row after the other.
kernel void multiply(global const half *a, global const half *b, global float *c) {
  uint i = ITEM, line = i % 16;
  halves x, y;
  floats z;
  for (uint n = 0; n < COUNT; n++) {
    x[n] = a[line * 16 + FIRST + n];
    y[n] = b[(FIRST + n) * 16 + line];
  }
  for (uint r = 0; r < RESULTS; r++)
    z[r] = c[ROW(r, i / 16) * 16 + line];
  z = WMMA(x, y, z);
  for (uint r = 0; r < RESULTS; r++)
    c[ROW(r, i / 16) * 16 + line] = z[r];
}

// The same of bytes, those of a with signs.
kernel void multiply_bytes(global const char *a, global const uchar *b, global int *c) {
  uint i = ITEM, line = i % 16;
  union { bytes v; uchar each[COUNT]; } x, y;
  ints z;
  for (uint n = 0; n < COUNT; n++) {
    x.each[n] = a[line * 16 + FIRST + n];
    y.each[n] = b[(FIRST + n) * 16 + line];
  }
  for (uint r = 0; r < RESULTS; r++)
    z[r] = c[ROW(r, i / 16) * 16 + line];
  z = WMMA8(1, x.v, 0, y.v, z, 0);
  for (uint r = 0; r < RESULTS; r++)
    c[ROW(r, i / 16) * 16 + line] = z[r];
}

#ifdef __GFX12__
// Waves arrive at the barrier, go on, and wait later. in[0] counts those that were the first.
kernel void arrive(global uint *in, global uint *out) {
  local uint room[256];
  uint i = ITEM, first;
  room[i] = i * 3;
  __asm__ volatile("s_wait_dscnt 0x0\ns_barrier_signal_isfirst -1\ns_cselect_b32 %0, 1, 0\n" : "=s"(first) : : "memory", "scc");
  uint between = i * 7;
  __asm__ volatile("s_barrier_wait -1\n" : : : "memory");
  out[i] = room[255 - i] + between;
  if (i % 32 == 0 && first)
    __opencl_atomic_fetch_add((global atomic_uint *)in, 1u, memory_order_relaxed, memory_scope_device);
}

// Scalar functions and loads of less than a word, and lanes that a lane names.
kernel void scalars(global uint *in, global uint *out) {
  uint i = ITEM, r, q, b, s, lane;
  ulong from = (uint)__builtin_amdgcn_readfirstlane((uint)(ulong)in) | (ulong)__builtin_amdgcn_readfirstlane((uint)((ulong)in >> 32)) << 32;
  __asm__ volatile("v_s_rcp_f32 %0, 4.0\nv_s_sqrt_f32 %1, |-4.0|\n" : "=s"(r), "=s"(q));
  __asm__ volatile("s_load_u8 %0, %2, 0x1\ns_load_i16 %1, %2, 0x2\ns_wait_kmcnt 0x0\n"
                   : "=&s"(b), "=&s"(s) : "s"(from));
  __asm__ volatile("v_permlane16_var_b32 %0, %1, %2\n" : "=v"(lane) : "v"(i), "v"(15 - i % 16));
  out[i] = i < 4 ? (i == 0 ? r : i == 1 ? q : i == 2 ? b : s) : lane;
}
#endif
