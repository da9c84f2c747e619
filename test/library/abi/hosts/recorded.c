/* Every argument different, for a driver that prints what reaches it. */
#include <mgpu_runtime.h>

#include <stdio.h>

int main(void) {
  void *f = (void *)0x70, *s = mgpuStreamCreate();
  void **params = (void **)0x80, **extra = (void **)0x90;
  mgpuLaunchKernel(f, 1, 2, 3, 4, 5, 6, 7, s, params, extra, 8);
  mgpuLaunchClusterKernel(f, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, s, params, extra);
  mgpuLaunchKernelCooperative(f, 1, 2, 3, 0, 0, 0, 7, 8, 9, 10, s, params,
                              NULL);
  mgpuLaunchKernelCooperative(f, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, s, params,
                              NULL);

  static _Alignas(64) char map[128];
  uint64_t sizes[] = {64, 5}, strides[] = {256};
  uint32_t tile[] = {32, 3}, steps[] = {2, 1};
  mgpuTensorMapEncodeTiled(map, 7, 2, (void *)0xd000, sizes, strides, tile,
                           steps, 1, 2, 3, 4);
  fflush(stdout);
  printf("encoded: %s\n", map);

  int64_t memref[] = {0x1000, 0x2000, 0, 3, 5, 64, 480, 96, 1};
  int64_t box[] = {1, 5, 32};
  void *p = mgpuTensorMapEncodeTiledMemref(3, memref, 6, 4, 3, 2, 1, box);
  printf("on the device: %p\n", p);
  mgpuStreamDestroy(s);
}
