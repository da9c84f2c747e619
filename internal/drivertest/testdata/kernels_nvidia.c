// The suite's kernels for NVIDIA GPUs; drivertest.Images says what each does.
// OTHER is 1 in the second module.

typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long u64;

#define global __attribute__((address_space(1)))
#define shared __attribute__((address_space(3)))
#define kernel __attribute__((nvptx_kernel))

typedef global u32 *words;
typedef volatile global u32 *watched;

#ifndef OTHER
#define OTHER 0
#endif

static u32 index_x(void) {
  return __nvvm_read_ptx_sreg_ctaid_x() * __nvvm_read_ptx_sreg_ntid_x() +
         __nvvm_read_ptx_sreg_tid_x();
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
  u32 group[3] = {__nvvm_read_ptx_sreg_ctaid_x(),
                  __nvvm_read_ptx_sreg_ctaid_y(),
                  __nvvm_read_ptx_sreg_ctaid_z()};
  u32 groups[3] = {__nvvm_read_ptx_sreg_nctaid_x(),
                   __nvvm_read_ptx_sreg_nctaid_y(),
                   __nvvm_read_ptx_sreg_nctaid_z()};
  u32 item[3] = {__nvvm_read_ptx_sreg_tid_x(), __nvvm_read_ptx_sreg_tid_y(),
                 __nvvm_read_ptx_sreg_tid_z()};
  u32 size[3] = {__nvvm_read_ptx_sreg_ntid_x(), __nvvm_read_ptx_sreg_ntid_y(),
                 __nvvm_read_ptx_sreg_ntid_z()};
  u32 at[3], grid[3];
  for (int k = 0; k < 3; k++) {
    at[k] = group[k] * size[k] + item[k];
    grid[k] = groups[k] * size[k];
  }
  words mine = out + 12 * ((at[2] * grid[1] + at[1]) * grid[0] + at[0]);
  for (int k = 0; k < 3; k++) {
    mine[k] = group[k];
    mine[3 + k] = size[k];
    mine[6 + k] = item[k];
    mine[9 + k] = grid[k];
  }
}

// Volatile accesses of global memory are relaxed ones in the system's scope.
static u32 wait_for(words flag, u32 n) {
  for (u32 i = 0; i < n; i++) {
    if (*(watched)flag)
      return 2;
    __nvvm_nanosleep(50);
  }
  return 3;
}

static void publish(words at, u32 value) {
  __nvvm_membar_sys();
  *(watched)at = value;
  __nvvm_membar_sys();
}

kernel void spin_until(words flag, words reached, u32 n) {
  publish(reached, 1);
  publish(reached, wait_for(flag, n));
}

kernel void meet(words mine, words other, words out, u32 n) {
  publish(mine, 1);
  publish(out, wait_for(other, n));
}

extern shared u32 dynamic_shared[];

kernel void reverse_shared(words data) {
  u32 i = __nvvm_read_ptx_sreg_tid_x(), n = __nvvm_read_ptx_sreg_ntid_x();
  words mine = data + __nvvm_read_ptx_sreg_ctaid_x() * n;
  dynamic_shared[i] = mine[i];
  __syncthreads();
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
