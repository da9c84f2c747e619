/* Threads whose kernels print, while the host prints as well. */
#include "capture.h"

#undef TESTDATA
#define TESTDATA KERNELS
BLOB(blob, "prints.hsaco");

enum { threads = 4, rounds = 20 };

static void *f;

/* Whether each thread is cancelled while its kernel is due to print. */
static bool cancelled;

static void *work(void *arg) {
  int id = *(int *)arg;
  void *s = mgpuStreamCreate();
  for (int round = 0; round < rounds; round++) {
    void *params[] = {&id, &round};
    printf("before %d.%d\n", id, round);
    if (cancelled)
      pthread_cancel(pthread_self());
    mgpuLaunchKernel(f, 1, 1, 1, 64, 1, 1, 0, s, params, NULL, 2);
    mgpuStreamSynchronize(s);
    pthread_testcancel();
    printf("after %d.%d\n", id, round);
  }
  mgpuStreamDestroy(s);
  return NULL;
}

/* Frees a block while kernels are due to print, and ends without another wait. */
static void end_behind_a_free(void) {
  void *s = mgpuStreamCreate(), *block = mgpuMemAlloc(64, s, 0);
  int id = 0;
  for (int round = 0; round < rounds; round++) {
    void *params[] = {&id, &round};
    mgpuLaunchKernel(f, 1, 1, 1, 64, 1, 1, 0, s, params, NULL, 2);
  }
  mgpuMemFree(block, s);
  printf("host\n");
  fflush(stdout);
  _exit(0);
}

int main(int argc, char **argv) {
  cancelled = argc > 1 && strcmp(argv[1], "cancelled") == 0;
  if (cancelled || (argc > 1 && strcmp(argv[1], "unbuffered") == 0))
    setvbuf(stdout, NULL, _IONBF, 0);
  f = mgpuModuleGetFunction(mgpuModuleLoad(blob, 0), "prints");
  if (argc > 1 && strcmp(argv[1], "closed") == 0)
    close(1);
  if (argc > 1 && strcmp(argv[1], "freed") == 0)
    end_behind_a_free();
  pthread_t t[threads];
  int ids[threads];
  for (int i = 0; i < threads; i++) {
    ids[i] = i;
    pthread_create(&t[i], NULL, work, &ids[i]);
  }
  for (int i = 0; i < threads; i++) {
    void *end = NULL;
    pthread_join(t[i], &end);
    if ((end == PTHREAD_CANCELED) != cancelled)
      return 2;
  }
  return 0;
}
