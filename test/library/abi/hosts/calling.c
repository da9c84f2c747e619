/* Several threads call; recorder.c tells which thread each call of HIP is made
 * on. calling IMAGE */
#define _GNU_SOURCE
#include <mgpu_runtime.h>

#include <pthread.h>
#include <stdint.h>
#include <stdio.h>

#include "../../../internal/chost/module.h"

enum { threads = 8, rounds = 40 };

static void *image;
static _Thread_local int inside, calls;
static int elsewhere, idle;

void reached(const char *name) {
  calls++;
  if (!inside) {
    elsewhere++;
    fprintf(stderr, "%s on another thread\n", name);
  }
}

static void *work(void *device) {
  inside = 1;
  mgpuSetDefaultDevice((int32_t)(intptr_t)device);
  for (int i = 0; i < rounds; i++) {
    void *m = mgpuModuleLoad(image, 0);
    void *f = mgpuModuleGetFunction(m, "step");
    void *s = mgpuStreamCreate(), *e = mgpuEventCreate();
    uint32_t n = 64, got[64];
    void *p = mgpuMemAlloc(sizeof got, s, 0), *params[] = {&p, &n};
    mgpuMemset32(p, 5, n, s);
    mgpuLaunchKernel(f, 1, 1, 1, 64, 1, 1, 0, s, params, NULL, 2);
    mgpuMemcpy(got, p, sizeof got, s);
    mgpuEventRecord(e, s);
    mgpuStreamWaitEvent(s, e);
    mgpuEventSynchronize(e);
    mgpuStreamSynchronize(s);
    if (got[3] != 16)
      printf("wrong\n");
    mgpuMemFree(p, s);
    mgpuEventDestroy(e);
    mgpuStreamDestroy(s);
    mgpuModuleUnload(m);
  }
  inside = 0;
  if (calls < 5 * rounds)
    __atomic_add_fetch(&idle, 1, __ATOMIC_RELAXED);
  return NULL;
}

int main(int argc, char **argv) {
  image = read_module(argc > 1 ? argv[1] : NULL);
  pthread_t t[threads];
  for (intptr_t i = 0; i < threads; i++)
    pthread_create(&t[i], NULL, work, (void *)(i % 2));
  for (int i = 0; i < threads; i++)
    pthread_join(t[i], NULL);
  printf("elsewhere %d, idle %d\n", elsewhere, idle);
  fflush(stdout);
  inside = 1; /* destructors */
}
