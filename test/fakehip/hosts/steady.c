/* Rounds that allocate, copy both ways and free: prints how many objects the library's heap
 * gained after the first round. Go counts the objects of a span, such as 170 of 48 bytes, when
 * the span is full. The statistics' own objects, 16 a call, can fill a span in any window, so
 * the least of several windows counts. */
#include <mgpu_runtime.h>

#include <stdio.h>

enum { bytes = 65536, rounds = 2500, windows = 4 };

static void run(void) {
  static char in[bytes], out[bytes];
  for (int i = 0; i < rounds; i++) {
    void *s = mgpuStreamCreate();
    void *d = mgpuMemAlloc(bytes, s, 0);
    mgpuMemcpy(d, in, bytes, s);
    mgpuMemcpy(out, d, bytes, s);
    mgpuMemFree(d, s);
    mgpuStreamSynchronize(s);
    mgpuStreamDestroy(s);
  }
}

static uint64_t allocations(void) {
  struct mgpux_stats s;
  mgpuxGetStats(&s, sizeof s);
  return s.heap_allocations;
}

int main(void) {
  run();
  allocations();
  uint64_t least = UINT64_MAX;
  for (int i = 0; i < windows; i++) {
    uint64_t before = allocations();
    run();
    uint64_t objects = allocations() - before;
    least = objects < least ? objects : least;
  }
  printf("%llu\n", (unsigned long long)least);
  return 0;
}
