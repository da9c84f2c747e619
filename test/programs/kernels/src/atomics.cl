// OpenCL C 2.0
// Atomics of all kinds, on global and workgroup memory, of 32 and 64 bits.
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable

kernel void atomics_32(global uint *cell, global const uint *in) {
  uint x = in[get_global_id(0)];
  atomic_add(&cell[0], x);
  atomic_sub(&cell[1], x);
  atomic_and(&cell[2], x | 0xffff);
  atomic_or(&cell[3], x & 0x10101);
  atomic_xor(&cell[4], x);
  atomic_min(&cell[5], x);
  atomic_max(&cell[6], x);
  atomic_min((volatile global int *)&cell[7], (int)x);
  atomic_max((volatile global int *)&cell[8], (int)x);
  atomic_inc(&cell[9]);
  atomic_dec(&cell[10]);
}

kernel void atomics_64(global ulong *cell, global const ulong *in) {
  ulong x = in[get_global_id(0)];
  atom_add(&cell[0], x);
  atom_sub(&cell[1], x);
  atom_and(&cell[2], x | 0xffffffff0);
  atom_or(&cell[3], x & 0x100000001);
  atom_xor(&cell[4], x);
  atom_min(&cell[5], x);
  atom_max(&cell[6], x);
  atom_min((volatile global long *)&cell[7], (long)x);
  atom_max((volatile global long *)&cell[8], (long)x);
  atom_inc(&cell[9]);
  atom_dec(&cell[10]);
}

kernel void local_atomics(global const ulong *in, global uint *out32, global ulong *out64) {
  local uint c[8];
  local ulong d[8];
  uint i = get_local_id(0);
  if (i < 8) {
    c[i] = i & 1 ? 0xffffffff : 0;
    d[i] = i & 1 ? ~0UL : 0;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  ulong x = in[get_global_id(0)];
  atomic_add(&c[0], (uint)x);
  atomic_and(&c[1], (uint)x | 0xff00);
  atomic_or(&c[2], (uint)x & 0xff);
  atomic_min(&c[3], (uint)x);
  atomic_max(&c[4], (uint)x);
  atomic_xor(&c[6], (uint)x);
  atom_add(&d[0], x);
  atom_min(&d[1], x);
  atom_max(&d[2], x);
  atom_and(&d[3], x | 0xff00000000);
  atom_xor(&d[4], x);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (i < 8) {
    out32[get_group_id(0) * 8 + i] = c[i];
    out64[get_group_id(0) * 8 + i] = d[i];
  }
}

// Sums of floats by comparing and swapping.
kernel void float_sum(volatile global float *sum, global const float *in) {
  float x = in[get_global_id(0)];
  volatile global uint *p = (volatile global uint *)sum;
  uint old = *p, seen;
  while ((seen = atomic_cmpxchg(p, old, as_uint(as_float(old) + x))) != old)
    old = seen;
}

// Each work-item takes a ticket; all tickets differ.
kernel void tickets(global uint *next, global uint *taken) { taken[atomic_inc(next)] = get_global_id(0); }

// A linked list to which all work-items add themselves.
kernel void linked_list(global int *head, global int *after) {
  int me = get_global_id(0);
  after[me] = atomic_xchg(head, me);
}

// C11's atomics, with orders and scopes.
kernel void c11_atomics(global atomic_int *flag, global atomic_uint *sum, global int *out) {
  int i = get_global_id(0), want = 0;
  __opencl_atomic_fetch_add(sum, i, __ATOMIC_RELAXED, __OPENCL_MEMORY_SCOPE_DEVICE);
  if (__opencl_atomic_compare_exchange_strong(flag, &want, i + 1, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE, __OPENCL_MEMORY_SCOPE_DEVICE))
    out[0] = i + 1;
  __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "agent");
  if (i == 0)
    __opencl_atomic_store((global atomic_int *)&out[1], 42, __ATOMIC_RELEASE, __OPENCL_MEMORY_SCOPE_ALL_SVM_DEVICES);
}
