// The suite's kernels; drivertest.Images says what each does. OTHER is 1 in the
// second code object.

typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long u64;

#define global __attribute__((address_space(1)))
#define local __attribute__((address_space(3)))

typedef global u32 *words;
typedef volatile global u32 *watched;

#ifndef OTHER
#define OTHER 0
#endif

#define OF(axis, x, y, z) (axis == 0 ? x() : axis == 1 ? y() : z())

#ifdef __NVPTX__

#define kernel __attribute__((nvptx_kernel))

static u32 group_id(int axis) {
  return OF(axis, __nvvm_read_ptx_sreg_ctaid_x, __nvvm_read_ptx_sreg_ctaid_y,
            __nvvm_read_ptx_sreg_ctaid_z);
}

static u32 group_size(int axis) {
  return OF(axis, __nvvm_read_ptx_sreg_ntid_x, __nvvm_read_ptx_sreg_ntid_y,
            __nvvm_read_ptx_sreg_ntid_z);
}

static u32 item_id(int axis) {
  return OF(axis, __nvvm_read_ptx_sreg_tid_x, __nvvm_read_ptx_sreg_tid_y,
            __nvvm_read_ptx_sreg_tid_z);
}

static u32 grid_size(int axis) {
  return group_size(axis) * OF(axis, __nvvm_read_ptx_sreg_nctaid_x,
                               __nvvm_read_ptx_sreg_nctaid_y,
                               __nvvm_read_ptx_sreg_nctaid_z);
}

// Volatile accesses of global memory are relaxed ones in the system's scope.
static u32 seen(words at) { return *(watched)at; }

static void publish(words at, u32 value) {
  __nvvm_membar_sys();
  *(watched)at = value;
  __nvvm_membar_sys();
}

static void nap(void) { __nvvm_nanosleep(50); }

static void barrier(void) { __syncthreads(); }

#else

#define constant __attribute__((address_space(4)))
#define kernel __attribute__((amdgpu_kernel, visibility("default")))

static u32 group_id(int axis) {
  return OF(axis, __builtin_amdgcn_workgroup_id_x,
            __builtin_amdgcn_workgroup_id_y, __builtin_amdgcn_workgroup_id_z);
}

static u32 item_id(int axis) {
  return OF(axis, __builtin_amdgcn_workitem_id_x,
            __builtin_amdgcn_workitem_id_y, __builtin_amdgcn_workitem_id_z);
}

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

static u32 seen(words at) {
  return __scoped_atomic_load_n(at, __ATOMIC_ACQUIRE, __MEMORY_SCOPE_SYSTEM);
}

static void publish(words at, u32 value) {
  __scoped_atomic_store_n(at, value, __ATOMIC_RELEASE, __MEMORY_SCOPE_SYSTEM);
}

static void nap(void) { __builtin_amdgcn_s_sleep(1); }

static void barrier(void) {
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}

#endif

static u32 index_x(void) { return group_id(0) * group_size(0) + item_id(0); }

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
  u32 at[3];
  for (int k = 0; k < 3; k++)
    at[k] = group_id(k) * group_size(k) + item_id(k);
  words mine =
      out + 12 * ((at[2] * grid_size(1) + at[1]) * grid_size(0) + at[0]);
  for (int k = 0; k < 3; k++) {
    mine[k] = group_id(k);
    mine[3 + k] = group_size(k);
    mine[6 + k] = item_id(k);
    mine[9 + k] = grid_size(k);
  }
}

static u32 wait_for(words flag, u32 n) {
  for (u32 i = 0; i < n; i++) {
    if (seen(flag))
      return 2;
    nap();
  }
  return 3;
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
  u32 i = item_id(0), n = group_size(0);
  words mine = data + group_id(0) * n;
  dynamic_shared[i] = mine[i];
  barrier();
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

kernel void store_to(u64 address) { *(watched)address = 1; }
