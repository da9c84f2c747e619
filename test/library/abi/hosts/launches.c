/* Launches that can't be. The kernel is valid: it writes y[0]. */
#include "capture.h"

BLOB(blob, "v5.hsaco");

int main(void) {
  void *m = mgpuModuleLoad(blob, 0), *s = mgpuStreamCreate();
  void *f = mgpuModuleGetFunction(m, "sizes");
  void *saxpy = mgpuModuleGetFunction(m, "saxpy"); /* wants 64 x 1 x 1 */
  int32_t *y = mgpuMemAlloc(4096, NULL, 1);
  mgpuMemset32(y, 0, 1024, s);
  char c = 7;
  void *params[] = {&y, &c};
#define LAUNCH(f, gx, gy, gz, bx, by, bz, smem, p)                             \
  (mgpuLaunchKernel(f, gx, gy, gz, bx, by, bz, smem, s, p, NULL, 99),          \
   mgpuStreamSynchronize(s))
  valid();
  VOID_CASE("grid x 0", LAUNCH(f, 0, 1, 1, 1, 1, 1, 0, params));
  VOID_CASE("grid y 0", LAUNCH(f, 1, 0, 1, 1, 1, 1, 0, params));
  VOID_CASE("grid z 0", LAUNCH(f, 1, 1, 0, 1, 1, 1, 0, params));
  VOID_CASE("block x 0", LAUNCH(f, 1, 1, 1, 0, 1, 1, 0, params));
  VOID_CASE("block y 0", LAUNCH(f, 1, 1, 1, 1, 0, 1, 0, params));
  VOID_CASE("block z 0", LAUNCH(f, 1, 1, 1, 1, 1, 0, 0, params));
  VOID_CASE("grid -1", LAUNCH(f, -1, 1, 1, 1, 1, 1, 0, params));
  VOID_CASE("block -1", LAUNCH(f, 1, 1, 1, -1, 1, 1, 0, params));
  VOID_CASE("grid smallest", LAUNCH(f, INTPTR_MIN, 1, 1, 1, 1, 1, 0, params));
  VOID_CASE("grid largest", LAUNCH(f, INTPTR_MAX, 1, 1, 1, 1, 1, 0, params));
  VOID_CASE("grid 2^32", LAUNCH(f, 1ll << 32, 1, 1, 1, 1, 1, 0, params));
  VOID_CASE("grid 2^32 + 1",
            LAUNCH(f, (1ll << 32) + 1, 1, 1, 1, 1, 1, 0, params));
  VOID_CASE("block 2^32 + 1",
            LAUNCH(f, 1, 1, 1, (1ll << 32) + 1, 1, 1, 0, params));
  VOID_CASE("block 1025", LAUNCH(f, 1, 1, 1, 1025, 1, 1, 0, params));
  VOID_CASE("block 64 x 64", LAUNCH(f, 1, 1, 1, 64, 64, 1, 0, params));
  VOID_CASE("block overflows",
            LAUNCH(f, 1, 1, 1, 65536, 65536, 65536, 0, params));
  VOID_CASE("not the required block",
            LAUNCH(saxpy, 1, 1, 1, 32, 1, 1, 0, params));
  VOID_CASE("workgroup memory -1", LAUNCH(f, 1, 1, 1, 1, 1, 1, -1, params));
  VOID_CASE("workgroup memory 1 MiB",
            LAUNCH(f, 1, 1, 1, 1, 1, 1, 1 << 20, params));
  VOID_CASE("no parameters", LAUNCH(f, 1, 1, 1, 1, 1, 1, 0, NULL));
  VOID_CASE("unmapped parameters", LAUNCH(f, 1, 1, 1, 1, 1, 1, 0, unmapped()));
  void *wild[] = {unmapped(), (void *)3};
  VOID_CASE("wild parameters", LAUNCH(f, 1, 1, 1, 1, 1, 1, 0, wild));
  void *none[] = {NULL, NULL};
  VOID_CASE("null parameters", LAUNCH(f, 1, 1, 1, 1, 1, 1, 0, none));
  int32_t *nowhere = unmapped();
  void *fault[] = {&nowhere, &c};
  VOID_CASE("a wild address in the kernel",
            LAUNCH(f, 1, 1, 1, 1, 1, 1, 0, fault));
  LAUNCH(f, 1, 1, 1, 5, 1, 1, 0, params);
  printf("afterwards\t%s\t0\t%d\n", y[0] != 0 ? "value" : "null", y[0]);
}
