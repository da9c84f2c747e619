/* A million mgpu calls in steady state: what the library's heap saw of them. */
#include "capture.h"

BLOB(blob, "v5.hsaco");

static uint64_t allocations(void) {
  struct mgpux_stats s;
  mgpuxGetStats(&s, sizeof s);
  return s.heap_allocations;
}

static void calls(int n) {
  for (int i = 0; i < n; i++) {
    void *m = mgpuModuleLoad(blob, 0);
    void *f = mgpuModuleGetFunction(m, "sizes");
    void *s = mgpuStreamCreate(), *e = mgpuEventCreate();
    mgpuLaunchKernel(f, 1, 1, 1, 64, 1, 1, 0, s, NULL, NULL, 0);
    mgpuEventRecord(e, s);
    mgpuStreamWaitEvent(s, e);
    mgpuEventSynchronize(e);
    void *d = mgpuMemAlloc(64, s, 0);
    mgpuMemset32(d, 0, 16, s);
    mgpuMemset16(d, 0, 32, s);
    mgpuMemcpy(d, d, 64, s);
    mgpuMemFree(d, s);
    mgpuStreamSynchronize(s);
    mgpuEventDestroy(e);
    mgpuStreamDestroy(s);
    mgpuModuleUnload(m);
  }
}

int main(void) {
  calls(2000);
  allocations();
  uint64_t before = allocations();
  calls(1000000 / 17);
  printf("%llu\n", (unsigned long long)(allocations() - before));
}
