/* Host memory that kernels reach, registered as the cast of a memref is and by
 * itself. */
#include "host.h"

struct memref1d {
  void *allocated, *aligned;
  int64_t offset, size, stride;
};

static int program(void) {
  WORDS(a);
  WORDS(b);
  uint32_t *words[] = {a, b};
  uint32_t n = N, value = 4;
  int wrong = 0;
  struct memref1d desc = {words[0], words[0], 0, N, 1};
  mgpuMemHostRegisterMemRef(1, &desc, sizeof(uint32_t));
  mgpuMemHostRegister(words[1], BYTES);
  void *m = mgpuModuleLoad(suite, GARBAGE);
  void *s = mgpuStreamCreate();
  for (int i = 0; i < 2; i++) {
    spoil(words[i]);
    void *f = mgpuModuleGetFunction(m, "fill");
    void *p = i ? (void *)mgpuMemGetDeviceMemRef1dInt32(
                      (int32_t *)words[i], (int32_t *)words[i], 0, N, 1)
                      .aligned
                : (void *)mgpuMemGetDeviceMemRef1dFloat(
                      (float *)words[i], (float *)words[i], 0, N, 1)
                      .aligned;
    launch(f, s, PARAMS(&p, &value, &n));
    mgpuStreamSynchronize(s);
    wrong += differ(words[i], value);
  }
  mgpuStreamDestroy(s);
  mgpuModuleUnload(m);
  mgpuMemHostUnregister(words[1]);
  mgpuMemHostUnregisterMemRef(1, &desc, sizeof(uint32_t));
  return wrong;
}
