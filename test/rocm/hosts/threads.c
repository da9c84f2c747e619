/* Threads that launch one kernel at once through mgpu, by graph and not. */
#include <mgpu_runtime.h>

#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "../../internal/chost/module.h"

enum { threads = 4, rounds = 100, launches = 20, words = 64 };

static void *image;
static int wrong;

static void *run(void *number) {
  uint32_t n = words, host[words], model = 0,
           thread = (uint32_t)(uintptr_t)number;
  void *step = mgpuModuleGetFunction(mgpuModuleLoad(image, 0), "step");
  void *s = mgpuStreamCreate();
  uint32_t *p = mgpuMemAlloc(sizeof host, s, 0);
  mgpuMemset32(p, 0, words, s);
  for (uint32_t i = 0; i < rounds; i++) {
    if (thread % 2)
      mgpuxGraphBegin(thread);
    for (uint32_t j = 0; j < launches; j++) {
      uint32_t k = (thread * rounds + i) * launches + j;
      void *params[] = {&p, &n, &k};
      mgpuLaunchKernel(step, 1, 1, 1, words, 1, 1, 0, s, params, NULL, 3);
      model = model * 3 + k;
    }
    if (thread % 2)
      mgpuxGraphEnd();
    mgpuMemcpy(host, p, sizeof host, s);
    mgpuStreamSynchronize(s);
    if (host[0] != model || host[words - 1] != model) {
      __atomic_add_fetch(&wrong, 1, __ATOMIC_SEQ_CST);
      break;
    }
  }
  mgpuMemFree(p, s);
  mgpuStreamDestroy(s);
  return NULL;
}

int main(void) {
  pthread_t t[threads];
  image = read_module(getenv("MODULE"));
  for (uintptr_t i = 0; i < threads; i++)
    pthread_create(&t[i], NULL, run, (void *)i);
  for (int i = 0; i < threads; i++)
    pthread_join(t[i], NULL);
  printf("%d of %d threads computed something else\n", wrong, threads);
}
