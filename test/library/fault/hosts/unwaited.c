/* Work that is still under way when its stream, and with LLVM 20 and before its
 * module, is given back. What waits for it is the memory's release. */
#include "host.h"

static int program(void) {
  WORDS(out);
  uint32_t n = N, value = 0;
  spoil(out);
  void *p = mgpuMemAlloc(BYTES, NULL, 0);
  void *s = mgpuStreamCreate();
  mgpuMemset32(p, 0, N, s);
  for (int i = 0; i < 6; i++) {
    void *m = mgpuModuleLoad(i % 2 ? other : suite, GARBAGE);
    launch(mgpuModuleGetFunction(m, "step"), s, PARAMS(&p, &n));
    value = 3 * value + 1;
    mgpuModuleUnload(m);
    void *next = mgpuStreamCreate();
    mgpuStreamWaitEvent(next, s);
    mgpuStreamDestroy(s);
    s = next;
  }
  mgpuMemcpy(out, p, BYTES, s);
  mgpuStreamSynchronize(s);
  mgpuStreamDestroy(s);
  mgpuMemFree(p, NULL);
  return differ(out, value);
}
