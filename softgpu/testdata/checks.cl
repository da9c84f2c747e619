// Kernels for the checker's tests: each has one mistake, in the line that is
// marked with its name, and a twin that is right.

#define ITEM __builtin_amdgcn_workitem_id_x()
#define GROUP __builtin_amdgcn_workgroup_id_x()
#define SIZE __builtin_amdgcn_workgroup_size_x()
#define ATOMIC(p) ((volatile global atomic_uint *)(p))
#define LATOMIC(p) ((volatile local atomic_uint *)(p))
#define DEVICE 2 // scope: all of the device

typedef unsigned int uint;
typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned long ulong;

#define BARRIER() \
  do { \
    __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup"); \
    __builtin_amdgcn_s_barrier(); \
    __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup"); \
  } while (0)

// One access each, at a place that the caller chooses.
kernel void store_at(global uint *p, long n) {
  if (ITEM == 5)
    p[n] = 7; // store_at
}

kernel void load_at(global const uint *p, long n, global uint *out) {
  if (ITEM == 5)
    *out = p[n + (ITEM & 4) - 4]; // load_at
}

kernel void store_byte_at(global uchar *p, long n) {
  if (ITEM == 5)
    p[n] = 7; // store_byte_at
}

kernel void store_wide_at(global ulong *p, long n) {
  if (ITEM == 5)
    p[n] = 7; // store_wide_at
}

kernel void add_at(global uint *p, long n) {
  if (ITEM == 5)
    __opencl_atomic_fetch_add(ATOMIC(p + n), 1, __ATOMIC_RELAXED, DEVICE); // add_at
}

kernel void generic_at(global uint *p, long n, uint shared) {
  local uint near[64];
  near[ITEM] = ITEM;
  uint *q = shared ? (uint *)near : (uint *)p;
  if (ITEM == 5)
    q[n] = 7; // generic_at
}

kernel void scalar_load_at(global const uint *p, long n, global uint *out) {
  out[ITEM] = p[n]; // scalar_load_at
}

// A word put together from bytes, wherever they are.
kernel void unaligned(global const uchar *p, long n, global uint *out) {
  uint v;
  __builtin_memcpy(&v, p + n + 4 * ITEM, 4); // unaligned
  out[ITEM] = v;
}

// Workgroup memory, static or dynamic.
kernel void local_at(uint n, global uint *out) {
  local uint a[32];
  if (ITEM < 32)
    a[ITEM] = ITEM;
  BARRIER();
  if (ITEM == 5)
    a[n] = 7; // local_at
  out[ITEM] = a[ITEM & 31];
}

kernel void dynamic_at(uint n, local uint *a, global uint *out) {
  a[ITEM] = ITEM;
  BARRIER();
  out[ITEM] = a[n + ITEM]; // dynamic_at
}

kernel void private_at(uint n, global uint *out) {
  volatile uint a[16];
  for (uint i = 0; i < 16; i++)
    a[i] = i;
  a[n] = 7; // private_at
  out[ITEM] = a[ITEM & 15];
}

// LLVM adds the 72 bytes in the instruction, to an address that may be below zero.
kernel void private_after(int n, global uint *out) {
  volatile uint a[16];
  for (uint i = 0; i < 16; i++)
    a[i] = i;
  a[n + 18] = 7; // private_after
  out[ITEM] = a[ITEM & 15];
}

// Races in workgroup memory.
kernel void no_barrier(global uint *out, uint with) {
  local uint a[128];
  a[ITEM] = ITEM;
  if (with)
    BARRIER();
  out[ITEM] = a[127 - ITEM]; // no_barrier
}

kernel void no_second_barrier(global uint *out, uint with) {
  local uint a[128];
  a[ITEM] = ITEM;
  BARRIER();
  uint v = a[127 - ITEM];
  if (with)
    BARRIER();
  a[ITEM] = v + 1; // no_second_barrier
  BARRIER();
  out[ITEM] = a[ITEM];
}

kernel void both_write(global uint *out, uint by) {
  local uint a[1];
  if ((ITEM & 63) == 0)
    a[0] = ITEM * by; // both_write
  BARRIER();
  out[ITEM] = a[0];
}

kernel void lanes_write(global uint *out, uint by) {
  local uint a[64];
  a[ITEM & 31] = (ITEM & 32) * by; // lanes_write
  BARRIER();
  out[ITEM] = a[ITEM & 31];
}

