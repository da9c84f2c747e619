/* Two modules with kernels of one name, in turns: one loaded for the whole
 * program, the other one for each launch. */
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
    launch(mgpuModuleGetFunction(m, "fill"), s, PARAMS(&p, &i, &n));
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
