/* 64 threads at once, each with work of its own and its own numbers. */
#include "capture.h"

BLOB(blob, "v5.hsaco");
enum { threads = 64, rounds = 100 };
static pthread_barrier_t barrier;
static int wrong;

static void *work(void *arg) {
  uint32_t mine = (uint32_t)(uintptr_t)arg, back[256];
  pthread_barrier_wait(&barrier);
  for (uint32_t r = 0; r < rounds; r++) {
    void *m = mgpuModuleLoad(blob, 0);
    void *f = mgpuModuleGetFunction(m, "sizes");
    void *s = mgpuStreamCreate(), *e = mgpuEventCreate();
    int32_t *y = mgpuMemAlloc(sizeof back, NULL, 1);
    char c = (char)(mine & 63);
    void *params[] = {&y, &c};
    mgpuMemset32(y, 0, 256, s);
    mgpuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, s, params, NULL, 2);
    mgpuMemset32(y + 1, mine ^ r << 8, 255, s);
    mgpuEventRecord(e, s);
    mgpuEventSynchronize(e);
    mgpuMemcpy(back, y, sizeof back, s);
    mgpuStreamSynchronize(s);
    /* shared[0] + block.x + grid.y, and then the second memset */
    if (back[0] != (mine & 63) + 1 + 1 || back[1] != (mine ^ r << 8) ||
        back[255] != (mine ^ r << 8))
      __atomic_add_fetch(&wrong, 1, __ATOMIC_RELAXED);
    mgpuMemFree(y, NULL);
    mgpuEventDestroy(e);
    mgpuStreamDestroy(s);
    mgpuModuleUnload(m);
  }
  return NULL;
}

int main(void) {
  static pthread_t t[threads];
  pthread_barrier_init(&barrier, NULL, threads);
  for (int i = 0; i < threads; i++)
    pthread_create(&t[i], NULL, work, (void *)(uintptr_t)(i + 1));
  for (int i = 0; i < threads; i++)
    pthread_join(t[i], NULL);
  printf("wrong: %d\n", wrong);
}
