/* Threads that come and go, and what the statistics say of their calls. */
#include "capture.h"

BLOB(blob, "v5.hsaco");
enum { rounds = 5, threads = 64, calls = 50, all = rounds * threads * calls };

static void *work(void *arg) {
  for (int i = 0; i < calls; i++) {
    void *m = mgpuModuleLoad(blob, 0);
    mgpuModuleGetFunction(m, i & 1 ? "sizes" : "saxpy");
    void *s = mgpuStreamCreate();
    mgpuStreamSynchronize(s);
    mgpuStreamDestroy(s);
    mgpuModuleUnload(m);
  }
  return arg;
}

static struct mgpux_counters of(const char *name) {
  struct mgpux_function_stats f;
  for (size_t i = 0; mgpuxGetFunctionStats(i, &f, sizeof f) != 0; i++)
    if (strcmp(f.name, name) == 0)
      return f.counters;
  exit(2);
}

int main(void) {
  for (int r = 0; r < rounds; r++) {
    pthread_t t[threads];
    for (int i = 0; i < threads; i++)
      pthread_create(&t[i], NULL, work, NULL);
    for (int i = 0; i < threads; i++)
      pthread_join(t[i], NULL);
  }
  /* How many misses at most, and whether there are hits. */
  static const struct {
    const char *name;
    uint64_t most;
    bool cached;
  } row[] = {
      {"mgpuModuleLoad", threads, true}, /* one for each that loads at once */
      {"mgpuModuleUnload", 0, true},
      {"mgpuModuleGetFunction", 2 * threads, true},
      {"mgpuStreamCreate", all, true},
      {"mgpuStreamDestroy", all, true},
      {"mgpuStreamSynchronize", 0, false},
      {"mgpuLaunchKernel", 0, false},
  };
  int wrong = 0;
  for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
    struct mgpux_counters c = of(row[i].name);
    uint64_t want = strcmp(row[i].name, "mgpuLaunchKernel") ? all : 0;
    if (c.calls != want || c.misses > row[i].most || c.refusals != 0 ||
        c.hits != (row[i].cached ? c.calls - c.misses : 0)) {
      fprintf(stderr, "%s: calls %d hits %d misses %d\n", row[i].name,
              (int)c.calls, (int)c.hits, (int)c.misses);
      wrong++;
    }
  }
  struct mgpux_counters loads = of("mgpuModuleLoad");
  if (loads.misses == 0 || loads.driver_calls != loads.misses)
    wrong++;
  printf("wrong: %d\n", wrong);
}
