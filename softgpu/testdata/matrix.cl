// One matrix instruction per kernel: D = A * B + C for BLOCKS pairs of matrices
// in row order, B transposed. Which entry a work-item holds follows the ISA
// manuals' layouts.
#pragma OPENCL EXTENSION cl_khr_fp16 : enable

#define ITEM(d) __builtin_amdgcn_workitem_id_##d()
#define GROUP(d) __builtin_amdgcn_workgroup_id_##d()

typedef unsigned int uint;
typedef float v4f __attribute__((ext_vector_type(4)));
typedef float v16f __attribute__((ext_vector_type(16)));
typedef float v32f __attribute__((ext_vector_type(32)));
typedef int v4i __attribute__((ext_vector_type(4)));
typedef int v16i __attribute__((ext_vector_type(16)));
typedef int v32i __attribute__((ext_vector_type(32)));
typedef half v4h __attribute__((ext_vector_type(4)));
typedef half v8h __attribute__((ext_vector_type(8)));
typedef short v2s __attribute__((ext_vector_type(2)));
typedef short v4s __attribute__((ext_vector_type(4)));
typedef float v2f __attribute__((ext_vector_type(2)));
typedef double v4d __attribute__((ext_vector_type(4)));

#define ROW_32 (reg % 16 / 4 * 8 + lane / 32 * 4 + reg % 4)
#define ROW_16 (lane / 16 * 4 + reg % 4)
#define ROW_4 reg
#define BLOCK_32 (reg / 16)
#define BLOCK_16 (reg / 4)
#define BLOCK_4 (lane / 4)
#define ROW_16d (reg * 4 + lane / 16)
#define BLOCK_16d 0
#define ROW_4d (lane / 16)
#define BLOCK_4d (lane / 4 % 4)

