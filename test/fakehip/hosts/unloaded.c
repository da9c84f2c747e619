/* A program that gives modules of mgpu's to hipModuleUnload, loads them again, and uses other
 * loads of the same image. */
#include <mgpu_runtime.h>

#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "../../internal/chost/module.h"

static int (*unload)(void *);

/* Fills 64 words by the module's kernel and returns how many are right. */
static int fill(void *m) {
  uint32_t got[64] = {0}, value = 7;
  uint64_t n = 64;
  void *f = mgpuModuleGetFunction(m, "fill"), *s = mgpuStreamCreate();
  void *p = mgpuMemAlloc(sizeof got, s, 0);
  void *arguments[] = {&p, &value, &n};
  mgpuLaunchKernel(f, 1, 1, 1, 64, 1, 1, 0, s, arguments, NULL, 3);
  mgpuMemcpy(got, p, sizeof got, s);
  mgpuStreamSynchronize(s);
  mgpuMemFree(p, s);
  mgpuStreamDestroy(s);
  int right = 0;
  for (int i = 0; i < 64; i++)
    right += got[i] == value;
  return right;
}

int main(int argc, char **argv) {
  void *image = read_module(argv[argc - 1]);
  for (int i = 0; i < 6; i++) {
    void *m = mgpuModuleLoad(image, 0);
    printf("%d\n", fill(m));
    unload = dlsym(dlopen(getenv("MGPU_HIP_LIBRARY"), RTLD_NOW | RTLD_NOLOAD),
                   "hipModuleUnload");
    if (i % 3 == 2)
      mgpuModuleUnload(m);
    else if (unload(m) != 0)
      return 1;
  }
  void *first = mgpuModuleLoad(image, 0), *second = mgpuModuleLoad(image, 0);
  printf("%d\n", fill(first));
  if (unload(first) != 0)
    return 1;
  printf("%d\n", fill(second));
  mgpuModuleUnload(second);
}
