// Kernels at the edges of what compilers emit: calls that differ between lanes,
// stacks of unknown size, tables that need relocations, objects of odd
// sizes in private memory, lanes that come and go, modes.
#pragma OPENCL EXTENSION __cl_clang_function_pointers : enable
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL EXTENSION cl_khr_fp16 : enable

#define ITEM(d) __builtin_amdgcn_workitem_id_##d()
#define GROUP(d) __builtin_amdgcn_workgroup_id_##d()
#define SIZE(d) __builtin_amdgcn_workgroup_size_##d()
#define OUT_OF_LINE __attribute__((noinline)) static

typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long ulong;

// Calls through pointers that differ from lane to lane, in functions that call others.
OUT_OF_LINE uint twice(uint x) { return 2 * x; }
OUT_OF_LINE uint plus_seven(uint x) { return x + 7; }
OUT_OF_LINE uint squared(uint x) { return x * x; }
OUT_OF_LINE uint by_way(uint x) { return plus_seven(twice(x)); }
typedef uint (*step)(uint);

kernel void indirect(global const uint *which, global uint *out) {
  step steps[4] = {twice, plus_seven, squared, by_way};
  uint i = GROUP(x) * SIZE(x) + ITEM(x), w = which[i];
  uint x = i;
  for (uint n = 0; n < 3; n++, w >>= 2)
    x = steps[w & 3](x);
  out[i] = x;
}

// Mutual recursion with objects of odd sizes in every frame, to a depth that
// differs from lane to lane.
struct odd {
  uchar bytes[13];
  ushort shorts[3];
};
OUT_OF_LINE uint up(uint n, struct odd *from);
OUT_OF_LINE uint down(uint n, struct odd *from) {
  struct odd mine;
  for (uint i = 0; i < 13; i++)
    mine.bytes[i] = from->bytes[(i + 1) % 13] + n;
  for (uint i = 0; i < 3; i++)
    mine.shorts[i] = from->shorts[i] + n;
  if (n == 0)
    return mine.bytes[5] + mine.shorts[2];
  uint below = up(n - 1, &mine);
  return below * 3 + mine.bytes[n % 13] + mine.shorts[n % 3];
}
OUT_OF_LINE uint up(uint n, struct odd *from) {
  volatile uint mine = n;
  uint below = n ? down(n - 1, from) : from->bytes[3];
  return below + mine;
}

kernel void mutual(global uint *out) {
  uint i = GROUP(x) * SIZE(x) + ITEM(x);
  struct odd first;
  for (uint k = 0; k < 13; k++)
    first.bytes[k] = i + k;
  for (uint k = 0; k < 3; k++)
    first.shorts[k] = 1000 * i + k;
  out[i] = down(i % 24, &first);
}

// Tables of pointers to tables.
__constant uint small[3] = {2, 3, 5};
__constant uint large[7] = {100, 200, 300, 400, 500, 600, 700};
struct table {
  __constant uint *entries;
  uint count;
};
__constant struct table tables[3] = {{small, 3}, {large, 7}, {small + 1, 2}};

kernel void table_of_tables(global uint *out) {
  uint i = GROUP(x) * SIZE(x) + ITEM(x);
  __constant struct table *t = &tables[i % 3];
  out[i] = t->entries[i % t->count];
}

// Private memory: bytes, halves and vectors of three at computed places, moved
// through pointers that might lead anywhere.
struct mixed {
  uchar tag;
  ushort pair[3];
  uint words[5];
  uchar tail[3];
} __attribute__((packed));

OUT_OF_LINE void fill(uchar *to, uint count, uint seed) {
  for (uint i = 0; i < count; i++)
    to[i] = seed + 3 * i;
}

