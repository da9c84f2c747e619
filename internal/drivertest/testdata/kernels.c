// The suite's kernels for AMD GPUs; drivertest.Images says what each does.
// OTHER is 1 in the second code object.

typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long u64;

#define global __attribute__((address_space(1)))
#define local __attribute__((address_space(3)))
#define constant __attribute__((address_space(4)))
#define kernel __attribute__((amdgpu_kernel, visibility("default")))

typedef global u32 *words;

#ifndef OTHER
#define OTHER 0
#endif

// Sizes come through the dispatch packet, which every code object version has.
typedef struct {
  u16 header, setup, group[3], reserved;
  u32 grid[3];
} packet;

static u32 group_size(int axis) {
  return ((constant packet *)__builtin_amdgcn_dispatch_ptr())->group[axis];
}

static u32 grid_size(int axis) {
  return ((constant packet *)__builtin_amdgcn_dispatch_ptr())->grid[axis];
}

static u32 index_x(void) {
  return __builtin_amdgcn_workgroup_id_x() * group_size(0) +
         __builtin_amdgcn_workitem_id_x();
}

kernel void empty(void) {}

kernel void fill(words out, u32 value, u32 n) {
  u32 i = index_x();
  if (i < n)
    out[i] = value + OTHER;
}

kernel void vector_add(global float *a, global float *b, global float *out,
                       u32 n) {
  u32 i = index_x();
  if (i < n)
    out[i] = a[i] + b[i];
}

kernel void step(words out, u32 n) {
  u32 i = index_x();
  if (i < n)
    out[i] = 3 * out[i] + 1;
}

kernel void indices(words out) {
  u32 group[3] = {__builtin_amdgcn_workgroup_id_x(),
                  __builtin_amdgcn_workgroup_id_y(),
                  __builtin_amdgcn_workgroup_id_z()};
  u32 item[3] = {__builtin_amdgcn_workitem_id_x(),
                 __builtin_amdgcn_workitem_id_y(),
                 __builtin_amdgcn_workitem_id_z()};
  u32 at[3];
  for (int k = 0; k < 3; k++)
    at[k] = group[k] * group_size(k) + item[k];
  words mine =
      out + 12 * ((at[2] * grid_size(1) + at[1]) * grid_size(0) + at[0]);
  for (int k = 0; k < 3; k++) {
    mine[k] = group[k];
    mine[3 + k] = group_size(k);
    mine[6 + k] = item[k];
    mine[9 + k] = grid_size(k);
  }
}

static u32 wait_for(words flag, u32 n) {
  for (u32 i = 0; i < n; i++) {
    if (__scoped_atomic_load_n(flag, __ATOMIC_ACQUIRE, __MEMORY_SCOPE_SYSTEM))
      return 2;
    __builtin_amdgcn_s_sleep(1);
  }
  return 3;
}

static void publish(words at, u32 value) {
  __scoped_atomic_store_n(at, value, __ATOMIC_RELEASE, __MEMORY_SCOPE_SYSTEM);
}

kernel void spin_until(words flag, words reached, u32 n) {
  publish(reached, 1);
  publish(reached, wait_for(flag, n));
}

kernel void meet(words mine, words other, words out, u32 n) {
  publish(mine, 1);
  publish(out, wait_for(other, n));
}

extern local u32 dynamic_shared[];

kernel void reverse_shared(words data) {
  u32 i = __builtin_amdgcn_workitem_id_x(), n = group_size(0);
  words mine = data + __builtin_amdgcn_workgroup_id_x() * n;
  dynamic_shared[i] = mine[i];
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
  mine[i] = dynamic_shared[n - 1 - i];
}

kernel void scalars(u8 a, u16 b, u32 c, u64 d, float e, double f,
                    global u64 *out) {
  out[0] = a;
  out[1] = b;
  out[2] = c;
  out[3] = d;
  out[4] = __builtin_bit_cast(u32, e);
  out[5] = __builtin_bit_cast(u64, f);
}

kernel void store_to(u64 address) { *(volatile words)address = 1; }
