/* onenode IMAGE N: N rounds of two launches, whose parameters change. As in lowered code, a stream
 * is created and destroyed around each, with a wait or, every third time, without one. Prints the
 * number of wrong results, and by how many KiB the process grew after the first tenth of the
 * rounds. */
#define _GNU_SOURCE
#include <mgpu_runtime.h>

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "../../internal/chost/module.h"

enum { n = 256 };

static long resident(void) {
  long pages = 0, all;
  FILE *f = fopen("/proc/self/statm", "r");
  if (!f || fscanf(f, "%ld %ld", &all, &pages) != 2)
    exit(2);
  fclose(f);
  return pages * 4;
}

static void launch(void *f, void *s, void *a, uint32_t b, uint32_t c) {
  void *params[] = {&a, &b, &c};
  mgpuLaunchKernel(f, 1, 1, 1, n, 1, 1, 0, s, params, NULL, 3);
  b = c = 0xdeadbeef; /* they were read */
}

int main(int argc, char **argv) {
  if (argc < 3)
    return 2;
  void *image = read_module(argv[1]);
  long rounds = atol(argv[2]), wrong = 0, before = 0;
  void *module = mgpuModuleLoad(image, 0);
  void *fill = mgpuModuleGetFunction(module, "fill"),
       *step = mgpuModuleGetFunction(module, "step");
  uint32_t *out[2];
  for (int i = 0; i < 2; i++)
    out[i] = mgpuMemAlloc(4 * n, NULL, 0);
  for (long i = 0; i < rounds; i++) {
    if (i == rounds / 10)
      before = resident();
    void *s = mgpuStreamCreate();
    launch(fill, s, out[i % 2], (uint32_t)i, n);
    if (i % 3)
      mgpuStreamSynchronize(s);
    launch(step, s, out[i % 2], n, 0);
    if (i % 3)
      mgpuStreamSynchronize(s);
    if (i % 97 == 0) {
      uint32_t got[n];
      mgpuMemcpy(got, out[i % 2], sizeof got, s);
      mgpuStreamSynchronize(s);
      for (int k = 0; k < n; k++)
        wrong += got[k] != 3 * (uint32_t)i + 1;
    }
    mgpuStreamDestroy(s);
    if (i % 3 ==
        0) { /* the next round uses the other block, this one's has to be done */
      void *t = mgpuStreamCreate();
      mgpuStreamSynchronize(s == t ? t : NULL);
      mgpuStreamSynchronize(NULL);
      mgpuStreamDestroy(t);
    }
  }
  printf("wrong %ld\n", wrong);
  fprintf(stdout, "grown %ld\n", resident() - before);
  return 0;
}
