// Copies of tensors, of gfx1250: a matrix product whose tiles are copied, rows that are gathered, and barriers in LDS.
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
typedef unsigned int uint;
typedef unsigned long ulong;
typedef int int4_ __attribute__((ext_vector_type(4)));
typedef int int8_ __attribute__((ext_vector_type(8)));

#define LANE __builtin_amdgcn_workitem_id_x()
#define BARRIER()                                          \
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup"); \
  __builtin_amdgcn_s_barrier();                           \
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup")

// The first group of a descriptor.
static int4_ places(const global void *at, uint lds, uint flags) {
  ulong a = (ulong)at;
  return (int4_)(1 | flags, lds, (int)a, (int)(a >> 32) | 2 << 30);
}

// The second group of words: a tile of rows x columns in a matrix that goes on for so many rows and columns.
static int8_ tile(uint rows, uint columns, uint restRows, uint restColumns, uint stride, uint flags) {
  return (int8_)(2 << 16 | flags, restColumns << 16, restColumns >> 16 | restRows << 16, restRows >> 16 | columns << 16, rows, stride, 0, 0);
}

#define SIDE 16
#define PADDED (SIDE + 1) // words from row to row of a tile in LDS
#define PAD (1 << 20 | 3 << 22 | 0 << 25) // after 16 words, one word

// C = A B for matrices of m x k and k x n words: each workgroup of 256 items makes a tile of 16 x 16, one wave copies.
kernel void product(const global int *a, const global int *b, global int *c, uint m, uint n, uint k) {
  local int x[2][SIDE * PADDED], y[2][SIDE * PADDED], z[SIDE * SIDE];
  uint l = LANE, row = l / SIDE, column = l % SIDE;
  uint i = __builtin_amdgcn_workgroup_id_y() * SIDE, j = __builtin_amdgcn_workgroup_id_x() * SIDE;
  bool first = __builtin_amdgcn_readfirstlane(l / 32) == 0;
  int sum = 0;
  if (first) {
    __builtin_amdgcn_tensor_load_to_lds_d2(places(a + i * k, (uint)(local int *)x[0], 0), tile(SIDE, SIDE, m - i, k, k, PAD), 0);
    __builtin_amdgcn_tensor_load_to_lds_d2(places(b + j, (uint)(local int *)y[0], 0), tile(SIDE, SIDE, k, n - j, n, PAD), 0);
  }
  for (uint at = 0, now = 0; at < k; at += SIDE, now ^= 1) {
    uint next = at + SIDE;
    if (first && next < k) {
      __builtin_amdgcn_tensor_load_to_lds_d2(places(a + i * k + next, (uint)(local int *)x[now ^ 1], 0), tile(SIDE, SIDE, m - i, k - next, k, PAD), 0);
      __builtin_amdgcn_tensor_load_to_lds_d2(places(b + next * n + j, (uint)(local int *)y[now ^ 1], 0), tile(SIDE, SIDE, k - next, n - j, n, PAD), 0);
#ifndef WRONG
      __builtin_amdgcn_s_wait_tensorcnt(2);
#else
      __builtin_amdgcn_s_wait_tensorcnt(3);
#endif
    } else {
      __builtin_amdgcn_s_wait_tensorcnt(0);
    }
    BARRIER();
    for (uint q = 0; q < SIDE; q++)
      sum += x[now][row * PADDED + q] * y[now][q * PADDED + column];
    BARRIER();
  }
  z[l] = sum;
  BARRIER();
  if (first) {
    __builtin_amdgcn_tensor_store_from_lds_d2(places(c + i * n + j, (uint)(local int *)z, 0), tile(SIDE, SIDE, m - i, n - j, n, 0), 0);
    __builtin_amdgcn_s_wait_tensorcnt(0);
  }
}

