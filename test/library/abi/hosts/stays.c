/* Memory that calls do not release, in the C library's heap and in all: "stays
 * CALLS". */
#include "capture.h"

#include <malloc.h>

BLOB(blob, "v5.hsaco");
BLOB(other, "v6.hsaco");

enum { per_round = 19 };

static void calls(long n) {
  for (long i = 0; i < n; i += per_round) {
    void *m = mgpuModuleLoad(i & 1 ? blob : other, 0);
    void *f = mgpuModuleGetFunction(m, "sizes");
    void *s = mgpuStreamCreate(), *e = mgpuEventCreate();
    int32_t *y = mgpuMemAlloc(4096, s, 0);
    char c = 1;
    void *params[] = {&y, &c};
    mgpuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, s, params, NULL, 2);
    mgpuEventRecord(e, s);
    mgpuStreamWaitEvent(s, e);
    mgpuEventSynchronize(e);
    mgpuMemset32(y, 0, 16, s);
    mgpuMemset16(y, 0, 32, s);
    mgpuMemcpy(y, y + 64, 64, s);
    mgpuStreamSynchronize(s);
    mgpuMemFree(y, s);
    mgpuMemHostRegister(&c, 1);
    mgpuMemHostUnregister(&c);
    mgpuEventDestroy(e);
    mgpuStreamDestroy(s);
    mgpuModuleUnload(m);
  }
}

static long resident(void) {
  long size, pages = 0;
  FILE *f = fopen("/proc/self/statm", "r");
  if (fscanf(f, "%ld %ld", &size, &pages) != 2)
    pages = 0;
  fclose(f);
  return pages * (sysconf(_SC_PAGESIZE) / 1024);
}

int main(int argc, char **argv) {
  long n = argc > 1 ? atol(argv[1]) : 0;
  calls(n / 4);
  resident();
  struct mgpux_stats s0, s1;
  mgpuxGetStats(&s0, sizeof s0);
  long r = resident();
  size_t used = mallinfo2().uordblks;
  calls(n);
  size_t more = mallinfo2().uordblks;
  mgpuxGetStats(&s1, sizeof s1);
  printf("heap of C %ld bytes, resident %ld KiB, calls %d\n",
         (long)(more - used), resident() - r,
         s1.total.calls - s0.total.calls >= (uint64_t)n);
}
