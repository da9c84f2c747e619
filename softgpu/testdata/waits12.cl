// Kernels for GFX12 that wait by hand, for one counter at a time. WAIT(right, wrong) is the right wait
// where RIGHT is defined.
#ifdef RIGHT
#define WAIT(right, wrong) right "\n"
#else
#define WAIT(right, wrong) wrong "\n"
#endif
#define ALL "s_wait_loadcnt_dscnt 0x0\ns_wait_kmcnt 0x0\n"
#define BARRIER "s_barrier_signal -1\ns_barrier_wait -1\n"

#define ITEM __builtin_amdgcn_workitem_id_x()
typedef unsigned int uint;
typedef unsigned long ulong;
typedef global uint *words;

kernel void vector_load(words in, words out) {
  uint x, i = ITEM;
  __asm__ volatile("global_load_b32 %0, %1, off\n" WAIT("s_wait_loadcnt 0x0", "s_wait_dscnt 0x0")
               "v_add_nc_u32 %0, 1, %0\n" ALL : "=&v"(x) : "v"(in + i));
  out[i] = x;
}

kernel void past_a_store(words in, words out) {
  uint x, i = ITEM;
  __asm__ volatile("global_load_b32 %0, %1, off\n"
               "global_store_b32 %2, %3, off\n" WAIT("s_wait_loadcnt 0x0", "s_wait_storecnt 0x0")
               "v_add_nc_u32 %0, 1, %0\n" ALL : "=&v"(x) : "v"(in + i), "v"(out + 64 + i), "v"(i));
  out[i] = x;
}

// The counter falls in order, but registers may be written in another.
kernel void loaded_twice(words in, words out) {
  uint x, i = ITEM;
  __asm__ volatile("global_load_b32 %0, %1, off\n" WAIT("s_wait_loadcnt 0x0", "")
               "global_load_b32 %0, %1, off offset:4\ns_wait_loadcnt 0x0\n"
               "v_add_nc_u32 %0, 1, %0\n" ALL : "=&v"(x) : "v"(in + i));
  out[i] = x;
}

kernel void scalar_load(words in, words out) {
  uint x, i = ITEM;
  __asm__ volatile("s_load_b32 %0, %1, 0x0\n" WAIT("s_wait_kmcnt 0x0", "s_wait_loadcnt_dscnt 0x0")
               "s_add_co_u32 %0, %0, 1\n" ALL : "=&s"(x) : "s"(__builtin_amdgcn_dispatch_ptr()) : "scc");
  out[i] = x;
}

kernel void local_load(words in, words out) {
  local uint room[64];
  uint x, y, i = ITEM;
  room[i] = in[i];
  __asm__ volatile(ALL "ds_load_b32 %0, %2\n"
               "ds_load_b32 %1, %2\n" WAIT("s_wait_dscnt 0x1", "s_wait_dscnt 0x2")
               "v_add_nc_u32 %0, 1, %0\n" ALL : "=&v"(x), "=&v"(y) : "v"((local uint *)room + i));
  out[i] = x + y;
}

kernel void local_store(words in, words out) {
  local uint room[128];
  uint x, i = ITEM;
  __asm__ volatile("ds_store_b32 %1, %2\n" WAIT("s_wait_dscnt 0x0", "") BARRIER
               "ds_load_b32 %0, %3\n" ALL : "=&v"(x) : "v"((local uint *)room + i), "v"(i), "v"((local uint *)room + (i ^ 64)) : "memory");
  out[i] = x;
}
