/* Ten blocks of a transformer, made from linalg by MLIR (bench/programs/transformer.mlir),
 * called from C: first as lowered, then as a region, three times each. The results are
 * compared with the plainest C in double precision. */
#include <mgpu_runtime.h>
#include <programs.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { arrays = 4 };

static uint64_t driver_calls(void) {
  struct mgpux_stats s;
  mgpuxGetStats(&s, sizeof s);
  return s.total.driver_calls;
}

int main(void) {
  static const int points[arrays] = {transformer_points, transformer_attention,
                                     transformer_wide, transformer_wide};
  static float host[transformer_attention], want[transformer_points];
  transformer_expect(want);
  for (int i = 0; i < 6; i++) {
    void *d[arrays], *stream = mgpuStreamCreate();
    for (int a = 0; a < arrays; a++) {
      size_t bytes = sizeof(float) * (size_t)points[a];
      d[a] = mgpuMemAlloc(bytes, stream, 0);
      transformer_begin(a, host);
      mgpuMemcpy(d[a], host, bytes, stream);
      mgpuStreamSynchronize(stream);
    }
    uint64_t before = driver_calls();
    (i < 3 ? transformer_22 : transformer_asked_22)(
        AS_MEMREF(d[0], points[0]), AS_MEMREF(d[1], points[1]),
        AS_MEMREF(d[2], points[2]), AS_MEMREF(d[3], points[3]));
    uint64_t calls = driver_calls() - before;
    mgpuMemcpy(host, d[0], sizeof want, stream);
    mgpuStreamSynchronize(stream);
    float off = 0;
    for (int k = 0; k < transformer_points; k++)
      off = fmaxf(off, fabsf(host[k] - want[k]));
    printf("%s: %s, %d calls of the driver\n",
           i < 3 ? "as lowered" : "as a region",
           off < 1e-3f ? "right" : "WRONG", (int)calls);
    for (int a = 0; a < arrays; a++)
      mgpuMemFree(d[a], stream);
    mgpuStreamDestroy(stream);
  }
}
