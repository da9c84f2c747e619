/* input IMAGE: loads an image, and makes calls that an old driver may lack. Those
 * before and after have to work wherever there is a driver. */
#include <mgpu_runtime.h>
#include <stdio.h>
#include <stdlib.h>

#include "../../../internal/chost/module.h"

int main(int argc, char **argv) {
  void *image = read_module(argc == 2 ? argv[1] : NULL);
  void *s = mgpuStreamCreate();
  void *p = mgpuMemAlloc(64, s, 0);
  printf("module %d\n", mgpuModuleLoad(image, 0) != NULL);
  mgpuMemset16(p, 1, 32, s);
  mgpuMemFree(mgpuMemAlloc(64, NULL, 1), NULL);
  mgpuMemset32(p, 1, 16, s);
  mgpuStreamSynchronize(s);
  mgpuMemFree(p, s);
  mgpuStreamDestroy(s);
}
