/* Calls whose arguments and results have an order or a form that is easily got
 * wrong: the grid before the cluster, a struct of 40 bytes by value. */
#include "capture.h"

BLOB(blob, "v5.hsaco");

int main(void) {
  void *m = mgpuModuleLoad(blob, 0), *s = mgpuStreamCreate();
  void *f = mgpuModuleGetFunction(m, "sizes");
  int32_t *y = mgpuMemAlloc(4096, NULL, 1);
  char c = 7;
  void *params[] = {&y, &c};
  /* y[0] = c + block.x + grid.y * block.y */
  mgpuMemset32(y, 0, 1024, s);
  mgpuLaunchKernel(f, 2, 3, 4, 5, 6, 1, 64, s, params, NULL, 2);
  mgpuStreamSynchronize(s);
  printf("plain: %d\n", y[0]);
  mgpuMemset32(y, 0, 1024, s);
  mgpuLaunchKernelCooperative(f, 2, 3, 4, 0, 0, 0, 5, 6, 1, 64, s, params,
                              NULL);
  mgpuStreamSynchronize(s);
  printf("cooperative: %d\n", y[0]);

  static float floats[64];
  static int32_t ints[64];
  mgpuMemHostRegister(floats, sizeof floats);
  mgpuMemHostRegister(ints, sizeof ints);
  struct mgpu_memref1d_f32 a =
      mgpuMemGetDeviceMemRef1dFloat((float *)3, floats, 11, 22, 33);
  struct mgpu_memref1d_i32 b =
      mgpuMemGetDeviceMemRef1dInt32((int32_t *)5, ints, -11, 1ll << 40, -33);
  printf("floats: %d %d %lld %lld %lld\n", a.allocated == floats,
         a.aligned == floats, (long long)a.offset, (long long)a.size,
         (long long)a.stride);
  printf("ints: %d %d %lld %lld %lld\n", b.allocated == ints, b.aligned == ints,
         (long long)b.offset, (long long)b.size, (long long)b.stride);
  mgpuMemHostUnregister(floats);
  mgpuMemHostUnregister(ints);

  /* The part of a memref that its descriptor speaks of, and nothing else. */
  int64_t desc[] = {0, (int64_t)(uintptr_t)ints, 8, 2, 4, 4, 1};
  mgpuMemHostRegisterMemRef(2, desc, 4);
  VOID_CASE("the element before",
            mgpuMemGetDeviceMemRef1dInt32(NULL, ints + 7, 0, 1, 1));
  CASE("the first",
       mgpuMemGetDeviceMemRef1dInt32(NULL, ints + 8, 0, 1, 1).aligned);
  CASE("the last",
       mgpuMemGetDeviceMemRef1dInt32(NULL, ints + 15, 0, 1, 1).aligned);
  VOID_CASE("the element after",
            mgpuMemGetDeviceMemRef1dInt32(NULL, ints + 16, 0, 1, 1));
  mgpuMemHostUnregisterMemRef(2, desc, 4);
  VOID_CASE("afterwards",
            mgpuMemGetDeviceMemRef1dInt32(NULL, ints + 8, 0, 1, 1));

  VOID_CASE("clusters", mgpuLaunchClusterKernel(f, 1, 1, 1, 2, 3, 4, 5, 6, 1,
                                                64, s, params, NULL));
  VOID_CASE("cooperative clusters",
            mgpuLaunchKernelCooperative(f, 2, 2, 2, 2, 2, 2, 1, 1, 1, 0, s,
                                        params, NULL));
  VOID_CASE("cooperative grid 0",
            mgpuLaunchKernelCooperative(f, 0, 1, 1, 0, 0, 0, 1, 1, 1, 0, s,
                                        params, NULL));
  VOID_CASE("cooperative grid that does not fit",
            mgpuLaunchKernelCooperative(f, 1 << 20, 1, 1, 0, 0, 0, 64, 1, 1, 0,
                                        s, params, NULL));
  VOID_CASE("cooperative without parameters",
            mgpuLaunchKernelCooperative(f, 1, 1, 1, 0, 0, 0, 1, 1, 1, 0, s,
                                        NULL, NULL));
}
