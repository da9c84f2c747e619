// Kernels whose instructions and lanes are known, for the profile.

#define LOCAL __builtin_amdgcn_workitem_id_x()
#define ITEM (__builtin_amdgcn_workgroup_id_x() * 64 + LOCAL)
#define BARRIER __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup"); __builtin_amdgcn_s_barrier(); __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup")

// Each approximate function once. The sums go to memory alone.
kernel void functions(global const float *in, global float *out) {
  float x = in[ITEM];
  out[ITEM] = __builtin_amdgcn_exp2f(x) + __builtin_amdgcn_logf(x) + __builtin_amdgcn_rcpf(x) + __builtin_amdgcn_rsqf(x) + __builtin_amdgcn_sqrtf(x) +
              __builtin_amdgcn_sinf(x) + __builtin_amdgcn_cosf(x);
}

kernel void exact(global const float *in, global float *out) { out[ITEM] = __builtin_fmaf(in[ITEM], 3.0f, in[ITEM + 1]); }

kernel void to_address(global const float *in, global float *out) {
  int at = (int)__builtin_amdgcn_exp2f(in[ITEM]) & 15;
  out[ITEM] = in[at];
}

kernel void to_branch(global const float *in, global float *out) {
  if (__builtin_amdgcn_exp2f(in[ITEM]) > 2.0f)
    out[ITEM] = in[ITEM];
}

// The result goes through LDS, to another lane.
kernel void through_lds(global const float *in, global float *out) {
  local float all[64];
  all[LOCAL] = __builtin_amdgcn_exp2f(in[ITEM]);
  BARRIER;
  int at = (int)all[LOCAL ^ 1] & 15;
  out[ITEM] = in[at];
}

// And through global memory.
kernel void through_memory(global const float *in, volatile global float *out) {
  out[ITEM] = __builtin_amdgcn_exp2f(in[ITEM]);
  int at = (int)out[ITEM] & 15;
  out[ITEM + 64] = in[at];
}

// Memory that held one, and no longer does.
kernel void overwritten(global const float *in, volatile global float *out) {
  out[ITEM] = __builtin_amdgcn_exp2f(in[ITEM]);
  out[ITEM] = in[ITEM];
  int at = (int)out[ITEM] & 15;
  out[ITEM + 64] = in[at];
}

// IEEE division is exact, whatever its reciprocal is.
kernel void quotient(global const float *in, global float *out) {
  int at = (int)(in[ITEM] / in[ITEM + 1]) & 15;
  out[ITEM] = in[at];
}

kernel void integer_quotient(global const float *in, global float *out, uint by) { out[ITEM / by] = in[ITEM]; }

kernel void divergent(global const float *in, global float *out) {
  if (LOCAL < 3)
    out[ITEM] = in[ITEM];
}

// Words that are stride apart.
kernel void strided(global float *out, uint stride) {
  local float all[64 * 32];
  all[LOCAL * stride] = 1.0f;
  BARRIER;
  out[ITEM] = all[LOCAL * stride];
}

// A lane's own memory, by a place that the compiler does not know.
kernel void through_private(global const float *in, global float *out) {
  volatile float own[8];
  int place = LOCAL & 7;
  own[place] = __builtin_amdgcn_exp2f(in[ITEM]);
  out[ITEM] = in[(int)own[place] & 15];
}

// A branch of the whole wave.
kernel void uniform(global const float *in, global float *out) {
  float x = __builtin_amdgcn_exp2f(in[ITEM]);
  if (__builtin_amdgcn_readfirstlane(__builtin_bit_cast(int, x)) > 0x40000000)
    out[ITEM] = in[ITEM];
}

// By way of other lanes' registers.
kernel void exchanged(global const float *in, global float *out) {
  int x = __builtin_bit_cast(int, __builtin_amdgcn_exp2f(in[ITEM]));
  x = __builtin_amdgcn_mov_dpp(x, 0xb1, 0xf, 0xf, true);
  x = __builtin_amdgcn_ds_bpermute((LOCAL ^ 3) * 4, x);
  x = __builtin_amdgcn_ds_swizzle(x, 0x041f);
  out[ITEM] = in[x >> 20 & 15];
}

// One word for all, which the compiler does not know.
kernel void counted(global float *out) {
  local uint all[64];
  int place = 0;
  __asm__ volatile("" : "+v"(place));
  __opencl_atomic_fetch_add((local atomic_uint *)&all[place], LOCAL, memory_order_relaxed, memory_scope_work_group);
  __opencl_atomic_fetch_add((global atomic_uint *)out + place, LOCAL, memory_order_relaxed, memory_scope_device);
}

__attribute__((amdgpu_flat_work_group_size(1, 1024))) kernel void small(global float *out) { out[LOCAL & 63] = 1.0f; }

// 128 vector registers.
kernel void large(global float *out) {
  __asm__ volatile("v_mov_b32 v127, 0" ::: "v127");
  out[LOCAL & 63] = 1.0f;
}

// 102 scalar registers, with VCC and the like 108.
kernel void scalars(global float *out) {
  __asm__ volatile("s_mov_b32 s101, 0" ::: "s101");
  out[LOCAL & 63] = 1.0f;
}
