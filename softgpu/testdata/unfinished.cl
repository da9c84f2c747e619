// Kernels whose waves exchange global memory at a barrier. The fences order all memory where RIGHT is defined, else LDS
// only, so that the compiler waits for no global memory.
#define FULL_FENCE(order) __builtin_amdgcn_fence(order, "workgroup")
#define FULL_BARRIER (FULL_FENCE(__ATOMIC_RELEASE), __builtin_amdgcn_s_barrier(), FULL_FENCE(__ATOMIC_ACQUIRE))
#ifdef RIGHT
#define BARRIER FULL_BARRIER
#else
#define FENCE(order) __builtin_amdgcn_fence(order, "workgroup", "local")
#define BARRIER (FENCE(__ATOMIC_RELEASE), __builtin_amdgcn_s_barrier(), FENCE(__ATOMIC_ACQUIRE))
#endif

#define ITEM __builtin_amdgcn_workitem_id_x()
#define OTHER (ITEM ^ 64)
#define ADD(p) __opencl_atomic_fetch_add((atomics)(p), 1, __ATOMIC_RELAXED, __OPENCL_MEMORY_SCOPE_DEVICE)
#define LOAD(p) __opencl_atomic_load((atomics)(p), __ATOMIC_RELAXED, __OPENCL_MEMORY_SCOPE_DEVICE)
typedef unsigned int uint;
typedef unsigned char uchar;
typedef global uint *words;
typedef global atomic_uint *atomics;

kernel void store(words a, words out) {
  a[ITEM] = ITEM;
  BARRIER;
  out[ITEM] = a[OTHER];
}

kernel void store_by_flat(words a, words out) {
  generic uint *p = a;
  __asm__("" : "+v"(p));
  p[ITEM] = ITEM;
  BARRIER;
  out[ITEM] = a[OTHER];
}

kernel void add(words a, words out) {
  ADD(a + ITEM);
  BARRIER;
  out[ITEM] = a[OTHER];
}

kernel void load(words a, words out) {
  uint x = a[ITEM];
  BARRIER;
  a[OTHER] = 1000;
  out[ITEM] = x;
}

kernel void store_twice(words a, words out) {
  a[ITEM] = 1;
  BARRIER;
  a[OTHER] = 2;
}

// Atomics need no order.
kernel void add_twice(words a, words out) {
  ADD(a + ITEM);
  BARRIER;
  ADD(a + OTHER);
  out[ITEM] = LOAD(a + OTHER);
}

// A store of what is there already.
kernel void same_value(words a, words out) {
  a[0] = 7;
  BARRIER;
  a[0] = 7;
}

// Bytes of one word are not the same memory.
kernel void bytes(words a, words out) {
  global uchar *b = (global uchar *)a;
  b[ITEM + 1] = ITEM;
  BARRIER;
  out[ITEM] = b[ITEM + 1];
}

// Two lanes store to each word, and its first byte is read.
kernel void two_bytes(words a, words out) {
  global uchar *b = (global uchar *)a;
  b[ITEM * 2] = 1;
  BARRIER;
  out[ITEM] = b[OTHER * 2 & ~3];
}

// Two lanes store to each word, and its third byte is read.
kernel void third_byte(words a, words out) {
  global uchar *b = (global uchar *)a;
  b[ITEM * 2] = 1;
  BARRIER;
  out[ITEM] = b[OTHER * 2 | 2];
}

// A second barrier comes after the wait.
kernel void waits_before_the_next(words a, words out) {
  a[ITEM] = ITEM;
  BARRIER;
  FULL_BARRIER;
  out[ITEM] = a[OTHER];
}

// The second half learns by a flag that the first one has waited.
kernel void flag(words a, words out) {
  if (ITEM < 64)
    a[ITEM] = ITEM;
  BARRIER;
  if (ITEM < 64) {
    __builtin_amdgcn_fence(__ATOMIC_RELEASE, "agent");
    ADD(a + 128);
  } else {
    while (LOAD(a + 128) < 64)
      ;
    __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "agent");
    out[ITEM] = a[OTHER];
  }
}
