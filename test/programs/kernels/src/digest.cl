// Hashes and ciphers.

constant uint sha_k[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be,
    0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa,
    0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85,
    0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3,
    0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f,
    0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

#define ROR(x, n) rotate(x, (uint)(32 - (n)))

// SHA-256 of 32 bytes per work-item.
kernel void sha256(global const uchar *in, global uchar *out) {
  uint w[64], s[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19}, v[8];
  in += get_global_id(0) * 32;
  out += get_global_id(0) * 32;
  for (int i = 0; i < 8; i++)
    w[i] = (uint)in[4 * i] << 24 | in[4 * i + 1] << 16 | in[4 * i + 2] << 8 | in[4 * i + 3];
  w[8] = 0x80000000;
  for (int i = 9; i < 15; i++)
    w[i] = 0;
  w[15] = 256;
  for (int i = 16; i < 64; i++) {
    uint a = w[i - 15], b = w[i - 2];
    w[i] = w[i - 16] + (ROR(a, 7) ^ ROR(a, 18) ^ a >> 3) + w[i - 7] + (ROR(b, 17) ^ ROR(b, 19) ^ b >> 10);
  }
  for (int i = 0; i < 8; i++)
    v[i] = s[i];
  for (int i = 0; i < 64; i++) {
    uint t = v[7] + (ROR(v[4], 6) ^ ROR(v[4], 11) ^ ROR(v[4], 25)) + bitselect(v[6], v[5], v[4]) + sha_k[i] + w[i];
    uint u = (ROR(v[0], 2) ^ ROR(v[0], 13) ^ ROR(v[0], 22)) + ((v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]));
    for (int k = 7; k > 0; k--)
      v[k] = v[k - 1];
    v[4] += t;
    v[0] = t + u;
  }
  for (int i = 0; i < 8; i++) {
    s[i] += v[i];
    for (int k = 0; k < 4; k++)
      out[4 * i + k] = s[i] >> (24 - 8 * k);
  }
}

constant uchar md_r[16] = {7, 12, 17, 22, 5, 9, 14, 20, 4, 11, 16, 23, 6, 10, 15, 21};

// MD5 of 16 bytes per work-item; its constants are sines.
kernel void md5(global const uint *in, global uint *out) {
  uint m[16] = {0}, a = 0x67452301, b = 0xefcdab89, c = 0x98badcfe, d = 0x10325476, a0 = a, b0 = b, c0 = c, d0 = d;
  for (int i = 0; i < 4; i++)
    m[i] = in[get_global_id(0) * 4 + i];
  m[4] = 0x80;
  m[14] = 128;
  for (uint i = 0; i < 64; i++) {
    uint f, g;
    switch (i >> 4) {
    case 0: f = (b & c) | (~b & d); g = i; break;
    case 1: f = (d & b) | (~d & c); g = (5 * i + 1) & 15; break;
    case 2: f = b ^ c ^ d; g = (3 * i + 5) & 15; break;
    default: f = c ^ (b | ~d); g = (7 * i) & 15;
    }
    f += a + (uint)floor(fabs(sin((double)(i + 1))) * 4294967296.0) + m[g];
    a = d;
    d = c;
    c = b;
    b += rotate(f, (uint)md_r[(i >> 4) * 4 + (i & 3)]);
  }
  vstore4((uint4)(a0 + a, b0 + b, c0 + c, d0 + d), get_global_id(0), out);
}

