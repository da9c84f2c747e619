// Arithmetic of whole numbers and bits.

kernel void bit_counts(global const uint *in, global uint4 *out) {
  uint i = get_global_id(0), x = in[i];
  out[i] = (uint4)(popcount(x), clz(x), popcount(~x & (x - 1)), 0);
  uint r = 0;
  for (int b = 0; b < 32; b++)
    r |= (x >> b & 1) << (31 - b);
  out[i].w = r;
}

kernel void morton(global const ushort2 *in, global uint *out, global ushort2 *back) {
  uint i = get_global_id(0), code = 0;
  ushort2 p = in[i];
  for (int b = 0; b < 16; b++)
    code |= (p.x >> b & 1) << 2 * b | (p.y >> b & 1) << (2 * b + 1);
  out[i] = code;
  uint2 q = (uint2)(code, code >> 1) & 0x55555555;
  q = (q | q >> 1) & 0x33333333;
  q = (q | q >> 2) & 0x0f0f0f0f;
  q = (q | q >> 4) & 0x00ff00ff;
  q = (q | q >> 8) & 0xffff;
  back[i] = convert_ushort2(q);
}

kernel void gray_code(global const uchar *in, global uchar *out) {
  uint i = get_global_id(0);
  uchar x = in[i], g = x ^ x >> 1, y = g;
  y ^= y >> 4;
  y ^= y >> 2;
  y ^= y >> 1;
  out[2 * i] = g;
  out[2 * i + 1] = y;
}

kernel void divide_all(global const long *a, global const long *b, global long *out) {
  uint i = get_global_id(0);
  long x = a[i], y = b[i];
  ulong ux = x, uy = y;
  out += 8 * i;
  out[0] = x / y;
  out[1] = x % y;
  out[2] = ux / uy;
  out[3] = ux % uy;
  out[4] = (int)x / ((int)y | 1);
  out[5] = (uint)x % ((uint)y | 1);
  out[6] = (short)x / ((short)y | 1);
  out[7] = (uchar)x % ((uchar)y | 1);
}

// Products of two words of 64 bits, all 128 of them.
kernel void multiply_wide(global const ulong *a, global const ulong *b, global ulong2 *out, global long *high) {
  uint i = get_global_id(0);
  out[i] = (ulong2)(a[i] * b[i], mul_hi(a[i], b[i]));
  high[i] = mul_hi((long)a[i], (long)b[i]);
}

kernel void saturate(global const short *a, global const short *b, global short *out) {
  uint i = get_global_id(0);
  out += 6 * i;
  out[0] = add_sat(a[i], b[i]);
  out[1] = sub_sat(a[i], b[i]);
  out[2] = add_sat((ushort)a[i], (ushort)b[i]);
  out[3] = sub_sat((char)a[i], (char)b[i]);
  out[4] = hadd(a[i], b[i]);
  out[5] = abs_diff(a[i], b[i]);
}

kernel void greatest_divisor(global const uint *a, global const uint *b, global uint *out) {
  uint x = a[get_global_id(0)], y = b[get_global_id(0)];
  while (y) {
    uint t = x % y;
    x = y;
    y = t;
  }
  out[get_global_id(0)] = x;
}

kernel void primes(global uchar *out) {
  uint n = get_global_id(0), d = 2;
  for (; d * d <= n; d++)
    if (n % d == 0)
      break;
  out[n] = n > 1 && d * d > n;
}

kernel void modular_power(global const ulong *base, global const uint *exponent, ulong modulus, global ulong *out) {
  uint i = get_global_id(0), e = exponent[i];
  ulong b = base[i] % modulus, r = 1;
  for (; e; e >>= 1) {
    if (e & 1)
      r = r * b % modulus;
    b = b * b % modulus;
  }
  out[i] = r;
}

kernel void shifts(global const ulong *in, global const uchar *by, global ulong *out) {
  uint i = get_global_id(0), n = by[i];
  ulong x = in[i];
  out += 5 * i;
  out[0] = x << (n & 63);
  out[1] = x >> (n & 63);
  out[2] = (long)x >> (n & 63);
  out[3] = rotate(x, (ulong)n);
  out[4] = (uint)x << (n & 31) | (ulong)((int)x >> (n & 31)) << 32;
}

// Random numbers in several ways.
kernel void generators(global ulong *state) {
  uint i = get_global_id(0);
  ulong x = state[i];
  uint w = x | 1;
  for (int k = 0; k < 20; k++) {
    x ^= x << 13;
    x ^= x >> 7;
    x ^= x << 17;
    w = 1664525 * w + 1013904223;
    x += mad_hi(w, (uint)x, (uint)k) ^ mad24((int)(w & 0xfff), (int)(x & 0xfff), k) ^ mul24((int)(x >> 40 & 0xfff), -5);
  }
  state[i] = x;
}
