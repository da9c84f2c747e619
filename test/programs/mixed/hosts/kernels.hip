// Kernels of the random programs. IMAGE 0 has no variables, IMAGE 1 a constant, IMAGE 2 a constant and a variable that
// kernels write.
#define GLOBAL __attribute__((global))
#define DEVICE __attribute__((device))
#define CONSTANT __attribute__((constant))
#define ITEM (__builtin_amdgcn_workgroup_id_x() * 64 + __builtin_amdgcn_workitem_id_x())

#if IMAGE > 0
#define T(i) 100 * (IMAGE + 1) + i
extern "C" CONSTANT unsigned table[16] = {T(0), T(1), T(2),  T(3),  T(4),  T(5),  T(6),  T(7),
                                          T(8), T(9), T(10), T(11), T(12), T(13), T(14), T(15)};
#define TABLE(i) table[i]
#else
#define TABLE(i) (100 + (i))
#endif
#if IMAGE > 1
#define C(i) 7 * (IMAGE + 1) + i
extern "C" DEVICE unsigned counter[16] = {C(0), C(1), C(2),  C(3),  C(4),  C(5),  C(6),  C(7),
                                          C(8), C(9), C(10), C(11), C(12), C(13), C(14), C(15)};
#define COUNTER(i) counter[i]
#else
#define COUNTER(i) (7 * (IMAGE + 1) + (i))
#endif

extern "C" GLOBAL void step(unsigned *p, unsigned n, unsigned k) {
  unsigned i = ITEM;
  if (i < n)
    p[i] = p[i] * 3 + k;
}

extern "C" GLOBAL void look(unsigned *p, unsigned n) {
  unsigned i = ITEM;
  if (i < n)
    p[i] = TABLE(i & 15) * 1000 + COUNTER(i & 15);
}

extern "C" GLOBAL void bump(unsigned *p, unsigned k) {
#if IMAGE > 1
  unsigned i = ITEM;
  if (i < 16)
    counter[i] += k;
#endif
}

// The HIP library for tests runs another one, and takes from here that the kernel calls the host: AMD's 5.2.3 crashes on
// kernels of LLVM 22 that do.
#ifdef PRINTS
extern "C" DEVICE __attribute__((noinline)) void __ockl_hostcall_internal(void *p) { asm volatile("s_nop 0" ::"v"(p)); }

extern "C" GLOBAL void print(unsigned) {
  __ockl_hostcall_internal(((void **)__builtin_amdgcn_implicitarg_ptr())[3]);
}
#endif

extern "C" GLOBAL void spin(unsigned *p, unsigned n) {
  unsigned x = n;
  for (unsigned i = 0; i < n; i++)
    asm volatile("v_add_u32 %0, %0, %0" : "+v"(x));
}
