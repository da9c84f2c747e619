/* Creates things and gives some back: "none" all of them, "some" not. "busy" ends while the
 * device is at work. */
#include "mgpu_runtime.h"

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define BUSY ((uint64_t)1 << 28)

static void *blocks[3];

__attribute__((noinline)) static void allocate(void) {
  for (int i = 0; i < 3; i++)
    blocks[i] = mgpuMemAlloc(512, NULL, 0); /* blocks */
}

int main(int argc, char **argv) {
  int back = argc > 1 && strcmp(argv[1], "none") == 0;
  if (argc > 1 && strcmp(argv[1], "busy") == 0) {
    mgpuMemset32(mgpuMemAlloc(BUSY, NULL, 0), 1, BUSY / 4, mgpuStreamCreate());
    return 0;
  }
  int repaired = strcmp(getenv("MGPU_CACHE"), "off") != 0;
  void *stream = mgpuStreamCreate(); /* stream */
  void *event = mgpuEventCreate();   /* event */
  allocate();
  void *scope = mgpuxAllocCacheCreate(); /* scope */
  mgpuxAllocCacheBegin(scope);
  mgpuMemAlloc(4096, NULL, 0); /* the scope's */
  mgpuxAllocCacheEnd(scope);
  for (int i = 0; i < 100; i++) {
    void *s = mgpuStreamCreate();
    void *token = mgpuEventCreate();
    mgpuEventDestroy(token);
    if (repaired)
      mgpuEventDestroy(s); /* as LLVM 18 to 22 do */
    else
      mgpuStreamDestroy(s);
    mgpuMemFree(mgpuMemAlloc(64, s, 0), s);
  }
  mgpuMemFree(blocks[0], NULL);
  if (back) {
    mgpuMemFree(blocks[1], NULL);
    mgpuMemFree(blocks[2], NULL);
    mgpuEventDestroy(event);
    mgpuStreamDestroy(stream);
    mgpuxAllocCacheDestroy(scope);
  }
  return 0;
}
