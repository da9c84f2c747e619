/* A launch in a loop, synchronous, as RELEASE of MLIR lowers it. */
#include "host.h"

enum { ROUNDS = 3 };

static void *buffer;
static uint32_t value;

/* One gpu.launch_func. */
static void launch_func(void *module) {
  uint32_t n = N;
  void *f = mgpuModuleGetFunction(module, "step");
  void *s = mgpuStreamCreate();
  launch(f, s, PARAMS(&buffer, &n));
  mgpuStreamSynchronize(s);
  mgpuStreamDestroy(s);
}

static int program(void) {
  WORDS(out);
  spoil(out);
  value = 0;
  void *module = RELEASE > 20 ? mgpuModuleLoad(suite, GARBAGE) : NULL;
  void *s = mgpuStreamCreate();
  buffer = mgpuMemAlloc(BYTES, s, RELEASE > 17 ? 0 : 0x35);
  mgpuMemset32(buffer, 0, N, s);
  mgpuStreamSynchronize(s);
  mgpuStreamDestroy(s);
  for (int i = 0; i < ROUNDS; i++) {
    value = 3 * value + 1;
    if (RELEASE > 20) {
      launch_func(module);
    } else {
      void *m = mgpuModuleLoad(suite, GARBAGE);
      launch_func(m);
      mgpuModuleUnload(m);
    }
  }
  s = mgpuStreamCreate();
  mgpuMemcpy(out, buffer, BYTES, s);
  mgpuStreamSynchronize(s);
  mgpuMemFree(buffer, s);
  mgpuStreamDestroy(s);
  if (RELEASE > 20)
    mgpuModuleUnload(module);
  return differ(out, value);
}
