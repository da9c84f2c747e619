/* One run of the kernel saxpy of internal/codeobj/testdata: loads the module,
 * prints the four factors that are compiled into it, and unloads it. */
#include <mgpu_runtime.h>

#include <stdint.h>
#include <stdio.h>
#include <string.h>

static void run_saxpy(void *blob) {
  void *m = mgpuModuleLoad(blob, 0);
  void *f = mgpuModuleGetFunction(m, "saxpy");
  void *s = mgpuStreamCreate();
  float *y = mgpuMemAlloc(256, NULL, 1), *x = mgpuMemAlloc(256, NULL, 1);
  float one = 1, a = 1, back[4];
  uint32_t bits, local = 0;
  int n = 64;
  memcpy(&bits, &one, 4);
  mgpuMemset32(y, 0, 64, s);
  mgpuMemset32(x, bits, 64, s);
  void *params[] = {&y, &x, &a, &n, &local};
  mgpuLaunchKernel(f, 1, 1, 1, 64, 1, 1, 64, s, params, NULL, 5);
  mgpuMemcpy(back, y, sizeof back, s);
  mgpuStreamSynchronize(s);
  printf("%g %g %g %g\n", back[0], back[1], back[2], back[3]);
  fflush(stdout); /* a namespace has a stdout of its own */
  mgpuMemFree(x, NULL);
  mgpuMemFree(y, NULL);
  mgpuStreamDestroy(s);
  mgpuModuleUnload(m);
}
