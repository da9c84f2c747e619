/* explicit IMAGE SHAPE: launches on a stream of the program's own that wait for other work, in the calls of releases
 * of MLIR that lower them: SHAPE says what the dependency is. 50 rounds, with memory that each round allocates and
 * frees without a wait of its own.
 *
 *   stream  another stream: an event is made, recorded there, waited for and destroyed
 *   event   an event that was recorded earlier, whose stream is gone
 *   none    gpu.launch with a stream: nothing but the launches */
#include <mgpu_runtime.h>

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int hipStreamCreate(void **stream);
int hipStreamDestroy(void *stream);

enum { words = 64 };

static char image[1 << 20];

int main(int argc, char **argv) {
  if (argc != 3)
    return 2;
  FILE *f = fopen(argv[1], "rb");
  size_t size = fread(image, 1, sizeof image, f);
  fclose(f);
  int by_event = strcmp(argv[2], "event") == 0,
      depends = strcmp(argv[2], "none") != 0, wrong = 0;
  void *module = mgpuModuleLoad(image, size),
       *fill = mgpuModuleGetFunction(module, "fill"),
       *step = mgpuModuleGetFunction(module, "step");
  void *own, *event = NULL;
  if (hipStreamCreate(&own) != 0)
    return 2;
  for (uint32_t round = 0; round < 50; round++) {
    uint32_t n = words, here[words];
    void *p = mgpuMemAlloc(sizeof here, own, 0),
         *dependency = depends ? mgpuStreamCreate() : own;
    void *fills[] = {&p, &round, &n}, *steps[] = {&p, &n};
    mgpuLaunchKernel(fill, 1, 1, 1, words, 1, 1, 0, dependency, fills, NULL, 3);
    if (depends) {
      event = mgpuEventCreate();
      mgpuEventRecord(event, dependency);
      if (by_event)
        mgpuStreamDestroy(dependency);
      mgpuStreamWaitEvent(own, event);
      mgpuEventDestroy(event);
    }
    mgpuLaunchKernel(step, 1, 1, 1, words, 1, 1, 0, own, steps, NULL, 2);
    if (depends && !by_event)
      mgpuStreamDestroy(dependency);
    mgpuMemcpy(here, p, sizeof here, own);
    mgpuMemFree(p, own);
    mgpuStreamSynchronize(own);
    for (uint32_t i = 0; i < words; i++)
      wrong += here[i] != 3 * round + 1;
  }
  mgpuModuleUnload(module);
  printf("%d wrong\n", wrong);
  return hipStreamDestroy(own) != 0;
}
