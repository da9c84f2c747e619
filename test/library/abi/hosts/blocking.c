/* Waits that C makes: kernels of the null driver take the time that the test
 * asks for. With an argument: two streams do not wait for each other, as the
 * program would not end otherwise. */
#include "capture.h"

BLOB(blob, "v5.hsaco");

static double ms(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1e3 + t.tv_nsec * 1e-6;
}

int main(int argc, char **argv) {
  (void)argv;
  void *f = mgpuModuleGetFunction(mgpuModuleLoad(blob, 0), "sizes");
  void *a = mgpuStreamCreate(), *b = mgpuStreamCreate();
  void *e = mgpuEventCreate();
  if (argc > 1) {
    mgpuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, a, NULL, NULL, 0);
    mgpuStreamSynchronize(b);
    return 0;
  }
  double begin = ms();
  mgpuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, a, NULL, NULL, 0);
  mgpuEventRecord(e, a);
  mgpuEventSynchronize(e);
  printf("event waited %d\n", ms() - begin >= 50);
  begin = ms();
  mgpuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, a, NULL, NULL, 0);
  mgpuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, a, NULL, NULL, 0);
  mgpuStreamSynchronize(b);
  mgpuStreamSynchronize(a);
  printf("stream waited %d\n", ms() - begin >= 100);
  struct mgpux_function_stats s;
  for (size_t i = 0; mgpuxGetFunctionStats(i, &s, sizeof s) != 0; i++)
    if (strstr(s.name, "Synchronize"))
      printf("%s: calls %d driver calls %d\n", s.name, (int)s.counters.calls,
             (int)s.counters.driver_calls);
}
