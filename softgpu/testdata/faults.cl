// Kernels that go too far.

#define ITEM __builtin_amdgcn_workitem_id_x()

// Each call keeps 64 bytes and what the compiler adds.
__attribute__((noinline)) static uint deep(uint n, uint x) {
  volatile uint kept[16];
  for (int i = 0; i < 16; i++) kept[i] = x + i;
  uint below = n == 0 ? 0 : deep(n - 1, x * 3 + 1);
  return below * 5 + kept[n & 15];
}
kernel void nested(global uint *out, uint depth) { out[ITEM] = deep(depth, ITEM); }

// The index is not checked by anybody.
kernel void index(global uint *out, uint at) {
  volatile uint a[8];
  for (int i = 0; i < 8; i++) a[i] = i;
  a[at] = ITEM;
  out[ITEM] = a[0] + a[7];
}

// The same through a generic pointer.
__attribute__((noinline)) static void put(volatile uint *p, uint at) { p[at] = 7; }
kernel void generic_index(global uint *out, uint at) {
  volatile uint a[8];
  put((volatile uint *)a, at);
  out[ITEM] = a[at & 7];
}
