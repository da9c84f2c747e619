/* again IMAGE: regions whose graphs are launched again, changed and destroyed. Prints
 * what is computed, and on the last line how many graphs the regions launched. */
#include "capture.h"

enum { words = 64 };

static void *fill, *step, *add, *stream;
static uint32_t *a, *b;

static void launch(void *f, void *p, uint32_t x, uint32_t y) {
  void *params[] = {&p, &x, &y};
  mgpuLaunchKernel(f, 1, 1, 1, words, 1, 1, 0, stream, params, NULL, 3);
}

static void print(const char *what) {
  uint32_t host[words];
  mgpuMemcpy(host, a, sizeof host, stream);
  mgpuStreamSynchronize(stream);
  printf("%s: %u %u\n", what, host[0], host[words - 1]);
}

/* A region on the stream, on one of its own, and with memory of the host's. */
static int region(uint64_t key, uint32_t value, int steps) {
  uint32_t host[words];
  for (int i = 0; i < words; i++)
    host[i] = value + (uint32_t)i;
  mgpuxGraphBegin(key);
  mgpuMemcpy(b, host, sizeof host, stream);
  mgpuMemset32(a, value, words, stream);
  for (int i = 0; i < steps; i++)
    launch(step, a, words, 0);
  void *event = mgpuEventCreate(), *other = mgpuStreamCreate();
  mgpuEventRecord(event, stream);
  mgpuStreamWaitEvent(other, event);
  void *params[] = {&a, &b, &a, &(uint32_t){words}};
  mgpuLaunchKernel(add, 1, 1, 1, words, 1, 1, 0, other, params, NULL, 4);
  mgpuEventDestroy(event);
  mgpuStreamSynchronize(other);
  mgpuStreamDestroy(other);
  memset(host, 0, sizeof host);
  return mgpuxGraphEnd();
}

int main(int argc, char **argv) {
  if (argc < 2)
    return 2;
  void *m = mgpuModuleLoad(read_module(argv[1]), 0);
  fill = mgpuModuleGetFunction(m, "fill");
  step = mgpuModuleGetFunction(m, "step");
  add = mgpuModuleGetFunction(m, "vector_add");
  stream = mgpuStreamCreate();
  a = mgpuMemAlloc(4 * words, stream, 0);
  b = mgpuMemAlloc(4 * words, stream, 0);
  int launched = 0;
  for (uint32_t round = 0; round < 4; round++) {
    launched += region(1, 10 * round, 30);
    print("region");
    launch(fill, a, 1, words);
    launch(fill, b, 1, words);
    mgpuxGraphLaunch(1, stream);
    mgpuxGraphLaunch(1, stream);
    print("launched again");
  }
  mgpuxGraphBegin(2);
  mgpuMemset32(a, 5, words, stream);
  launched += mgpuxGraphEnd();
  mgpuxGraphBegin(3);
  mgpuMemset32(a, 6, words, stream);
  launched += mgpuxGraphEnd();
  printf("updated: %d\n", mgpuxGraphUpdate(2, 3));
  launch(fill, a, 1, words);
  mgpuxGraphLaunch(2, stream);
  print("launched");
  for (uint64_t key = 1; key <= 3; key++)
    mgpuxGraphDestroy(key);
  print("at the end");
  mgpuMemFree(a, stream);
  mgpuMemFree(b, stream);
  mgpuStreamDestroy(stream);
  mgpuModuleUnload(m);
  printf("%d\n", launched);
  return 0;
}
