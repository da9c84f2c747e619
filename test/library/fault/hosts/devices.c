/* Two devices in turns, each with module, stream and memory of its own. A token
 * of one is waited for on the other. */
#include "host.h"

static int program(void) {
  WORDS(a);
  WORDS(b);
  uint32_t *out[] = {a, b}, n = N;
  int wrong = 0;
  void *m[2], *s[2], *p[2];
  for (int d = 0; d < 2; d++) {
    mgpuSetDefaultDevice(d);
    m[d] = mgpuModuleLoad(suite, GARBAGE);
    s[d] = mgpuStreamCreate();
    p[d] = mgpuMemAlloc(BYTES, s[d], 0);
    uint32_t value = (uint32_t)d + 3;
    launch(mgpuModuleGetFunction(m[d], "fill"), s[d],
           PARAMS(&p[d], &value, &n));
  }
  mgpuStreamWaitEvent(s[1], s[0]);
  for (int d = 0; d < 2; d++) {
    mgpuSetDefaultDevice(d);
    spoil(out[d]);
    mgpuMemcpy(out[d], p[d], BYTES, s[d]);
    mgpuStreamSynchronize(s[d]);
    wrong += differ(out[d], (uint32_t)d + 3);
    mgpuMemFree(p[d], s[d]);
    mgpuStreamDestroy(s[d]);
    mgpuModuleUnload(m[d]);
  }
  mgpuSetDefaultDevice(0);
  return wrong;
}
