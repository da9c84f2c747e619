/* scratch IMAGE WORDS: a kernel writes so many words to a buffer of mgpuxScratch, of
 * 64 words at first and of 96 when it has grown, and prints its first and 64th. */
#include "capture.h"

static void fill(void *f, void *s, void *p, uint32_t value, uint32_t n) {
  void *params[] = {&p, &value, &n};
  mgpuLaunchKernel(f, 1, 1, 1, 128, 1, 1, 0, s, params, NULL, 3);
}

int main(int argc, char **argv) {
  if (argc < 3)
    return 2;
  void *m = mgpuModuleLoad(read_module(argv[1]), 0);
  void *f = mgpuModuleGetFunction(m, "fill"), *s = mgpuStreamCreate();
  uint32_t n = (uint32_t)atoi(argv[2]), host[64];
  void *p = mgpuxScratch(f, 256, s);
  if (p == NULL || mgpuxScratch(f, 100, s) != p || mgpuxScratch(f, 0, s) != p)
    return 3;
  fill(f, s, p, 7, n);
  mgpuStreamSynchronize(s);
  p = mgpuxScratch(f, 384, s);
  if (p == NULL)
    return 4;
  fill(f, s, p, 8, 96);
  mgpuMemcpy(host, p, sizeof host, s);
  mgpuStreamSynchronize(s);
  printf("%u %u\n", host[0], host[63]);
  mgpuStreamDestroy(s);
  mgpuModuleUnload(m);
  return 0;
}
