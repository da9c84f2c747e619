/* wrong WHAT: a program on mgpu that runs out of memory, or whose kernel WHAT
 * fails; then it goes on, if it can. */
#include <mgpu_runtime.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../internal/chost/module.h"

int main(int argc, char **argv) {
  if (argc != 2)
    return 2;
  void *image = read_module(getenv("MODULE"));
  void *m = mgpuModuleLoad(image, 0), *s = mgpuStreamCreate();
  if (strcmp(argv[1], "memory") == 0) {
    void *all[100];
    int n = 0;
    while (n < 100 && (all[n] = mgpuMemAlloc(16 << 20, s, 0)) != NULL)
      n++;
    printf("%d blocks\n", n);
    for (int i = 0; i < n; i++)
      mgpuMemFree(all[i], s);
    void *again = mgpuMemAlloc(n * (8 << 20), s, 0); /* of another size */
    printf("again: %d\n", again != NULL);
    return 0;
  }
  void *p = mgpuMemAlloc(4096, s, 0), *params[] = {&p};
  mgpuLaunchKernel(mgpuModuleGetFunction(m, argv[1]), 1, 1, 1, 64, 1, 1, 0, s,
                   params, NULL, 1);
  mgpuStreamSynchronize(s);
  printf("went on\n");
  return 0;
}
