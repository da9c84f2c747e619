/* regions IMAGE HOW REGIONS: so many regions of 100 launches with changing parameters.
 * Prints what they took from the library's heap, and of the process's memory in KiB,
 * once as many had been recorded. */
#include "capture.h"

enum { launches = 100, blocks = 8 };

static long resident(void) {
  long all = 0, pages = 0;
  FILE *f = fopen("/proc/self/statm", "r");
  if (f == NULL || fscanf(f, "%ld %ld", &all, &pages) != 2)
    exit(1);
  fclose(f);
  return 4 * pages;
}

static uint64_t heap(void) {
  struct mgpux_stats s;
  mgpuxGetStats(&s, sizeof s);
  return s.heap_allocations;
}

int main(int argc, char **argv) {
  if (argc < 4)
    return 2;
  bool lowered = strcmp(argv[2], "lowered") == 0;
  bool unscoped = strcmp(argv[2], "allocates without a scope") == 0;
  bool allocates = unscoped || strcmp(argv[2], "allocates") == 0;
  bool again = strcmp(argv[2], "again") == 0;
  long regions = atol(argv[3]), from = 0;
  uint64_t had = 0;
  void *m = mgpuModuleLoad(read_module(argv[1]), 0);
  void *step = mgpuModuleGetFunction(m, "step");
  void *memory = mgpuMemAlloc(4096, NULL, 0), *stream = mgpuStreamCreate();
  void *cache = mgpuxAllocCacheCreate(), *p[blocks];
  if (!unscoped)
    mgpuxAllocCacheBegin(cache);
  uint32_t n = 1;
  for (long r = 0; r < 2 * regions; r++) {
    if (r == regions) {
      had = heap();
      from = resident();
    }
    mgpuxGraphBegin(1);
    for (int i = 0; allocates && i < blocks; i++)
      p[i] = mgpuMemAlloc(256, stream, 0);
    for (int i = 0; i < launches; i++) {
      void *s = lowered ? mgpuStreamCreate() : stream;
      n = 3 * n + 1;
      void *params[] = {&memory, &n};
      mgpuLaunchKernel(step, 1 + n % 3, 1, 1, 64, 1, 1, 0, s, params, NULL, 2);
      if (lowered) {
        mgpuStreamSynchronize(s);
        mgpuStreamDestroy(s);
      }
    }
    for (int i = 0; allocates && i < blocks; i++)
      mgpuMemFree(p[i], stream);
    if (!mgpuxGraphEnd())
      return 3;
    if (again)
      mgpuxGraphLaunch(1, stream);
    mgpuStreamSynchronize(stream);
  }
  printf("%llu %ld\n", (unsigned long long)(heap() - had), resident() - from);
  return 0;
}
