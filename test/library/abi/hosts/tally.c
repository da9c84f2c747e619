/* The same calls each time, in one thread: blocks of several sizes that are freed with work
 * pending and without, in scopes too, and streams and modules beside them. Writes a memory
 * snapshot to the file that argv[1] names. */
#include "capture.h"

BLOB(blob, "v5.hsaco");

enum { rounds = 200 };

static void blocks(void *s, int i) {
  static const uint64_t sizes[] = {4, 1000, 4096, 65536, 70000, 1 << 20};
  void *p = mgpuMemAlloc(sizes[i % 6], s, 0), *q = mgpuMemAlloc(64, NULL, 0);
  if (i % 3 == 0)
    mgpuMemset32(p, 7, 1, s);
  if (i % 2 == 0)
    mgpuStreamSynchronize(s);
  mgpuMemFree(q, s);
  mgpuMemFree(p, s);
  mgpuStreamSynchronize(s);
}

static void scope(void *s) {
  static void *cache;
  if (cache == NULL)
    cache = mgpuxAllocCacheCreate();
  mgpuxAllocCacheBegin(cache);
  mgpuMemAlloc(5000, s, 0);
  mgpuMemFree(mgpuMemAlloc(300, s, 0), s);
  mgpuxAllocCacheEnd(cache);
}

int main(int argc, char **argv) {
  for (int i = 0; i < rounds; i++) {
    void *m = mgpuModuleLoad(blob, 0);
    void *f = mgpuModuleGetFunction(m, "sizes");
    void *s = mgpuStreamCreate();
    mgpuLaunchKernel(f, 1, 1, 1, 64, 1, 1, 0, s, NULL, NULL, 0);
    blocks(s, i);
    if (i % 10 == 0)
      scope(s);
    mgpuMemFree(NULL, s);
    mgpuMemAlloc(0, s, 0);
    mgpuStreamDestroy(s);
    mgpuModuleUnload(m);
  }
  return argc > 1 && mgpuxMemorySnapshot(argv[1]);
}
