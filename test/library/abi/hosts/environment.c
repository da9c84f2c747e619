/* Makes all kinds of calls, on many threads, when the environment can't be read any more: it
 * lies in memory without access from the process's first call on, and getenv says so. */
#define _GNU_SOURCE
#include <mgpu_runtime.h>

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

static volatile int over;

__attribute__((visibility("default"))) char *secure_getenv(const char *name) {
  if (over)
    printf("asked for %s\n", name);
  return NULL;
}

__attribute__((visibility("default"))) char *getenv(const char *name) {
  return secure_getenv(name);
}

static void *work(void *trace) {
  void *s = mgpuStreamCreate();
  void *p = mgpuMemAlloc(1000, s, 0);
  mgpuMemset32(p, 0, 250, s);
  mgpuStreamSynchronize(s);
  mgpuStreamDestroy(s);
  mgpuMemFree(p, NULL);
  mgpuMemFree(p, NULL); /* an error */
  mgpuModuleLoad("not an image", 12);
  mgpuxRangePush("range");
  if (trace != NULL) {
    mgpuxTraceStart(trace);
    mgpuxMark("mark");
    mgpuxTraceStop();
  }
  mgpuxRangePop();
  return NULL;
}

int main(int argc, char **argv) {
  (void)argc;
  setenv("MGPU_DEVICE", "1", 1); /* this still counts */
  struct mgpux_memory_stats second = {0};
  mgpuMemFree(mgpuMemAlloc(1 << 20, NULL, 0), NULL);
  mgpuxGetMemoryStats(1, &second, sizeof second);
  printf("device %d\n", second.peak != 0);
  environ = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  over = 1;
  for (int i = 0; i < 4; i++) {
    pthread_t t;
    pthread_create(&t, NULL, work, i == 3 ? argv[1] : NULL);
    pthread_join(t, NULL);
  }
  mgpuMemAlloc(10, NULL, 0); /* leaks */
  printf("end\n");
  return 0;
}
