/* Rounds that allocate, copy both ways and free: prints how many objects the library's
 * heap saw of them once everything is warm. */
#include <mgpu_runtime.h>

#include <stdio.h>

enum { bytes = 65536, rounds = 5000 };

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
  uint64_t before = allocations();
  run();
  printf("%llu\n", (unsigned long long)(allocations() - before));
  return 0;
}