kernel void odd_sizes(global const uint *in, global uint *out) {
  uint i = GROUP(x) * SIZE(x) + ITEM(x), at = in[i];
  struct mixed things[3];
  local uchar shared_bytes[64 * 7];
  fill((uchar *)things, sizeof things, i);
  fill((uchar *)(shared_bytes + 7 * ITEM(x)), 7, i);
  things[at % 3].pair[at % 2 + 1] = at;
  things[(at + 1) % 3].words[at % 5] += at;
  things[(at + 2) % 3] = things[at % 3];
  uint sum = 0;
  uchar *bytes = (uchar *)things;
  for (uint k = 0; k < sizeof things; k++)
    sum = sum * 31 + bytes[k];
  uchar *where = at & 1 ? (uchar *)(shared_bytes + 7 * ITEM(x)) : bytes;
  for (uint k = 0; k < 7; k++)
    sum = sum * 31 + where[k];
  out[i] = sum;
}

// Lanes leave loops, switches and the kernel at different times.
kernel void leaving(global const uint *in, global uint *out) {
  uint i = GROUP(x) * SIZE(x) + ITEM(x), x = in[i], sum = 0;
  if (x % 11 == 0)
    return;
  for (uint k = 0; k < 20; k++) {
    if ((x + k) % 5 == 0)
      continue;
    switch ((x ^ k) & 7) {
    case 0:
      sum += 1;
    case 1:
      sum += 10;
      break;
    case 2:
      sum *= 3;
      break;
    case 6:
      if (sum > 1000)
        goto done;
      sum += x;
      break;
    default:
      for (uint j = 0; j < (x & 3); j++)
        if ((sum += j) & 16)
          break;
    }
    if (sum % 13 == 12)
      break;
  }
done:
  out[i] = sum;
}

// 64-bit atomics, in global and in workgroup memory, from every workgroup.
kernel void atomics64(global ulong *all, global const ulong *in, global ulong *per_group) {
  local ulong mine[4];
  uint i = GROUP(x) * SIZE(x) + ITEM(x);
  ulong v = in[i];
  if (ITEM(x) < 4)
    mine[ITEM(x)] = 0;
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
#define OP(NAME, AT) __opencl_atomic_fetch_##NAME((volatile global atomic_ulong *)&all[AT], v, __ATOMIC_RELAXED, 1)
  OP(add, 0);
  OP(sub, 1);
  OP(min, 2);
  OP(max, 3);
  OP(and, 4);
  OP(or, 5);
  OP(xor, 6);
  __opencl_atomic_fetch_min((volatile global atomic_long *)&all[7], (long)v, __ATOMIC_RELAXED, 1);
  __opencl_atomic_fetch_max((volatile global atomic_long *)&all[8], (long)v, __ATOMIC_RELAXED, 1);
  // A sum by compare and exchange.
  ulong old = 0;
  while (!__opencl_atomic_compare_exchange_strong((volatile global atomic_ulong *)&all[9], &old, old + (v >> 7), __ATOMIC_RELAXED, __ATOMIC_RELAXED, 1))
    ;
  // Every value comes out of an exchange exactly once, but for the last one.
  OP(add, 10);
  ulong out = __opencl_atomic_exchange((volatile global atomic_ulong *)&all[11], v, __ATOMIC_RELAXED, 1);
  __opencl_atomic_fetch_sub((volatile global atomic_ulong *)&all[10], out, __ATOMIC_RELAXED, 1);
  __opencl_atomic_fetch_add((volatile local atomic_ulong *)&mine[0], v, __ATOMIC_RELAXED, 1);
  __opencl_atomic_fetch_max((volatile local atomic_ulong *)&mine[1], v, __ATOMIC_RELAXED, 1);
  __opencl_atomic_fetch_xor((volatile local atomic_ulong *)&mine[2], v, __ATOMIC_RELAXED, 1);
  old = 0;
  while (!__opencl_atomic_compare_exchange_strong((volatile local atomic_ulong *)&mine[3], &old, old + (v >> 7), __ATOMIC_RELAXED, __ATOMIC_RELAXED, 1))
    ;
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
  if (ITEM(x) < 4)
    per_group[4 * GROUP(x) + ITEM(x)] = mine[ITEM(x)];
}

