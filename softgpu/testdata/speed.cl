// Kernels whose speed `make bench` measures.

#define ITEM(d) __builtin_amdgcn_workitem_id_##d()
#define GROUP(d) __builtin_amdgcn_workgroup_id_##d()
#define SIZE(d) __builtin_amdgcn_workgroup_size_##d()
#define BARRIER                                                                                                        \
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");                                                               \
  __builtin_amdgcn_s_barrier();                                                                                        \
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup")

typedef unsigned int uint;

// c = a * b, n by n: one element each.
kernel void naive(global const float *a, global const float *b, global float *c, uint n) {
  uint col = GROUP(x) * SIZE(x) + ITEM(x), row = GROUP(y) * SIZE(y) + ITEM(y);
  float sum = 0;
  for (uint k = 0; k < n; k++)
    sum += a[row * n + k] * b[k * n + col];
  c[row * n + col] = sum;
}

// The same in tiles of 16 by 16 through workgroup memory.
kernel void tiled(global const float *a, global const float *b, global float *c, uint n) {
  local float ta[16][16], tb[16][16];
  uint x = ITEM(x), y = ITEM(y), col = GROUP(x) * 16 + x, row = GROUP(y) * 16 + y;
  float sum = 0;
  for (uint k = 0; k < n; k += 16) {
    ta[y][x] = a[row * n + k + x];
    tb[y][x] = b[(k + y) * n + col];
    BARRIER;
    for (uint i = 0; i < 16; i++)
      sum += ta[y][i] * tb[i][x];
    BARRIER;
  }
  c[row * n + col] = sum;
}

static float fold(local float *part, uint i, float v, int sum) {
  part[i] = v;
  for (uint step = 128; step > 0; step >>= 1) {
    BARRIER;
    if (i < step)
      part[i] = sum ? part[i] + part[i + step] : __builtin_fmaxf(part[i], part[i + step]);
  }
  BARRIER;
  float r = part[0];
  BARRIER;
  return r;
}

// A row of n numbers to a workgroup of 256.
kernel void softmax(global const float *in, global float *out, uint n) {
  local float part[256];
  uint i = ITEM(x), row = GROUP(x) * n;
  float most = -__builtin_inff(), sum = 0;
  for (uint j = i; j < n; j += 256)
    most = __builtin_fmaxf(most, in[row + j]);
  most = fold(part, i, most, 0);
  for (uint j = i; j < n; j += 256)
    sum += out[row + j] = __builtin_amdgcn_exp2f((in[row + j] - most) * 1.44269504f);
  sum = fold(part, i, sum, 1);
  for (uint j = i; j < n; j += 256)
    out[row + j] *= 1 / sum;
}

// Five points of a plane n wide; its rim stays.
kernel void stencil(global const float *in, global float *out, uint n) {
  uint x = GROUP(x) * SIZE(x) + ITEM(x), y = GROUP(y) * SIZE(y) + ITEM(y), at = y * n + x;
  if (x > 0 && y > 0 && x < n - 1 && y < n - 1)
    out[at] = 0.2f * (in[at] + in[at - 1] + in[at + 1] + in[at - n] + in[at + n]);
}

// Sums 4096 numbers per workgroup of 256.
kernel void reduction(global const float *in, global float *out) {
  local float part[256];
  uint i = ITEM(x);
  float sum = 0;
  for (uint j = 0; j < 16; j++)
    sum += in[GROUP(x) * 4096 + j * 256 + i];
  sum = fold(part, i, sum, 1);
  if (i == 0)
    out[GROUP(x)] = sum;
}

// An element each.
kernel void add(global const float *a, global const float *b, global float *c) {
  uint i = GROUP(x) * SIZE(x) + ITEM(x);
  c[i] = a[i] + b[i];
}

// Sums up to each of 256 numbers, per workgroup of 256.
kernel void scan(global const float *in, global float *out) {
  local float part[256];
  uint i = ITEM(x), at = GROUP(x) * 256 + i;
  float sum = in[at];
  for (uint step = 1; step < 256; step <<= 1) {
    part[i] = sum;
    BARRIER;
    if (i >= step)
      sum += part[i - step];
    BARRIER;
  }
  out[at] = sum;
}
