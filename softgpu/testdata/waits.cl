// Kernels that wait by hand. WAIT(right, wrong) is an s_waitcnt: for right counters where
// RIGHT is defined, else for wrong ones; "" is none at all.
#ifdef RIGHT
#define WAIT(right, wrong) "s_waitcnt " right "\n"
#else
#define WAIT(right, wrong) wrong
#endif
#define ALL "s_waitcnt vmcnt(0) lgkmcnt(0)\n"

#define ITEM __builtin_amdgcn_workitem_id_x()
typedef unsigned int uint;
typedef unsigned long ulong;
typedef global uint *words;

kernel void vector_load(words in, words out) {
  uint x, i = ITEM;
  __asm__ volatile("global_load_dword %0, %1, off\n" WAIT("vmcnt(0)", "")
               "v_add_u32 %0, 1, %0\n" ALL : "=&v"(x) : "v"(in + i));
  out[i] = x;
}

kernel void second_of_three(words in, words out) {
  uint x, y, z, i = ITEM;
  __asm__ volatile("global_load_dword %0, %3, off\n"
               "global_load_dword %1, %3, off offset:4\n"
               "global_store_dword %4, %5, off\n" WAIT("vmcnt(1)", "s_waitcnt vmcnt(2)\n")
               "v_add_u32 %2, %0, %1\n" ALL : "=&v"(x), "=&v"(y), "=&v"(z) : "v"(in + i), "v"(out + 64 + i), "v"(i));
  out[i] = z;
}

kernel void overwritten(words in, words out) {
  uint x, i = ITEM;
  __asm__ volatile("global_load_dword %0, %1, off\n" WAIT("vmcnt(0)", "")
               "v_mov_b32 %0, 7\n" ALL : "=&v"(x) : "v"(in + i));
  out[i] = x;
}

kernel void loaded_twice(words in, words out) {
  uint x, i = ITEM;
  __asm__ volatile("global_load_dword %0, %1, off\n"
               "global_load_dword %0, %1, off offset:4\n" WAIT("vmcnt(0)", "s_waitcnt vmcnt(1)\n")
               "v_add_u32 %0, 1, %0\n" ALL : "=&v"(x) : "v"(in + i));
  out[i] = x;
}

kernel void other_lanes(words in, words out) {
  uint x, i = ITEM;
  ulong exec;
  __asm__ volatile("s_mov_b64 %1, exec\n"
               "s_mov_b64 exec, 0xff\n"
               "global_load_dword %0, %2, off\n"
               "s_not_b64 exec, exec\n"
               "v_mov_b32 %0, 7\n"
               "s_mov_b64 exec, %1\n" WAIT("vmcnt(0)", "")
               "v_add_u32 %0, 1, %0\n" ALL : "=&v"(x), "=&s"(exec) : "v"(in + i) : "scc");
  out[i] = x;
}

kernel void scalar_loads(words in, words out) {
  uint x, y;
  __asm__ volatile("s_load_dword %0, %2, 0x0\n"
               "s_load_dword %1, %2, 0x4\n" WAIT("lgkmcnt(0)", "s_waitcnt lgkmcnt(1)\n")
               "s_add_u32 %0, %0, 1\n" ALL : "=&s"(x), "=&s"(y) : "s"(__builtin_amdgcn_dispatch_ptr()) : "scc");
  out[ITEM] = x + y;
}

kernel void local_load(words in, words out) {
  local uint tile[64];
  uint x, i = ITEM;
  tile[i] = in[i];
  __asm__ volatile(ALL "ds_read_b32 %0, %1\n"
               "ds_write_b32 %1, %2\n" WAIT("lgkmcnt(1)", "")
               "v_add_u32 %0, 1, %0\n" ALL : "=&v"(x) : "v"(tile + i), "v"(i) : "memory");
  out[i] = x + tile[i];
}

kernel void local_store(words in, words out) {
  local uint tile[128];
  uint x, i = ITEM;
  __asm__ volatile("ds_write_b32 %1, %2\n" WAIT("lgkmcnt(0)", "")
               "s_barrier\n"
               "ds_read_b32 %0, %3\n" ALL : "=&v"(x) : "v"(tile + i), "v"(in[i]), "v"(tile + (127 - i)) : "memory");
  out[i] = x;
}