// Barriers in a loop that all waves go round equally often, sleeping differently long.
kernel void rounds(global uint *out) {
  local uint turn[5];
  uint i = ITEM(x), wave = i / 64;
  for (uint k = 0; k < 5; k++) {
    if (i % 64 == 0 && wave == k % (SIZE(x) / 64))
      turn[k] = 100 + k;
    for (uint s = 0; s < wave; s++)
      __builtin_amdgcn_s_sleep(1);
    __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
    __builtin_amdgcn_s_barrier();
    __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
    if (wave == 1 && k == 2)
      return; // the others go on without it
    out[i] = turn[k];
  }
}

// What lanes see of each other where some are not active.
kernel void lanes(global const uint *in, global uint *out) {
  uint i = ITEM(x), x = in[i];
  __asm__ volatile("" : "+v"(x)); // all have it before some leave
  out += 8 * i;
  if (i % 3 == 0)
    return;
  out[0] = __builtin_amdgcn_readfirstlane(x);
  out[1] = __builtin_amdgcn_readlane(x, 4);
  out[2] = __builtin_amdgcn_update_dpp(7, x, 0x111, 0xf, 0xf, 0); // row_shr:1, old where there is none
  out[3] = __builtin_amdgcn_update_dpp(7, x, 0x111, 0xf, 0xf, 1); // 0 where there is none
  out[4] = __builtin_amdgcn_update_dpp(7, x, 0x1b, 0x5, 0xa, 0); // quad_perm:[3,2,1,0] in some rows and banks
  out[5] = __builtin_amdgcn_ds_bpermute(4 * (i + 1), x);
  ulong active = __builtin_amdgcn_read_exec();
  out[6] = (uint)active;
  out[7] = __builtin_amdgcn_mbcnt_hi((uint)(active >> 32), __builtin_amdgcn_mbcnt_lo((uint)active, 0));
}

// Arithmetic with MODE as the argument says: bits 3:0 rounding, 7:4 denormals.
kernel void in_mode(global const float *a, global const double *b, global float *f, global double *g, global ushort *h, uint mode) {
  uint i = GROUP(x) * SIZE(x) + ITEM(x);
  volatile float x = a[i], y = a[i ^ 1];
  volatile double u = b[i], v = b[i ^ 1];
  // For gfx1250, LLVM 22 sets the rounding of doubles before the first sum of doubles.
  volatile double first = u + v;
  (void)first;
  // As assembly: after the builtin the compiler sets what it wants itself.
  __asm__ volatile("s_setreg_b32 hwreg(HW_REG_MODE, 0, 8), %0" : : "s"(__builtin_amdgcn_readfirstlane(mode)) : "memory");
  float s = x + y, p = x * y, q = __builtin_fmaf(x, y, x);
  double t = u + v, w = u * v, z = __builtin_fma(u, v, u);
  float narrow = (float)u;
  half short_ = (half)x;
  volatile float fs[4] = {s, p, q, narrow};
  volatile double gs[3] = {t, w, z};
  volatile half hs = short_;
  __asm__ volatile("s_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 8), 0xf0" : : : "memory");
  for (uint k = 0; k < 4; k++)
    f[4 * i + k] = fs[k];
  for (uint k = 0; k < 3; k++)
    g[3 * i + k] = gs[k];
  half out = hs;
  h[i] = __builtin_astype(out, ushort);
}

// Quotients, of which many are near the ends of the range.
kernel void quotients(global const float *a, global const double *b, global float *f, global double *g) {
  uint i = GROUP(x) * SIZE(x) + ITEM(x);
  f[i] = a[i] / a[i ^ 1];
  g[i] = b[i] / b[i ^ 1];
}

// Objects whose size only the running kernel knows, the same for all lanes and
// not. They are small: clang 22 spaces them 64 times as far apart as they are large.
kernel void dynamic(global const uint *in, global uint *out, uint n) {
  uint i = GROUP(x) * SIZE(x) + ITEM(x), mine = in[i] & 3;
  private uint *a = (private uint *)__builtin_alloca((n + 1) * 4);
  for (uint k = 0; k <= n; k++)
    a[k] = k * i;
  uint sum = 0;
  for (uint r = 0; r < 3; r++) {
    private uint *b = (private uint *)__builtin_alloca((mine + 1) * 4);
    for (uint k = 0; k <= mine; k++)
      b[k] = k + r + i;
    for (uint k = 0; k <= mine; k++)
      sum = sum * 3 + b[mine - k];
  }
  out[i] = sum + a[in[i] % (n + 1)];
}

