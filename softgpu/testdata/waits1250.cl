// Kernels for gfx1250 that wait for asynchronous copies by hand. WAIT(right, wrong) waits until no more than so many
// are under way: right of them where RIGHT is defined.
#ifdef RIGHT
#define WAIT(right, wrong) __builtin_amdgcn_s_wait_asynccnt(right)
#else
#define WAIT(right, wrong) __builtin_amdgcn_s_wait_asynccnt(wrong)
#endif
#define LANE __builtin_amdgcn_workitem_id_x()
typedef unsigned int uint;
typedef global int *words;

kernel void loads(words in, words out) {
  local int x[2][64];
  uint l = LANE;
  __builtin_amdgcn_global_load_async_to_lds_b32(in + l, &x[0][l], 0, 0);
  __builtin_amdgcn_global_load_async_to_lds_b32(in + 64 + l, &x[1][l], 0, 0);
  __builtin_amdgcn_s_wait_asynccnt(1);
  int first = *(volatile local int *)&x[0][l];
  WAIT(0, 1);
  out[l] = first + *(volatile local int *)&x[1][l];
}

kernel void store(words in, words out) {
  local int x[64];
  uint l = LANE;
  *(volatile local int *)&x[l] = in[l];
  __builtin_amdgcn_global_store_async_from_lds_b32(out + l, &x[l], 0, 0);
  WAIT(0, 1);
  *(volatile local int *)&x[l] = 5;
}

kernel void chain(words in, words out) {
  local int x[64];
  uint l = LANE;
  __builtin_amdgcn_global_load_async_to_lds_b32(in + l, &x[l], 0, 0);
  WAIT(0, 1);
  __builtin_amdgcn_global_store_async_from_lds_b32(out + l, &x[l], 0, 0);
}

kernel void barrier_(words in, words out) {
  local int x[64];
  uint l = LANE;
  __builtin_amdgcn_global_load_async_to_lds_b32(in + l, &x[l], 0, 0);
  WAIT(0, 1);
  __builtin_amdgcn_s_barrier();
  out[l] = *(volatile local int *)&x[63 - l];
}

// The load and the store count together, but end in any order.
kernel void mixed(words in, words out) {
  local int x[2][64];
  uint l = LANE;
  *(volatile local int *)&x[1][l] = in[l];
  __builtin_amdgcn_global_load_async_to_lds_b32(in + l, &x[0][l], 0, 0);
  __builtin_amdgcn_global_store_async_from_lds_b32(out + l, &x[1][l], 0, 0);
  WAIT(0, 1);
  out[l] = *(volatile local int *)&x[0][l];
}

// Where as many copies are under way as there are younger loads, the first load has ended, whatever the store has done.
kernel void prefix(words in, words out) {
  local int x[3][64];
  uint l = LANE;
  *(volatile local int *)&x[2][l] = in[l];
  __builtin_amdgcn_global_load_async_to_lds_b32(in + l, &x[0][l], 0, 0);
  __builtin_amdgcn_global_store_async_from_lds_b32(out + l, &x[2][l], 0, 0);
  __builtin_amdgcn_global_load_async_to_lds_b32(in + 64 + l, &x[1][l], 0, 0);
  WAIT(1, 2);
  int first = *(volatile local int *)&x[0][l];
  __builtin_amdgcn_s_wait_asynccnt(0);
  out[l] = first + *(volatile local int *)&x[1][l];
}

kernel void refill(words in, words out) {
  local int x[64];
  uint l = LANE;
  *(volatile local int *)&x[l] = in[l];
  __builtin_amdgcn_global_store_async_from_lds_b32(out + l, &x[l], 0, 0);
  WAIT(0, 1);
  __builtin_amdgcn_global_load_async_to_lds_b32(in + 64 + l, &x[l], 0, 0);
}

kernel void again(words in, words out) {
  local int x[64];
  uint l = LANE;
  __builtin_amdgcn_global_load_async_to_lds_b32(in + l, &x[l], 0, 0);
  WAIT(0, 1);
  __builtin_amdgcn_global_load_async_to_lds_b32(in + 64 + l, &x[l], 0, 0);
  __builtin_amdgcn_s_wait_asynccnt(0);
  out[l] = *(volatile local int *)&x[l];
}

kernel void reuse(words in, words out) {
  local int x[64];
  uint l = LANE;
  *(volatile local int *)&x[l] = in[l];
  __builtin_amdgcn_global_store_async_from_lds_b32(out + l, &x[l], 0, 0);
  WAIT(0, 1);
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  __builtin_amdgcn_s_barrier();
  *(volatile local int *)&x[63 - l] = 5;
}

// The copies are under way at the first barrier, are then announced at a barrier in LDS, and are waited for.
kernel void arrives(words in, words out) {
  local int x[64];
  local long there;
  uint l = LANE;
  __builtin_amdgcn_global_load_async_to_lds_b32(in + l, &x[l], 0, 0);
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_ds_atomic_async_barrier_arrive_b64(&there);
  __builtin_amdgcn_s_wait_asynccnt(0);
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  __builtin_amdgcn_s_barrier();
  out[l] = *(volatile local int *)&x[63 - l];
}
