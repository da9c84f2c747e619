// HIP's printf with -mprintf-kind=buffered.
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))

extern "C" __device__ int printf(const char *, ...);

extern "C" __device__ __attribute__((used)) char *__printf_alloc(unsigned bytes) {
  unsigned *b = ((unsigned **)__builtin_amdgcn_implicitarg_ptr())[9];
  unsigned at = __hip_atomic_load(b, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
  for (;;) {
    if (at + 8 + bytes > b[1]) return 0;
    if (__hip_atomic_compare_exchange_strong(b, &at, at + bytes, __ATOMIC_RELAXED, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT)) break;
  }
  return (char *)b + 8 + at;
}

extern "C" __global__ void prints(const char *format, int n) {
  printf("item %d: %s %f\n", n + (int)__builtin_amdgcn_workitem_id_x(), "text", 1.5);
  printf(format, n, 7);
}
