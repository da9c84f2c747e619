// Kernels of the driver's tests. Built for each chip when the tests run.

#define ITEM(d) __builtin_amdgcn_workitem_id_##d()
#define GROUP(d) __builtin_amdgcn_workgroup_id_##d()
#define SIZE(d) __builtin_amdgcn_workgroup_size_##d()

typedef unsigned int uint;
typedef unsigned long ulong;

kernel void empty(void) {}

kernel void vector_add(global const float *a, global const float *b, global float *c, uint n) {
  uint i = GROUP(x) * SIZE(x) + ITEM(x);
  if (i < n)
    c[i] = a[i] + b[i];
}

// Sums 256 numbers per workgroup through workgroup memory.
kernel void reduce(global const uint *in, global uint *out) {
  local uint part[256];
  uint i = ITEM(x);
  part[i] = in[GROUP(x) * 256 + i];
  for (uint step = 128; step > 0; step >>= 1) {
    __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
    __builtin_amdgcn_s_barrier();
    __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
    if (i < step)
      part[i] += part[i + step];
  }
  if (i == 0)
    out[GROUP(x)] = part[0];
}

// Collatz: lanes leave the loop at different times.
kernel void collatz(global const uint *in, global uint *out) {
  uint i = GROUP(x) * SIZE(x) + ITEM(x);
  uint n = in[i], steps = 0;
  while (n != 1) {
    n = n & 1 ? 3 * n + 1 : n / 2;
    steps++;
  }
  out[i] = steps;
}

// Uses scratch: an array that is indexed by a value known only at run time.
kernel void scratch(global const uint *in, global uint *out) {
  volatile uint a[32];
  uint i = GROUP(x) * SIZE(x) + ITEM(x);
  for (uint k = 0; k < 32; k++)
    a[k] = k * i;
  out[i] = a[in[i] & 31];
}

__attribute__((noinline)) static uint square_plus(uint x, uint y) {
  volatile uint z = x;
  return z * z + y;
}

kernel void calls(global uint *out) {
  uint i = GROUP(x) * SIZE(x) + ITEM(x);
  out[i] = square_plus(i, 1) + square_plus(i + 1, 2);
}

// Recursion: the stack's size is not known to the compiler.
__attribute__((noinline)) static uint fib(uint n) {
  return n < 2 ? n : fib(n - 1) + fib(n - 2);
}

kernel void recurse(global uint *out) { out[ITEM(x)] = fib(ITEM(x) & 7); }

// Where every work-item is, for any shape of grid.
kernel void shape(global uint *out, uint nx, uint ny) {
  uint x = GROUP(x) * SIZE(x) + ITEM(x), y = GROUP(y) * SIZE(y) + ITEM(y), z = GROUP(z) * SIZE(z) + ITEM(z);
  out[(z * ny + y) * nx + x] = x | y << 8 | z << 16;
}

// Says that it is there and waits for another kernel to do so.
kernel void meet(volatile global uint *mine, volatile global uint *other) {
  __opencl_atomic_store((volatile global atomic_uint *)mine, 1, __ATOMIC_RELEASE, 1);
  while (__opencl_atomic_load((volatile global atomic_uint *)other, __ATOMIC_ACQUIRE, 1) == 0)
    __builtin_amdgcn_s_sleep(1);
}

// The same without a pause.
kernel void meet_busily(volatile global uint *mine, volatile global uint *other) {
  *mine = 1;
  while (*other == 0)
    ;
}

// A barrier over all workgroups of the grid.
kernel void grid_barrier(volatile global uint *count, uint groups, global uint *out) {
  if (ITEM(x) == 0) {
    __opencl_atomic_fetch_add((volatile global atomic_uint *)count, 1, __ATOMIC_ACQ_REL, 1);
    while (__opencl_atomic_load((volatile global atomic_uint *)count, __ATOMIC_ACQUIRE, 1) < groups)
      ;
  }
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
  out[GROUP(x) * SIZE(x) + ITEM(x)] = *count;
}

// One wave of a workgroup waits for another through workgroup memory, without a barrier.
kernel void lds_flag(global uint *out) {
  volatile local uint flag[1];
  if (ITEM(x) == 0)
    flag[0] = 0;
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
  if (ITEM(x) == 64)
    flag[0] = 7;
  if (ITEM(x) == 0) {
    while (flag[0] == 0)
      ;
    out[0] = flag[0];
  }
}

// Each wave waits for a word of the wave before it. The first load stands before the loop.
kernel void lds_chain(global uint *out) {
  local atomic_uint done[4];
  uint wave = ITEM(x) / 64, before = 0;
  __opencl_atomic_store(&done[wave], 0, memory_order_relaxed,
                        memory_scope_work_group);
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
  if (wave > 0) {
    before = __opencl_atomic_load(&done[wave - 1], memory_order_relaxed,
                                  memory_scope_work_group);
    while (before == 0)
      before = __opencl_atomic_load(&done[wave - 1], memory_order_relaxed,
                                    memory_scope_work_group);
  }
  if (ITEM(x) % 64 == 63)
    __opencl_atomic_store(&done[wave], before + 1, memory_order_relaxed,
                          memory_scope_work_group);
  out[ITEM(x)] = before;
}

kernel void poke(global uint *p, uint index, uint value) {
  if (ITEM(x) == 3)
    p[index] = value;
}

kernel void copy_dynamic(global const uint *in, global uint *out, local uint *tmp) {
  tmp[ITEM(x)] = in[ITEM(x)];
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
  out[ITEM(x)] = tmp[SIZE(x) - 1 - ITEM(x)];
}

struct wide {
  uint head;
  uint body[30];
  ulong tail;
};

kernel void by_value(struct wide w, global ulong *out) {
  out[0] = w.head;
  out[1] = w.body[29];
  out[2] = w.tail;
}

__attribute__((amdgpu_flat_work_group_size(1, 1024))) kernel void count_up(global uint *p) { __opencl_atomic_fetch_add((volatile global atomic_uint *)p, 1, __ATOMIC_RELAXED, 1); }

__attribute__((reqd_work_group_size(64, 1, 1))) kernel void only_64(global uint *p) { p[ITEM(x)] = 1; }

// Function pointers and a table of constants: relocations.
__constant uint primes[8] = {2, 3, 5, 7, 11, 13, 17, 19};
kernel void table(global uint *out) { out[ITEM(x)] = primes[ITEM(x) & 7]; }

// c = a * b, n by n, in tiles of 16 by 16 through workgroup memory.
kernel void matmul(global const float *a, global const float *b, global float *c, uint n) {
  local float ta[16][16], tb[16][16];
  uint x = ITEM(x), y = ITEM(y), col = GROUP(x) * 16 + x, row = GROUP(y) * 16 + y;
  float sum = 0;
  for (uint k = 0; k < n; k += 16) {
    ta[y][x] = a[row * n + k + x];
    tb[y][x] = b[(k + y) * n + col];
    __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
    __builtin_amdgcn_s_barrier();
    __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
    for (uint i = 0; i < 16; i++)
      sum += ta[y][i] * tb[i][x];
    __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
    __builtin_amdgcn_s_barrier();
    __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
  }
  c[row * n + col] = sum;
}
