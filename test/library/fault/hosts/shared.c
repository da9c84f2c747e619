/* Memory that host and device share. */
#include "host.h"

static int program(void) {
  uint32_t n = N;
  void *m = mgpuModuleLoad(suite, GARBAGE);
  uint32_t *p[3];
  int wrong = 0;
  for (int i = 0; i < 3; i++) {
    p[i] = mgpuMemAlloc(N * sizeof *p[i], NULL, 1);
    for (int k = 0; p[i] && k < N; k++)
      p[i][k] = (uint32_t)i;
    void *s = mgpuStreamCreate();
    launch(mgpuModuleGetFunction(m, "step"), s, PARAMS(&p[i], &n));
    mgpuStreamSynchronize(s);
    mgpuStreamDestroy(s);
  }
  for (int i = 0; i < 3; i++) {
    wrong += p[i] ? differ(p[i], 3 * (uint32_t)i + 1) : N;
    mgpuMemFree(p[i], NULL);
  }
  mgpuModuleUnload(m);
  return wrong;
}
