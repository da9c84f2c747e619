/* Two modules with kernels of one name, in turns: one loaded for the whole
 * program, whose launches are cooperative, the other one for each launch. */
#include "host.h"

static int program(void) {
  WORDS(out);
  uint32_t n = N;
  int wrong = 0;
  void *whole = mgpuModuleLoad(suite, GARBAGE);
  void *p = mgpuMemAlloc(BYTES, NULL, 0);
  for (uint32_t i = 0; i < 6; i++) {
    void *m = i % 2 ? mgpuModuleLoad(other, GARBAGE) : whole;
    void *s = mgpuStreamCreate();
    void *f = mgpuModuleGetFunction(m, "fill");
    if (i % 2)
      launch(f, s, PARAMS(&p, &i, &n));
    else
      mgpuLaunchKernelCooperative(f, (N + 63) / 64, 1, 1, 0, 0, 0, 64, 1, 1, 0,
                                  s, PARAMS(&p, &i, &n), NULL);
    spoil(out);
    mgpuMemcpy(out, p, BYTES, s);
    mgpuStreamSynchronize(s);
    mgpuStreamDestroy(s);
    if (i % 2)
      mgpuModuleUnload(m);
    wrong += differ(out, i + i % 2);
  }
  mgpuMemFree(p, NULL);
  mgpuModuleUnload(whole);
  return wrong;
}
