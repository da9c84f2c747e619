/* chains IMAGE: a region with a stream for each of its chains of launches, again and
 * again. Prints how many streams the program made and how many the driver did, and 1 if
 * the chains computed what they should. */
#include "capture.h"

enum { chains = 8, links = 4, rounds = 500 };

int main(int argc, char **argv) {
  if (argc < 2)
    return 2;
  void *step =
      mgpuModuleGetFunction(mgpuModuleLoad(read_module(argv[1]), 0), "step");
  void *first = mgpuStreamCreate();
  uint32_t *words[chains], host[chains] = {0};
  for (int i = 0; i < chains; i++) {
    words[i] = mgpuMemAlloc(sizeof *words[i], first, 0);
    mgpuMemset32(words[i], (uint32_t)i, 1, first);
  }
  mgpuStreamSynchronize(first);
  for (int round = 0; round < rounds; round++) {
    void *streams[chains];
    mgpuxGraphBegin(1);
    for (int i = 0; i < chains; i++)
      streams[i] = mgpuStreamCreate();
    for (int k = 0; k < links; k++)
      for (int i = 0; i < chains; i++) {
        void *params[] = {&words[i], &(uint32_t){1}};
        mgpuLaunchKernel(step, 1, 1, 1, 1, 1, 1, 0, streams[i], params, NULL,
                         2);
      }
    for (int i = 0; i < chains; i++)
      mgpuStreamSynchronize(streams[i]);
    for (int i = 0; i < chains; i++)
      mgpuStreamDestroy(streams[i]);
    mgpuxGraphEnd();
  }
  for (int i = 0; i < chains; i++)
    mgpuMemcpy(&host[i], words[i], sizeof host[i], first);
  mgpuStreamSynchronize(first);
  struct mgpux_function_stats f;
  for (size_t i = 0; mgpuxGetFunctionStats(i, &f, sizeof f) != 0; i++)
    if (strcmp(f.name, "mgpuStreamCreate") == 0)
      printf("%llu %llu ", (unsigned long long)f.counters.calls,
             (unsigned long long)f.counters.driver_calls);
  int right = 1;
  for (int i = 0; i < chains; i++) {
    uint32_t want = (uint32_t)i;
    for (int k = 0; k < links * rounds; k++)
      want = 3 * want + 1;
    right &= host[i] == want;
  }
  printf("%d\n", right);
}