// Gathers 8 rows of 16 words by their numbers, and scatters them to rows of twice the number.
kernel void rows(const global int *from, global int *to, const global int *numbers) {
  local int x[8 * 16];
  int4_ low = (int4_)(numbers[0], numbers[1], numbers[2], numbers[3]), high = (int4_)(numbers[4], numbers[5], numbers[6], numbers[7]);
  int8_ shape = tile(8, 16, 100, 16, 16, 0);
  uint flags = 3u << 30; // gathers, by numbers of 32 bits
  __builtin_amdgcn_tensor_load_to_lds(places(from, (uint)(local int *)x, flags), shape, low, high, 0);
  __builtin_amdgcn_s_wait_tensorcnt(0);
  __builtin_amdgcn_tensor_store_from_lds(places(to, (uint)(local int *)x, flags), shape, low * 2, high * 2, 0);
  __builtin_amdgcn_s_wait_tensorcnt(0);
}

// Two waves: the first copies blocks of 64 words, the second adds them up. Barriers in LDS say when a block is there,
// and when it has been read.
#define BLOCKS 6
kernel void pipeline(const global int *from, global int *to) {
  local int x[2][64];
  local long ready[2], empty[2];
  uint l = LANE, wave = __builtin_amdgcn_readfirstlane(l / 32);
  if (l < 2) {
    *(volatile local long *)&ready[l] = 0;                // one arrival a phase
    *(volatile local long *)&empty[l] = 31 | 31l << 32;   // 32 arrivals
  }
  BARRIER();
  if (wave == 0) {
    for (uint n = 0; n < BLOCKS; n++) {
      local long *free = &empty[n & 1];
      if (n >= 2)
        while ((*(volatile local long *)free >> 29 & 1) == (n / 2 & 1 ^ 1))
          __builtin_amdgcn_s_sleep(1);
      int8_ shape = tile(0, 64, 0, 64, 0, 1 << 18);
      shape[1] |= (uint)(local long *)&ready[n & 1] / 8;
      __builtin_amdgcn_tensor_load_to_lds_d2(places(from + 64 * n, (uint)(local int *)x[n & 1], 0), shape, 0);
    }
  } else {
    int sum = 0;
    for (uint n = 0; n < BLOCKS; n++) {
      local long *full = &ready[n & 1];
      while ((*(volatile local long *)full >> 29 & 1) == (n / 2 & 1))
        __builtin_amdgcn_s_sleep(1);
      __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
      sum += (int)(n + 1) * (x[n & 1][l & 31] + x[n & 1][32 + (l & 31)]);
      __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
      __builtin_amdgcn_ds_atomic_barrier_arrive_rtn_b64(&empty[n & 1], 1);
    }
    to[l & 31] = sum;
  }
}

// The first wave copies 64 words, and with BARRIERS the second one reads them only then; LDS past them is copied to
// memory without having been written.
kernel void careless(const global int *from, global int *to) {
  local int x[128];
  uint l = LANE, wave = __builtin_amdgcn_readfirstlane(l / 32);
  if (wave == 0) {
    __builtin_amdgcn_tensor_load_to_lds_d2(places(from, (uint)(local int *)x, 0), tile(0, 64, 0, 64, 0, 0), 0);
    __builtin_amdgcn_s_wait_tensorcnt(0);
#ifndef BARRIERS
    __builtin_amdgcn_tensor_store_from_lds_d2(places(to, (uint)(local int *)x + 128, 0), tile(0, 64, 0, 64, 0, 0), 0);
    __builtin_amdgcn_s_wait_tensorcnt(0);
#endif
  }
#ifdef BARRIERS
  BARRIER();
#endif
  if (wave == 1)
    to[64 + l] = *(volatile local int *)&x[l];
}

// Asynchronous copies that arrive at a barrier, for each lane.
kernel void announced(const global int *from, global int *to) {
  local int x[32];
  local long there;
  uint l = LANE;
  if (l == 0)
    *(volatile local long *)&there = 31 | 31l << 32;
  BARRIER();
  __builtin_amdgcn_global_load_async_to_lds_b32((global int *)from + l, &x[l], 0, 0);
  __builtin_amdgcn_ds_atomic_async_barrier_arrive_b64(&there);
  while ((*(volatile local long *)&there >> 29 & 1) == 0)
    __builtin_amdgcn_s_sleep(1);
  to[l] = *(volatile local int *)&x[31 - l];
}
