// Vector types and structs.

kernel void swizzles(global const float4 *in, global float4 *out) {
  uint i = get_global_id(0);
  float4 v = in[i];
  v.xz = v.zx;
  v.s3 += v.lo.y;
  float8 w = (float8)(v, v.wzyx);
  w.even = w.odd * 2;
  out[i] = w.hi - w.s0246;
}

kernel void permuted_bytes(global const uchar16 *in, global const uchar16 *mask, global uchar16 *out) {
  uint i = get_global_id(0);
  out[i] = shuffle(in[i], mask[i] & (uchar16)15);
}

kernel void triples(global const int *in, global int *out) {
  uint i = get_global_id(0);
  int3 v = vload3(i, in), w = v.zxy * (int3)(1, -2, 3);
  vstore3(select(v, w, v > w), i, out);
}

kernel void vector_tests(global const int4 *a, global const int4 *b, global int *out) {
  uint i = get_global_id(0);
  out[i] = any(a[i] > b[i]) | all(a[i] < b[i]) << 1;
}

kernel void dots(global const float4 *a, global const float4 *b, global float *out, global float4 *c) {
  uint i = get_global_id(0);
  float4 x = a[i], y = b[i];
  out[i] = x.x * y.x + x.y * y.y + x.z * y.z + x.w * y.w;
  c[i] = cross(x, y);
}

typedef struct {
  char tag;
  int4 v;
  double d[3];
  struct { short a, b; } inner[2];
} big;

kernel void struct_by_value(big s, uint n, big t, global long *to) {
  uint i = get_global_id(0);
  if (i < n)
    to[i] = s.tag * 1000 + s.v.z * t.v.y + (long)(s.d[i % 3] + t.d[2 - i % 3]) + s.inner[i & 1].b - t.inner[1].a;
}

typedef struct { uchar r, g, b; } pixel;

kernel void pixels(global const pixel *in, global pixel *out) {
  uint i = get_global_id(0);
  pixel p = in[i];
  uchar y = (p.r * 77 + p.g * 150 + p.b * 29) >> 8;
  pixel q = {y, max(p.r, p.g), (uchar)(255 - p.b)};
  out[i] = q;
}

typedef struct __attribute__((packed)) { char c; int i; short s; long l; } uneven;

kernel void packed_structs(global const uneven *in, global uneven *out) {
  uint i = get_global_id(0);
  uneven u = in[i];
  u.i += u.c;
  u.s ^= u.i;
  u.l = u.l * u.s - 1;
  out[i] = u;
}

typedef union { float f; uint u; uchar b[4]; } word;

kernel void unions(global const float *in, global uint *out) {
  word w;
  w.f = in[get_global_id(0)];
  uchar t = w.b[0];
  w.b[0] = w.b[3];
  w.b[3] = t;
  out[get_global_id(0)] = w.u;
}

kernel void matrices(global const float *a, global const float *b, global float *c) {
  float m[4][4], r[4][4];
  uint at = get_global_id(0) * 16;
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 4; j++)
      m[i][j] = a[at + 4 * i + j];
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 4; j++) {
      r[i][j] = 0;
      for (int k = 0; k < 4; k++)
        r[i][j] += m[i][k] * b[at + 4 * k + j];
    }
  for (int i = 0; i < 4; i++)
    vstore4((float4)(r[i][0], r[i][1], r[i][2], r[i][3]), i, c + at);
}