kernel void waits_late(words in, words out) {
  local uint tile[128];
  uint x, i = ITEM;
  __asm__ volatile("ds_write_b32 %1, %2\n"
               "s_barrier\n"
               "s_waitcnt lgkmcnt(0)\n" WAIT("lgkmcnt(0)\ns_barrier", "")
               "ds_read_b32 %0, %3\n" ALL : "=&v"(x) : "v"(tile + i), "v"(in[i]), "v"(tile + (127 - i)) : "memory");
  out[i] = x;
}

kernel void flat_load(words in, words out) {
  local uint tile[64];
  uint x, i = ITEM;
  tile[i] = in[i];
  __asm__ volatile(ALL "flat_load_dword %0, %1\n" WAIT("lgkmcnt(0)", "s_waitcnt vmcnt(0)\n")
               "v_add_u32 %0, 1, %0\n" ALL : "=&v"(x) : "v"((generic uint *)(tile + i)) : "memory");
  out[i] = x;
}

kernel void flat_load_of_global(words in, words out) {
  uint x, i = ITEM;
  __asm__ volatile("flat_load_dword %0, %1\n" WAIT("vmcnt(0)", "s_waitcnt lgkmcnt(0)\n")
               "v_add_u32 %0, 1, %0\n" ALL : "=&v"(x) : "v"((generic uint *)(in + i)) : "memory");
  out[i] = x;
}

#ifndef __GFX9__ // RDNA counts each flat load by both counters, in the order of issue
kernel void flat_loads(words in, words out) {
  local uint tile[64];
  uint x, y, i = ITEM;
  tile[i] = in[i];
  __asm__ volatile(ALL "flat_load_dword %0, %2\n"
               "flat_load_dword %1, %2\n" WAIT("vmcnt(1) lgkmcnt(1)", "s_waitcnt vmcnt(2) lgkmcnt(1)\n")
               "v_add_u32 %0, 1, %0\n" ALL : "=&v"(x), "=&v"(y) : "v"(i % 2 ? (generic uint *)(tile + i) : (generic uint *)(in + i)) : "memory");
  out[i] = x;
}

kernel void local_and_flat_load(words in, words out) {
  local uint tile[64];
  uint x, y, i = ITEM;
  tile[i] = in[i];
  __asm__ volatile(ALL "ds_read_b32 %0, %2\n"
               "flat_load_dword %1, %3\n" WAIT("lgkmcnt(1)", "s_waitcnt lgkmcnt(2)\n")
               "v_add_u32 %0, 1, %0\n" ALL : "=&v"(x), "=&v"(y) : "v"(tile + i), "v"((generic uint *)(in + i)) : "memory");
  out[i] = x;
}

kernel void vector_and_flat_load(words in, words out) {
  local uint tile[64];
  uint x, y, i = ITEM;
  tile[i] = in[i];
  __asm__ volatile(ALL "global_load_dword %0, %2, off\n"
               "flat_load_dword %1, %3\n" WAIT("vmcnt(1)", "s_waitcnt vmcnt(2)\n")
               "v_add_u32 %0, 1, %0\n" ALL : "=&v"(x), "=&v"(y) : "v"(in + i), "v"((generic uint *)(tile + i)) : "memory");
  out[i] = x;
}
#endif

#ifdef __gfx942__
kernel void load_into_local(words in, words out) {
  local uint tile[64];
  uint x, i = ITEM;
  tile[i] = i;
  __asm__ volatile(ALL "s_mov_b32 m0, %2\n"
               "s_nop 0\n"
               "global_load_lds_dword %1, off\n" WAIT("vmcnt(0)", "s_waitcnt lgkmcnt(0)\n")
               "ds_read_b32 %0, %3\n" ALL : "=&v"(x) : "v"(in + i), "s"((uint)tile), "v"(tile + i) : "memory");
  out[i] = x;
}
#endif

// What a wave leaves under way when it ends is nothing to the next one.
kernel void ends_early(words in, words out) {
  __asm__ volatile("v_mov_b32 v9, 0\n"
                   "global_load_dword v9, %0, off\n" : : "v"(in + ITEM) : "v9");
}

kernel void branch(words in, words out) {
  uint x;
  __asm__ volatile("s_load_dwordx2 vcc, %1, 0x0\n" WAIT("lgkmcnt(0)", "")
               "s_cbranch_vccz 0\n"
               "v_mov_b32 %0, 1\n" ALL : "=&v"(x) : "s"(__builtin_amdgcn_dispatch_ptr()) : "vcc");
  out[ITEM] = x;
}
