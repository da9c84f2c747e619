/* Callers as old releases of LLVM compile them: trailing arguments left out, the
 * upper bits of narrow ones not cleared. */
#include "capture.h"

#pragma GCC diagnostic ignored "-Wcast-function-type"

BLOB(blob, "v5.hsaco");

#define GARBAGE 0xa5a5a5a5a5a5a500u

int main(void) {
  /* LLVM 17 leaves the size out: what the register holds is anything. */
  void *(*load)(void *, uint64_t) = (void *(*)(void *, uint64_t))mgpuModuleLoad;
  void *m = load(blob, GARBAGE), *again = load(blob, 0);
  printf("loads: %d %d\n", m != NULL, again != NULL);
  void *(*alloc)(uint64_t, void *, uint64_t) =
      (void *(*)(uint64_t, void *, uint64_t))mgpuMemAlloc;
  void (*set16)(void *, uint64_t, size_t, void *) =
      (void (*)(void *, uint64_t, size_t, void *))mgpuMemset16;
  void *s = mgpuStreamCreate();
  for (uint64_t low = 0; low < 256; low += 51) {
    uint16_t back[8] = {0};
    uint16_t *d = alloc(sizeof back, low & 1 ? s : NULL, GARBAGE | low);
    set16(d, 0xffffffffffff1234u, 8, s);
    mgpuMemcpy(back, d, sizeof back, s);
    mgpuStreamSynchronize(s);
    printf("%d %x %x\n", d != NULL, back[0], back[7]);
    mgpuMemFree(d, s);
  }
  void (*launch)(void *, intptr_t, intptr_t, intptr_t, intptr_t, intptr_t,
                 intptr_t, uint64_t, void *, void **, void **) =
      (void (*)(void *, intptr_t, intptr_t, intptr_t, intptr_t, intptr_t,
                intptr_t, uint64_t, void *, void **, void **))mgpuLaunchKernel;
  int32_t *y = mgpuMemAlloc(4096, NULL, 1);
  mgpuMemset32(y, 0, 1024, s);
  char c = 7;
  void *params[] = {&y, &c};
  launch(mgpuModuleGetFunction(m, "sizes"), 1, 1, 1, 5, 1, 1,
         0xffffffff00000000u, s, params, NULL);
  mgpuStreamSynchronize(s);
  printf("kernel: %d\n", y[0]);
}
