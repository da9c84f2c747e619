/* Threads that launch at once. */
#include "host.h"

#include <pthread.h>

enum { THREADS = 4 };

static void *run(void *at) {
  static uint32_t out_of[TURNS][THREADS + 1][N];
  uint32_t n = N, value = (uint32_t)(uintptr_t)at, *out = out_of[turn][value];
  intptr_t wrong = 0;
  for (int i = 0; i < 3; i++) {
    void *m = mgpuModuleLoad(suite, GARBAGE);
    void *s = mgpuStreamCreate();
    void *p = mgpuMemAlloc(BYTES, s, 0);
    launch(mgpuModuleGetFunction(m, "fill"), s, PARAMS(&p, &value, &n));
    spoil(out);
    mgpuMemcpy(out, p, BYTES, s);
    mgpuStreamSynchronize(s);
    wrong += differ(out, value);
    mgpuMemFree(p, s);
    mgpuStreamDestroy(s);
    mgpuModuleUnload(m);
  }
  return (void *)wrong;
}

static int program(void) {
  pthread_t thread[THREADS];
  int wrong = 0;
  for (uintptr_t i = 0; i < THREADS; i++)
    pthread_create(&thread[i], NULL, run, (void *)(i + 1));
  for (int i = 0; i < THREADS; i++) {
    void *result;
    pthread_join(thread[i], &result);
    wrong += (int)(intptr_t)result;
  }
  return wrong;
}