// What compilers may compute before they know that nothing needs it: each is
// guarded by what makes it defined. Six numbers a work-item.
kernel void guarded(global const uint *in, global uint *out, uint n) {
  uint i = ITEM(x) + 64 * GROUP(x), x = in[i], y = in[i + n];
  uint mine[8];
  local uint shared[8];
  uint8 v;
  for (uint k = 0; k < 8; k++) {
    v[k] = x * k + y;
    mine[k] = x ^ k * y;
  }
  if (ITEM(x) < 8)
    shared[ITEM(x)] = n * ITEM(x);
  __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "workgroup");
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "workgroup");
  global uint *to = out + 6 * i;
  to[0] = x < 8 ? v[x] + mine[x] + shared[x] : 1;
  to[1] = x < 32 ? (y << x) + (y >> x) : x < 64 ? (uint)(((ulong)y << x) >> 40) : 2;
  to[2] = x ? y / x + y % x : 3;
  to[3] = x != 0 && !((int)y == INT_MIN && (int)x == -1) ? (uint)((int)y / (int)x) : 4;
  float f = as_float(y);
  to[4] = f >= 0 && f < 4e9f ? (uint)f : f < 0 && f > -2e9f ? (uint)(int)f : 5;
  to[5] = x < n ? in[x] + in[in[x] % n] : 6;
}

// More of what is undefined, guarded: addresses of loads, stores and atomics, lanes, places in
// vectors and arrays, zeros whose highest bit is asked for, floats without an integer. Eight numbers a work-item.
kernel void guarded_more(global const uint *in, global uint *out, uint n) {
  uint lane = ITEM(x), i = lane + 64 * GROUP(x), x = in[i], y = in[i + n];
  local uint shared[8];
  global uint *to = out + 8 * i;
  if (lane < 8)
    shared[lane] = 0;
  __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "workgroup");
  __builtin_amdgcn_s_barrier();
  bool odd = x & 1;
  ulong far = odd ? y % n : (ulong)y << 24 | x; // as an index, outside of everything
  to[0] = odd ? in[far] : 1;
  to[1] = 2;
  if (odd) {
    __atomic_fetch_add(&shared[far & 7], y & 15, __ATOMIC_RELAXED);
    __atomic_fetch_add(&out[8 * i + 1 + 0 * far], x, __ATOMIC_RELAXED);
  }
  __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "workgroup");
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "workgroup");
  uint r = shared[lane & 7];
  if (x < 64)
    r += __builtin_amdgcn_ds_bpermute(4 * x, y);
  to[2] = r;
  to[3] = x ? (uint)(((ulong)y << 32 | x) / ((ulong)x << 3 | 1)) + __builtin_clz(x) * 100 + __builtin_ctz(x) : 4;
  double d = as_float(y);
  to[4] = d >= 0 && d < 1e18 ? (uint)((ulong)d >> 3) : d < 0 && d > -1e18 ? (uint)(long)d : 5;
  ulong mine[5];
  ushort small[5];
  uint16 v = 0;
  for (uint k = 0; k < 5; k++) {
    mine[k] = (ulong)x * y + k;
    small[k] = x + k * y;
  }
  for (uint k = 0; k < 16; k++)
    v[k] = k * y;
  if (x < 5)
    small[x] = (ushort)mine[4 - x];
  to[5] = x < 5 ? (uint)mine[x] + small[4 - x] : 6;
  if (x < 16)
    v[x] = x;
  to[6] = v[y & 15] + v[3];
  global uint *one = out + far;
  if (odd && far == i)
    *one = *one; // a store to where few lanes have memory
  to[7] = n < 1 << 20 ? x : in[(ulong)n << 33]; // n is the same for all
}
