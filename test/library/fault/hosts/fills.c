/* Fills and copies on one stream, and on the null stream. */
#include "host.h"

static int program(void) {
  WORDS(a);
  WORDS(b);
  WORDS(c);
  int wrong = 0;
  void *s = mgpuStreamCreate();
  void *p = mgpuMemAlloc(BYTES, s, 0);
  void *q = mgpuMemAlloc(BYTES, s, 0);
  for (uint32_t i = 1; i <= 3; i++) {
    spoil(a);
    spoil(b);
    mgpuMemset32(p, i, N, s);
    mgpuMemset16(q, (uint16_t)(i + 7), 2 * N, s);
    mgpuMemcpy(a, p, BYTES, s);
    mgpuMemcpy(p, q, BYTES, s);
    mgpuMemcpy(b, p, BYTES, s);
    mgpuStreamSynchronize(s);
    wrong += differ(a, i) + differ(b, (i + 7) | (i + 7) << 16);
  }
  spoil(c);
  mgpuMemset32(p, 9, N, NULL);
  mgpuMemcpy(c, p, BYTES, NULL);
  mgpuStreamSynchronize(NULL);
  mgpuMemFree(p, s);
  mgpuMemFree(q, s);
  mgpuStreamDestroy(s);
  return wrong + differ(c, 9);
}
