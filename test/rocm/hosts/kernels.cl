// Kernels of the programs in this folder.
#define ITEM (__builtin_amdgcn_workgroup_id_x() * 64 + __builtin_amdgcn_workitem_id_x())

__kernel void add(__global const float *a, __global const float *b, __global float *c, int n) {
  int i = ITEM;
  if (i < n)
    c[i] = a[i] + b[i];
}

__kernel void increment(__global int *p) { p[ITEM] += 1; }

__kernel void step(__global unsigned *p, unsigned n, unsigned k) {
  unsigned i = __builtin_amdgcn_workgroup_id_x() * __builtin_amdgcn_workgroup_size_x() + __builtin_amdgcn_workitem_id_x();
  if (i < n)
    p[i] = p[i] * 3 + k;
}

// All workgroups store to one word.
__kernel void collide(__global int *p) { *p = ITEM; }

__kernel void wild(__global int *p) { p[1L << 40] = 1; }

__kernel void trap(__global int *p) { __builtin_trap(); }

// Each of 64 work-items reverses its group's words through workgroup memory.
__kernel void reverse(__global int *p) {
  __local int words[64];
  int i = __builtin_amdgcn_workitem_id_x();
  words[i] = p[ITEM];
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
  p[ITEM] = words[63 - i];
}

// Waits for a word of memory that the host or another kernel stores to.
__kernel void await(__global volatile int *flag, __global int *seen) {
  while (__scoped_atomic_load_n(flag, __ATOMIC_ACQUIRE, __MEMORY_SCOPE_SYSTEM) == 0)
    __builtin_amdgcn_s_sleep(1);
  *seen = 1;
}

// Overwrites one of its own instructions.
__kernel void overwrite(__global int *p) {
  __global int *code;
  __asm__ volatile("s_getpc_b64 %0" : "=s"(code));
  code[-1] = p[0];
}

__kernel void endless(__global volatile int *p) {
  for (;;)
    p[0] += 1;
}

__kernel void brief(__global int *p) {}

// Stores numbers to each work-item's pair, in which the halves agree, until n. Work-item 5 leaves the kernel first.
__kernel void store_pairs(__global volatile ulong *p, ulong n) {
  int i = __builtin_amdgcn_workitem_id_x();
  if (i == 5)
    return;
  for (ulong k = 1; k <= n; k++)
    p[2 * i] = k << 32 | k;
}

// Counts in *wrong the pairs whose halves differ, until the last work-item's is n.
__kernel void load_pairs(__global volatile ulong *p, ulong n, __global int *wrong) {
  int i = __builtin_amdgcn_workitem_id_x();
  if (i == 5)
    return;
  ulong v = 0;
  int count = 0;
  while ((v & 0xffffffff) != n) {
    v = p[2 * i];
    count += (v >> 32) != (v & 0xffffffff);
  }
  wrong[i] = count;
}

// Half of the work-items read what no work-item has written.
__kernel void unwritten(__global int *p) {
  __local int words[64];
  int i = __builtin_amdgcn_workitem_id_x();
  if (i < 32)
    words[i] = i;
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
  p[i] = words[63 - i];
}
