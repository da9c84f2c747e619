/* input IMAGE: loads an image, and makes calls that an old driver may lack. Those
 * before and after have to work wherever there is a driver. */
#include <mgpu_runtime.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  FILE *f = argc == 2 ? fopen(argv[1], "rb") : NULL;
  static char image[1 << 20] __attribute__((aligned(4096)));
  if (f == NULL || fread(image, 1, sizeof image, f) == 0)
    return 3;
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