// CRC-32 with a table that the workgroup makes.
kernel void crc32(global const uchar *in, global uint *out, uint n) {
  local uint table[256];
  for (uint i = get_local_id(0); i < 256; i += get_local_size(0)) {
    uint c = i;
    for (int k = 0; k < 8; k++)
      c = c & 1 ? 0xedb88320 ^ c >> 1 : c >> 1;
    table[i] = c;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  uint c = ~0u;
  for (uint i = 0; i < n; i++)
    c = table[(c ^ in[get_global_id(0) * n + i]) & 255] ^ c >> 8;
  out[get_global_id(0)] = ~c;
}

constant uchar sbox[256] = {
    0x63, 0x7c, 0x77, 0x7b, 0xf2, 0x6b, 0x6f, 0xc5, 0x30, 0x01, 0x67, 0x2b, 0xfe, 0xd7, 0xab, 0x76, 0xca, 0x82, 0xc9, 0x7d, 0xfa, 0x59,
    0x47, 0xf0, 0xad, 0xd4, 0xa2, 0xaf, 0x9c, 0xa4, 0x72, 0xc0, 0xb7, 0xfd, 0x93, 0x26, 0x36, 0x3f, 0xf7, 0xcc, 0x34, 0xa5, 0xe5, 0xf1,
    0x71, 0xd8, 0x31, 0x15, 0x04, 0xc7, 0x23, 0xc3, 0x18, 0x96, 0x05, 0x9a, 0x07, 0x12, 0x80, 0xe2, 0xeb, 0x27, 0xb2, 0x75, 0x09, 0x83,
    0x2c, 0x1a, 0x1b, 0x6e, 0x5a, 0xa0, 0x52, 0x3b, 0xd6, 0xb3, 0x29, 0xe3, 0x2f, 0x84, 0x53, 0xd1, 0x00, 0xed, 0x20, 0xfc, 0xb1, 0x5b,
    0x6a, 0xcb, 0xbe, 0x39, 0x4a, 0x4c, 0x58, 0xcf, 0xd0, 0xef, 0xaa, 0xfb, 0x43, 0x4d, 0x33, 0x85, 0x45, 0xf9, 0x02, 0x7f, 0x50, 0x3c,
    0x9f, 0xa8, 0x51, 0xa3, 0x40, 0x8f, 0x92, 0x9d, 0x38, 0xf5, 0xbc, 0xb6, 0xda, 0x21, 0x10, 0xff, 0xf3, 0xd2, 0xcd, 0x0c, 0x13, 0xec,
    0x5f, 0x97, 0x44, 0x17, 0xc4, 0xa7, 0x7e, 0x3d, 0x64, 0x5d, 0x19, 0x73, 0x60, 0x81, 0x4f, 0xdc, 0x22, 0x2a, 0x90, 0x88, 0x46, 0xee,
    0xb8, 0x14, 0xde, 0x5e, 0x0b, 0xdb, 0xe0, 0x32, 0x3a, 0x0a, 0x49, 0x06, 0x24, 0x5c, 0xc2, 0xd3, 0xac, 0x62, 0x91, 0x95, 0xe4, 0x79,
    0xe7, 0xc8, 0x37, 0x6d, 0x8d, 0xd5, 0x4e, 0xa9, 0x6c, 0x56, 0xf4, 0xea, 0x65, 0x7a, 0xae, 0x08, 0xba, 0x78, 0x25, 0x2e, 0x1c, 0xa6,
    0xb4, 0xc6, 0xe8, 0xdd, 0x74, 0x1f, 0x4b, 0xbd, 0x8b, 0x8a, 0x70, 0x3e, 0xb5, 0x66, 0x48, 0x03, 0xf6, 0x0e, 0x61, 0x35, 0x57, 0xb9,
    0x86, 0xc1, 0x1d, 0x9e, 0xe1, 0xf8, 0x98, 0x11, 0x69, 0xd9, 0x8e, 0x94, 0x9b, 0x1e, 0x87, 0xe9, 0xce, 0x55, 0x28, 0xdf, 0x8c, 0xa1,
    0x89, 0x0d, 0xbf, 0xe6, 0x42, 0x68, 0x41, 0x99, 0x2d, 0x0f, 0xb0, 0x54, 0xbb, 0x16};

static uchar twice(uchar x) { return x << 1 ^ (x >> 7) * 0x1b; }

// AES-128 of a block per work-item, the key's schedule computed by each.
kernel void aes128(global const uchar *in, constant uchar *key, global uchar *out) {
  uchar s[16], k[16], t[16], rcon = 1;
  for (int i = 0; i < 16; i++) {
    k[i] = key[i];
    s[i] = in[get_global_id(0) * 16 + i] ^ k[i];
  }
  for (int round = 1; round <= 10; round++) {
    for (int i = 0; i < 16; i++)
      t[i] = sbox[s[(i * 5) & 15]];
    if (round < 10)
      for (int c = 0; c < 16; c += 4) {
        uchar all = t[c] ^ t[c + 1] ^ t[c + 2] ^ t[c + 3];
        for (int r = 0; r < 4; r++)
          s[c + r] = t[c + r] ^ all ^ twice(t[c + r] ^ t[c + ((r + 1) & 3)]);
      }
    else
      for (int i = 0; i < 16; i++)
        s[i] = t[i];
    for (int i = 0; i < 4; i++)
      k[i] ^= sbox[k[12 + ((i + 1) & 3)]] ^ (i == 0 ? rcon : 0);
    for (int i = 4; i < 16; i++)
      k[i] ^= k[i - 4];
    rcon = twice(rcon);
    for (int i = 0; i < 16; i++)
      s[i] ^= k[i];
  }
  for (int i = 0; i < 16; i++)
    out[get_global_id(0) * 16 + i] = s[i];
}

// SipHash-2-4 of eight bytes.
kernel void siphash(global const ulong *in, global ulong *out, ulong k0, ulong k1) {
  ulong v0 = 0x736f6d6570736575 ^ k0, v1 = 0x646f72616e646f6d ^ k1, v2 = 0x6c7967656e657261 ^ k0, v3 = 0x7465646279746573 ^ k1;
#define ROUND                                                                                                                              \
  v0 += v1; v1 = rotate(v1, 13UL) ^ v0; v0 = rotate(v0, 32UL); v2 += v3; v3 = rotate(v3, 16UL) ^ v2;                                       \
  v0 += v3; v3 = rotate(v3, 21UL) ^ v0; v2 += v1; v1 = rotate(v1, 17UL) ^ v2; v2 = rotate(v2, 32UL);
  ulong m[2] = {in[get_global_id(0)], 8UL << 56};
  for (int i = 0; i < 2; i++) {
    v3 ^= m[i];
    ROUND ROUND
    v0 ^= m[i];
  }
  v2 ^= 0xff;
  ROUND ROUND ROUND ROUND
  out[get_global_id(0)] = v0 ^ v1 ^ v2 ^ v3;
}

// FNV-1a of strings of any length, which lie one after the other.
kernel void fnv(global const uchar *text, global const uint *start, global ulong *out) {
  ulong h = 0xcbf29ce484222325;
  for (uint i = start[get_global_id(0)]; i < start[get_global_id(0) + 1]; i++)
    h = (h ^ text[i]) * 0x100000001b3;
  out[get_global_id(0)] = h;
}
