/* A kernel that fails on a stream that the program never waits for itself. */
#include "capture.h"

static void wait_by_event(void *waiting, void *awaited) {
  void *e = mgpuEventCreate();
  mgpuEventRecord(e, awaited);
  mgpuStreamWaitEvent(waiting, e);
  mgpuEventDestroy(e);
}

BLOB(blob, "v5.hsaco");

int main(int argc, char **argv) {
  const char *how = argc > 1 ? argv[1] : "";
  void *f = mgpuModuleGetFunction(mgpuModuleLoad(blob, 0), "sizes");
  void *a = mgpuStreamCreate(), *b = mgpuStreamCreate();
  int32_t *nowhere = unmapped();
  char c = 7;
  void *params[] = {&nowhere, &c};
  mgpuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, a, params, NULL, 2);
  if (strcmp(how, "event") == 0) {
    wait_by_event(b, a);
    mgpuStreamSynchronize(b);
  } else if (strcmp(how, "event of the other") == 0) {
    void *later = mgpuEventCreate();
    wait_by_event(b, a);
    mgpuEventRecord(later, b);
    mgpuEventSynchronize(later);
    mgpuEventDestroy(later);
  } else if (strcmp(how, "stream as event") == 0) {
    mgpuStreamWaitEvent(b, a); /* as LLVM 18 to 22 emit it */
    mgpuStreamSynchronize(b);
  } else if (strcmp(how, "copy after it") == 0) {
    int32_t host = 0, *block = mgpuMemAlloc(4, NULL, 0);
    wait_by_event(b, a);
    mgpuMemcpy(&host, block, 4, b);
    mgpuMemFree(block, b);
  } else if (strcmp(how, "null stream") == 0) {
    mgpuStreamSynchronize(NULL);
  } else if (strcmp(how, "free") == 0) {
    mgpuMemFree(mgpuMemAlloc(4, NULL, 0), NULL);
  } else if (strcmp(how, "twice") == 0) {
    wait_by_event(b, a);
    mgpuStreamSynchronize(b);
    mgpuStreamSynchronize(a);
    mgpuStreamSynchronize(NULL);
  } else if (strcmp(how, "nothing") == 0) {
    return 0;
  }
  puts("end");
  fflush(stdout);
  mgpuStreamDestroy(a);
  mgpuStreamDestroy(b);
  return 0;
}
