/* The loop of a lowered program, through the runtime library, on this library's device: "loop IMAGE". Prints how many of its
 * rounds gave the right result, in a first program and in a second one after it. */
#include "mgpu_runtime.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { rounds = 20, words = 64 };

/* Each time somewhere else: where a wait has failed, a copy may arrive late. */
static uint32_t results[2 * rounds][words];
static int round_now;

static int right(void *image, size_t bytes) {
  uint32_t *got = results[round_now++], n = words;
  memset(got, 0xff, sizeof results[0]);
  void *m = mgpuModuleLoad(image, bytes);
  void *f = m ? mgpuModuleGetFunction(m, "step") : NULL;
  void *s = mgpuStreamCreate();
  void *p = mgpuMemAlloc(sizeof results[0], s, 0);
  if (p && f) {
    void *params[] = {&p, &n};
    mgpuMemset32(p, 5, words, s);
    mgpuLaunchKernel(f, 1, 1, 1, words, 1, 1, 0, s, params, NULL, 2);
    mgpuMemcpy(got, p, sizeof results[0], s);
  }
  void *e = mgpuEventCreate();
  if (e) {
    mgpuEventRecord(e, s);
    mgpuEventSynchronize(e);
    mgpuEventDestroy(e);
  }
  mgpuStreamSynchronize(s);
  if (p)
    mgpuMemFree(p, s);
  if (s)
    mgpuStreamDestroy(s);
  if (m)
    mgpuModuleUnload(m);
  for (int i = 0; i < words; i++)
    if (got[i] != 16)
      return 0;
  return 1;
}

int main(int argc, char **argv) {
  static char image[1 << 20];
  FILE *in = argc > 1 ? fopen(argv[1], "rb") : NULL;
  size_t bytes = in ? fread(image, 1, sizeof image, in) : 0;
  if (bytes == 0)
    return 2;
  for (int program = 0; program < 2; program++) {
    int n = 0;
    for (int i = 0; i < rounds; i++)
      n += right(image, bytes);
    printf("%d\n", n);
  }
  return 0;
}
