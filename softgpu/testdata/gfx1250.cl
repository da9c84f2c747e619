// Matrix instructions and addresses of gfx1250.
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
typedef unsigned int uint;
typedef unsigned char uchar;
typedef half half16 __attribute__((ext_vector_type(16)));
typedef float float2_ __attribute__((ext_vector_type(2)));
typedef float float8_ __attribute__((ext_vector_type(8)));
typedef int int8_ __attribute__((ext_vector_type(8)));

#define LANE __builtin_amdgcn_workitem_id_x()

// a is 16x32 and b 32x16, by rows; c is 16x16.
kernel void multiply_halves(global half *a, global half *b, global float *c) {
  uint l = LANE, i = l % 16, h = l / 16;
  half16 x, y;
  float8_ z;
  for (int n = 0; n < 16; n++) {
    int k = n / 8 * 16 + h * 8 + n % 8;
    x[n] = a[i * 32 + k];
    y[n] = b[k * 16 + i];
  }
  for (int n = 0; n < 8; n++) z[n] = c[(h * 8 + n) * 16 + i];
  z = __builtin_amdgcn_wmma_f32_16x16x32_f16(false, x, false, y, 0, z, false, false);
  for (int n = 0; n < 8; n++) c[(h * 8 + n) * 16 + i] = z[n];
}

// a is 16x4 and b 4x16.
kernel void multiply_singles(global float *a, global float *b, global float *c) {
  uint l = LANE, i = l % 16, h = l / 16;
  float2_ x, y;
  float8_ z;
  for (int n = 0; n < 2; n++) {
    x[n] = a[i * 4 + h * 2 + n];
    y[n] = b[(h * 2 + n) * 16 + i];
  }
  for (int n = 0; n < 8; n++) z[n] = c[(h * 8 + n) * 16 + i];
  z = __builtin_amdgcn_wmma_f32_16x16x4_f32(false, x, false, y, 0, z, false, false);
  for (int n = 0; n < 8; n++) c[(h * 8 + n) * 16 + i] = z[n];
}

// a is 16x64, signed, and b 64x16, unsigned.
kernel void multiply_bytes(global uchar *a, global uchar *b, global int *c) {
  uint l = LANE, i = l % 16, h = l / 16;
  int8_ x, y, z;
  for (int w = 0; w < 8; w++) {
    uint p = 0, q = 0;
    for (int n = 0; n < 4; n++) {
      int e = w * 4 + n, k = e / 16 * 32 + h * 16 + e % 16;
      p |= (uint)a[i * 64 + k] << 8 * n;
      q |= (uint)b[k * 16 + i] << 8 * n;
    }
    x[w] = p;
    y[w] = q;
  }
  for (int n = 0; n < 8; n++) z[n] = c[(h * 8 + n) * 16 + i];
  z = __builtin_amdgcn_wmma_i32_16x16x64_iu8(true, x, false, y, z, false, false);
  for (int n = 0; n < 8; n++) c[(h * 8 + n) * 16 + i] = z[n];
}

// Offsets beside a pointer are signed.
kernel void before(global int *p, global int *at) {
  int i = __builtin_amdgcn_workitem_id_x();
  p[100 + i] = (p + 100)[at[i]];
}

// Eight numbers of 4 bits of each lane, with scales from the upper half of the wave: bytes 2 and 3.
kernel void scaled(global const uint *numbers, global const uint *scales, global float8_ *out) {
  uint l = __builtin_amdgcn_workitem_id_x();
  out[l] = __builtin_amdgcn_cvt_scale_pk8_f32_fp4(numbers[l], scales[l], 6);
}

// A is 32x128 and B 128x16, of 4 bits: eight of a row of A, or of a column of B, are in a word.
typedef int int16_ __attribute__((ext_vector_type(16)));
typedef float float16_ __attribute__((ext_vector_type(16)));
kernel void tall(global const uint *a, global const uint *b, global float *c) {
  uint l = __builtin_amdgcn_workitem_id_x(), i = l % 16, h = l / 16;
  int16_ x;
  int8_ y;
  float16_ z = 0;
  for (int w = 0; w < 8; w++) {
    int k = w / 4 * 8 + h * 4 + w % 4;
    x[w] = a[i * 16 + k];
    x[8 + w] = a[(16 + i) * 16 + k];
    y[w] = b[i * 16 + k];
  }
  z = __builtin_amdgcn_wmma_f32_32x16x128_f4(x, y, (short)0, z);
  for (int n = 0; n < 16; n++) c[(n / 8 * 16 + h * 8 + n % 8) * 16 + i] = z[n];
}
