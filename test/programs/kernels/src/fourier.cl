// Fourier transforms.

// 256 points in workgroup memory, by halves; w holds cos and sin of 2 pi k / 256.
kernel void fft(global float2 *data, global const float2 *w) {
  local float2 s[256];
  uint i = get_local_id(0);
  for (uint k = i; k < 256; k += 128) {
    uint r = 0;
    for (uint b = 0; b < 8; b++)
      r |= (k >> b & 1) << (7 - b);
    s[r] = data[k];
  }
  for (uint half_size = 1; half_size < 256; half_size <<= 1) {
    barrier(CLK_LOCAL_MEM_FENCE);
    uint k = i & (half_size - 1), a = 2 * (i - k) + k, b = a + half_size;
    float2 t = w[k * (128 / half_size)], x = s[a], y = s[b];
    float2 m = (float2)(y.x * t.x + y.y * t.y, y.y * t.x - y.x * t.y);
    s[a] = x + m;
    s[b] = x - m;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  data[i] = s[i];
  data[i + 128] = s[i + 128];
}

// The same over the whole numbers modulo 2^64 - 2^32 + 1.
#define P 0xffffffff00000001UL

static ulong multiply(ulong a, ulong b) {
  ulong lo = a * b, hi = mul_hi(a, b);
  ulong top = hi >> 32, mid = hi & 0xffffffff;
  ulong t = lo - top;
  if (lo < top)
    t -= 0xffffffff;
  ulong m = mid * 0xffffffff, r = t + m;
  if (r < t)
    r += 0xffffffff;
  return r >= P ? r - P : r;
}

static ulong add(ulong a, ulong b) {
  ulong r = a + b;
  return r < a || r >= P ? r - P : r;
}

static ulong subtract(ulong a, ulong b) { return a >= b ? a - b : a - b + P; }

static ulong power(ulong x, ulong n) {
  ulong r = 1;
  for (; n; n >>= 1, x = multiply(x, x))
    if (n & 1)
      r = multiply(r, x);
  return r;
}

kernel void number_transform(global ulong *data) {
  local ulong s[64];
  uint i = get_local_id(0);
  for (uint k = i; k < 64; k += 32)
    s[(k & 1) << 5 | (k & 2) << 3 | (k & 4) << 1 | (k & 8) >> 1 | (k & 16) >> 3 | (k & 32) >> 5] = data[k];
  for (uint h = 1; h < 64; h <<= 1) {
    barrier(CLK_LOCAL_MEM_FENCE);
    uint k = i & (h - 1), a = 2 * (i - k) + k;
    ulong w = power(power(7, (P - 1) / (2 * h)), k);
    ulong x = s[a], y = multiply(s[a + h], w);
    s[a] = add(x, y);
    s[a + h] = subtract(x, y);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  data[i] = s[i];
  data[i + 32] = s[i + 32];
}