#define MATRIX(NAME, ELEM, OPERAND, OUT, RESULT, SHAPE, N, K, BLOCKS, CALL)                                                      \
  kernel void NAME(global const ELEM *ma, global const ELEM *mb, global const OUT *mc, global OUT *md) {                          \
    enum { lines = N * BLOCKS, inOne = lines * K / 64, regs = N * N * BLOCKS / 64 };                                              \
    uint lane = ITEM(x);                                                                                                          \
    union {                                                                                                                       \
      ELEM e[inOne];                                                                                                              \
      OPERAND v;                                                                                                                  \
    } ua, ub;                                                                                                                     \
    union {                                                                                                                       \
      OUT e[regs];                                                                                                                \
      RESULT v;                                                                                                                   \
    } uc;                                                                                                                         \
    uint at = lane % lines * K + lane / lines * inOne;                                                                            \
    for (uint n = 0; n < inOne; n++) {                                                                                            \
      ua.e[n] = ma[at + n];                                                                                                       \
      ub.e[n] = mb[at + n];                                                                                                       \
    }                                                                                                                             \
    for (uint reg = 0; reg < regs; reg++)                                                                                         \
      uc.e[reg] = mc[(BLOCK_##SHAPE * N + ROW_##SHAPE) * N + lane % N];                                                           \
    OPERAND a = ua.v, b = ub.v;                                                                                                   \
    RESULT c = uc.v;                                                                                                              \
    uc.v = CALL;                                                                                                                  \
    for (uint reg = 0; reg < regs; reg++)                                                                                         \
      md[(BLOCK_##SHAPE * N + ROW_##SHAPE) * N + lane % N] = uc.e[reg];                                                           \
  }

#define MFMA(TYPE) __builtin_amdgcn_mfma_##TYPE(a, b, c, 0, 0, 0)

MATRIX(f32_32x32x1, float, float, float, v32f, 32, 32, 1, 2, MFMA(f32_32x32x1f32))
MATRIX(f32_16x16x1, float, float, float, v16f, 16, 16, 1, 4, MFMA(f32_16x16x1f32))
MATRIX(f32_4x4x1, float, float, float, v4f, 4, 4, 1, 16, MFMA(f32_4x4x1f32))
MATRIX(f32_32x32x2, float, float, float, v16f, 32, 32, 2, 1, MFMA(f32_32x32x2f32))
MATRIX(f32_16x16x4, float, float, float, v4f, 16, 16, 4, 1, MFMA(f32_16x16x4f32))
MATRIX(f16_32x32x4, half, v4h, float, v32f, 32, 32, 4, 2, MFMA(f32_32x32x4f16))
MATRIX(f16_16x16x4, half, v4h, float, v16f, 16, 16, 4, 4, MFMA(f32_16x16x4f16))
MATRIX(f16_4x4x4, half, v4h, float, v4f, 4, 4, 4, 16, MFMA(f32_4x4x4f16))
MATRIX(f16_32x32x8, half, v4h, float, v16f, 32, 32, 8, 1, MFMA(f32_32x32x8f16))
MATRIX(f16_16x16x16, half, v4h, float, v4f, 16, 16, 16, 1, MFMA(f32_16x16x16f16))
MATRIX(i8_32x32x4, char, int, int, v32i, 32, 32, 4, 2, MFMA(i32_32x32x4i8))
MATRIX(i8_16x16x4, char, int, int, v16i, 16, 16, 4, 4, MFMA(i32_16x16x4i8))
MATRIX(i8_4x4x4, char, int, int, v4i, 4, 4, 4, 16, MFMA(i32_4x4x4i8))

#if !defined(__gfx942__) && !defined(__gfx950__)
MATRIX(i8_32x32x8, char, int, int, v16i, 32, 32, 8, 1, MFMA(i32_32x32x8i8))
MATRIX(i8_16x16x16, char, int, int, v4i, 16, 16, 16, 1, MFMA(i32_16x16x16i8))
MATRIX(bf16_32x32x2, short, v2s, float, v32f, 32, 32, 2, 2, MFMA(f32_32x32x2bf16))
MATRIX(bf16_16x16x2, short, v2s, float, v16f, 16, 16, 2, 4, MFMA(f32_16x16x2bf16))
MATRIX(bf16_4x4x2, short, v2s, float, v4f, 4, 4, 2, 16, MFMA(f32_4x4x2bf16))
MATRIX(bf16_32x32x4, short, v2s, float, v16f, 32, 32, 4, 1, MFMA(f32_32x32x4bf16))
MATRIX(bf16_16x16x8, short, v2s, float, v4f, 16, 16, 8, 1, MFMA(f32_16x16x8bf16))
#endif

#ifndef __gfx908__
MATRIX(bf16_32x32x4_1k, short, v4s, float, v32f, 32, 32, 4, 2, MFMA(f32_32x32x4bf16_1k))
MATRIX(bf16_16x16x4_1k, short, v4s, float, v16f, 16, 16, 4, 4, MFMA(f32_16x16x4bf16_1k))
MATRIX(bf16_4x4x4_1k, short, v4s, float, v4f, 4, 4, 4, 16, MFMA(f32_4x4x4bf16_1k))
MATRIX(bf16_32x32x8_1k, short, v4s, float, v16f, 32, 32, 8, 1, MFMA(f32_32x32x8bf16_1k))
MATRIX(bf16_16x16x16_1k, short, v4s, float, v4f, 16, 16, 16, 1, MFMA(f32_16x16x16bf16_1k))
MATRIX(f64_16x16x4, double, double, double, v4d, 16d, 16, 4, 1, MFMA(f64_16x16x4f64))
MATRIX(f64_4x4x4, double, double, double, double, 4d, 4, 4, 4, MFMA(f64_4x4x4f64))
#endif

#ifdef __gfx950__
typedef __bf16 v8b __attribute__((ext_vector_type(8)));
typedef int v8i __attribute__((ext_vector_type(8)));
MATRIX(f16_16x16x32, half, v8h, float, v4f, 16, 16, 32, 1, MFMA(f32_16x16x32_f16))
MATRIX(f16_32x32x16, half, v8h, float, v16f, 32, 32, 16, 1, MFMA(f32_32x32x16_f16))
MATRIX(bf16_16x16x32, short, v8b, float, v4f, 16, 16, 32, 1, MFMA(f32_16x16x32_bf16))
MATRIX(bf16_32x32x16, short, v8b, float, v16f, 32, 32, 16, 1, MFMA(f32_32x32x16_bf16))
MATRIX(i8_16x16x64, char, v4i, int, v4i, 16, 16, 64, 1, MFMA(i32_16x16x64_i8))
MATRIX(i8_32x32x32, char, v4i, int, v16i, 32, 32, 32, 1, MFMA(i32_32x32x32_i8))
// Twice A times half of B.
#define SCALED(SHAPE, A, B) __builtin_amdgcn_mfma_scale_f32_##SHAPE##_f8f6f4(a, b, c, A, B, 1, 0x00008000, 2, 0x007e0000)
MATRIX(fp8_16x16x128, char, v8i, float, v4f, 16, 16, 128, 1, SCALED(16x16x128, 0, 0))
MATRIX(fp8_32x32x64, char, v8i, float, v16f, 32, 32, 64, 1, SCALED(32x32x64, 0, 0))
MATRIX(bf8_16x16x128, char, v8i, float, v4f, 16, 16, 128, 1, SCALED(16x16x128, 1, 1))
MATRIX(bf8_32x32x64, char, v8i, float, v16f, 32, 32, 64, 1, SCALED(32x32x64, 1, 1))
#endif

#if defined(__gfx942__) || defined(__gfx950__)
#ifdef __gfx942__
MATRIX(xf32_16x16x8, float, v2f, float, v4f, 16, 16, 8, 1, MFMA(f32_16x16x8_xf32))
MATRIX(xf32_32x32x4, float, v2f, float, v16f, 32, 32, 4, 1, MFMA(f32_32x32x4_xf32))
#endif
MATRIX(i8_16x16x32, char, long, int, v4i, 16, 16, 32, 1, MFMA(i32_16x16x32_i8))
MATRIX(i8_32x32x16, char, long, int, v16i, 32, 32, 16, 1, MFMA(i32_32x32x16_i8))
MATRIX(fp8_16x16x32, char, long, float, v4f, 16, 16, 32, 1, MFMA(f32_16x16x32_fp8_fp8))
MATRIX(fp8_32x32x16, char, long, float, v16f, 32, 32, 16, 1, MFMA(f32_32x32x16_fp8_fp8))
MATRIX(bf8_16x16x32, char, long, float, v4f, 16, 16, 32, 1, MFMA(f32_16x16x32_bf8_bf8))
MATRIX(bf8_32x32x16, char, long, float, v16f, 32, 32, 16, 1, MFMA(f32_32x32x16_bf8_bf8))
// -A * B - C
MATRIX(negated_f64_16x16x4, double, double, double, v4d, 16d, 16, 4, 1, __builtin_amdgcn_mfma_f64_16x16x4f64(a, b, c, 0, 0, 5))

// The first two of each four entries of A's rows are all there is: k/2 columns are stored.
kernel void sparse_f16_16x16x32(global const half *ma, global const half *mb, global const uint *index, global float *md) {
  uint lane = ITEM(x);
  v4h a;
  v8h b;
  v4f c;
  for (uint n = 0; n < 4; n++)
    a[n] = ma[lane % 16 * 16 + lane / 16 * 4 + n];
  for (uint n = 0; n < 8; n++)
    b[n] = mb[lane % 16 * 32 + lane / 16 * 8 + n];
  for (uint reg = 0; reg < 4; reg++)
    c[reg] = md[ROW_16 * 16 + lane % 16];
  c = __builtin_amdgcn_smfmac_f32_16x16x32_f16(a, b, c, index[lane], 0, 1);
  for (uint reg = 0; reg < 4; reg++)
    md[ROW_16 * 16 + lane % 16] = c[reg];
}
#endif

// The second of two blocks of A is multiplied with both of B, the first half of
// whose lanes stands for the other as well.
MATRIX(broadcast_f32_32x32x1, float, float, float, v32f, 32, 32, 1, 2, __builtin_amdgcn_mfma_f32_32x32x1f32(a, b, c, 1, 1, 1))

// c = a * b, n by n, in halves that are summed as singles: each wave makes 32 by
// 32 entries, of which some are kept in accumulators or spilled.
kernel void matmul_f16(global const half *a, global const half *b, global float *c, uint n) {
  uint lane = ITEM(x), row = GROUP(y) * 32, column = GROUP(x) * 32;
  v16f sum = 0;
  for (uint k = 0; k < n; k += 8) {
    v4h x, y;
    for (uint e = 0; e < 4; e++) {
      x[e] = a[(row + lane % 32) * n + k + lane / 32 * 4 + e];
      y[e] = b[(k + lane / 32 * 4 + e) * n + column + lane % 32];
    }
    sum = __builtin_amdgcn_mfma_f32_32x32x8f16(x, y, sum, 0, 0, 0);
  }
  for (uint reg = 0; reg < 16; reg++)
    c[(row + ROW_32) * n + column + lane % 32] = sum[reg];
}
