/* Regions with a fill of registered host memory between kernels: each launch fills it in its order. */
#include <mgpu_runtime.h>

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

#include "../../internal/chost/module.h"

int main(void) {
  void *module = mgpuModuleLoad(read_module(getenv("MODULE")), 0);
  void *increment = mgpuModuleGetFunction(module, "increment");
  void *s = mgpuStreamCreate();
  int *words = aligned_alloc(4096, 4096);
  int *at; /* the device's address, another one on HIP 5.2 */
  void *params[] = {&at};
  mgpuMemHostRegister(words, 4096);
  int (*device_pointer)(int **, int *, unsigned) =
      (__typeof__(device_pointer))dlsym(
          dlopen(getenv("MGPU_HIP_LIBRARY"), RTLD_NOW),
          "hipHostGetDevicePointer");
  if (device_pointer(&at, words, 0) != 0)
    return 2;
  for (int turn = 0; turn < 6; turn++) {
    mgpuxGraphBegin(7);
    mgpuLaunchKernel(increment, 1, 1, 1, 64, 1, 1, 0, s, params, NULL, 1);
    mgpuMemset32(at, 5, 64, s);
    mgpuLaunchKernel(increment, 1, 1, 1, 64, 1, 1, 0, s, params, NULL, 1);
    mgpuLaunchKernel(increment, 1, 1, 1, 64, 1, 1, 0, s, params, NULL, 1);
    mgpuxGraphEnd();
    mgpuStreamSynchronize(s);
    for (int i = 0; i < 64; i++)
      if (words[i] != 7) {
        printf("turn %d: word %d is %d\n", turn, i, words[i]);
        return 1;
      }
  }
  puts("ok");
}