kernel void counts(global uint *out, uint atomic) {
  local uint n[1];
  if (ITEM == 0)
    n[0] = 0;
  BARRIER();
  if (atomic)
    __opencl_atomic_fetch_add(LATOMIC(n), 1, __ATOMIC_RELAXED, 1);
  else
    n[0] = n[0] + ITEM; // counts
  BARRIER();
  out[ITEM] = n[0];
}

// The last wave that is done reads what the others wrote.
kernel void last_wave(global uint *out) {
  local uint n[1], a[128];
  if (ITEM == 0)
    n[0] = 0;
  BARRIER();
  a[ITEM] = ITEM;
  uint before = __opencl_atomic_fetch_add(LATOMIC(n), 1, __ATOMIC_ACQ_REL, 1);
  if (before == SIZE - 1)
    for (uint i = 0; i < 128; i++)
      out[i] = a[i];
}

// Races between workgroups.
kernel void groups_write(global uint *p, uint by) {
  if (ITEM == 0)
    p[0] = GROUP * by + 1; // groups_write
}

kernel void neighbours(global uint *p, global uint *out, uint shift) {
  uint i = GROUP * SIZE + ITEM;
  uint v = p[i + shift];
  out[i] = v + 1; // neighbours
}

kernel void initializes(global uint *n, uint first) {
  if (first && GROUP == 3 && ITEM == 0)
    n[0] = 0; // initializes
  __opencl_atomic_fetch_add(ATOMIC(n), 1, __ATOMIC_RELAXED, DEVICE);
}

// The last workgroup that is done adds up what the others left.
kernel void last_group(global uint *parts, global uint *n, global uint *out, uint fence) {
  local uint last[1];
  if (ITEM == 0) {
    parts[GROUP] = GROUP + 1;
    if (fence)
      last[0] = __opencl_atomic_fetch_add(ATOMIC(n), 1, __ATOMIC_ACQ_REL, DEVICE) == fence - 1;
    else
      last[0] = GROUP == 3;
  }
  BARRIER();
  if (last[0] && ITEM < 4)
    __opencl_atomic_fetch_add(ATOMIC(out), parts[ITEM], __ATOMIC_RELAXED, DEVICE); // last_group
}

kernel void locked(global uint *lock, global uint *sum, uint lock_it) {
  if (ITEM != 0)
    return;
  if (lock_it)
    while (__opencl_atomic_exchange(ATOMIC(lock), 1, __ATOMIC_ACQUIRE, DEVICE))
      __builtin_amdgcn_s_sleep(1);
  sum[0] = sum[0] + GROUP; // locked
  if (lock_it)
    __opencl_atomic_store(ATOMIC(lock), 0, __ATOMIC_RELEASE, DEVICE);
}

// Each workgroup waits for the one before it.
kernel void chained(global uint *flags, global uint *data, uint wait) {
  if (ITEM == 0) {
    uint sum = 0;
    if (GROUP > 0) {
      if (wait)
        while (__opencl_atomic_load(ATOMIC(flags + GROUP - 1), __ATOMIC_ACQUIRE, DEVICE) == 0)
          ;
      sum = data[GROUP - 1]; // chained
    }
    data[GROUP] = sum + 1;
    __opencl_atomic_store(ATOMIC(flags + GROUP), 1, __ATOMIC_RELEASE, DEVICE);
  }
}

// Memory that no code wrote.
kernel void sums(global const uint *p, global uint *out) {
  out[ITEM] = p[ITEM] + 1; // sums
}

kernel void fills(global uint *p, uint n) {
  if (ITEM < n)
    p[ITEM] = ITEM;
}

kernel void local_sums(global uint *out, uint n) {
  local uint a[64];
  if (ITEM < n)
    a[ITEM] = ITEM;
  BARRIER();
  out[ITEM] = a[63 - ITEM]; // local_sums
}

kernel void bytes(global const uchar *p, global uint *out) {
  out[ITEM] = p[ITEM]; // bytes
}

kernel void four(global const uint4 *p, global uint4 *out) {
  out[ITEM] = p[ITEM]; // four
}

// Barriers that not everybody gets to.
kernel void divergent(global uint *out, uint n) {
  local uint a[128];
  a[ITEM] = ITEM;
  if (ITEM < n)
    __builtin_amdgcn_s_barrier(); // divergent
  out[ITEM] = a[ITEM];
}

kernel void leaves(global uint *out, uint n) {
  local uint a[128];
  a[ITEM] = ITEM;
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  if (ITEM >= n)
    return;
  __builtin_amdgcn_s_barrier(); // leaves
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
  out[ITEM] = a[127 - ITEM];
}
