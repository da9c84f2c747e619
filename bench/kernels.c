// The kernels of bench/work.c, for NVIDIA and AMD GPUs.

#ifdef __NVPTX__
#define kernel __attribute__((nvptx_kernel))
#else
#define kernel __attribute__((amdgpu_kernel, visibility("protected")))
#endif

kernel void empty(void) {}

// Runs for as many ticks of the device's steady clock.
kernel void spin(unsigned long ticks) {
  unsigned long begin = __builtin_readsteadycounter();
  while (__builtin_readsteadycounter() - begin < ticks) {
  }
}

// Has parameters, and leaves memory alone unless told otherwise.
kernel void args(float *a, float *b, unsigned long n, unsigned flag, float x) {
  if (flag)
    a[n] = b[n] * x;
}
