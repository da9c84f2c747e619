/* Driver calls on a stream that another thread destroys at that moment: an allocation queries
 * which blocks are free again, and a graph's launch follows the previous one. The program may
 * destroy the stream, since neither call names it. Arguments: an image, a kernel in it, and the
 * driver's function in which the stream is destroyed. */
#include <mgpu_runtime.h>

#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../internal/chost/module.h"

enum { bytes = 4096, pooled = 40 };

static void *stream, *first;
static const char *destroyed_in;
static __thread bool watched;
static int destroyed;

static void *destroy(void *arg) {
  mgpuStreamDestroy(first); /* the thread keeps one for its next create */
  mgpuStreamSynchronize(stream);
  mgpuStreamDestroy(stream);
  return arg;
}

static void watch(const char *function, int over) {
  if (!watched || over || strcmp(function, destroyed_in) != 0 ||
      destroyed++ > 0)
    return;
  pthread_t t;
  pthread_create(&t, NULL, destroy, NULL);
  pthread_join(t, NULL);
}

int main(int argc, char **argv) {
  if (argc < 4)
    return 3;
  destroyed_in = argv[3];
  void *hip = dlopen(getenv("MGPU_HIP_LIBRARY"), RTLD_NOW);
  void (*set_watch)(void (*)(const char *, int)) =
      (void (*)(void (*)(const char *, int)))dlsym(hip, "fakehip_watch");
  void *module = mgpuModuleLoad(read_module(argv[1]), 0);
  void *kernel = mgpuModuleGetFunction(module, argv[2]);
  void *others[pooled];
  for (int i = 0; i < pooled; i++)
    others[i] = mgpuStreamCreate();
  first = mgpuStreamCreate();
  mgpuStreamSynchronize(first);
  stream = mgpuStreamCreate(); /* the latest: used before others */
  void *block = mgpuMemAlloc(bytes, NULL, 0);
  void *other = mgpuMemAlloc(2 * bytes, NULL, 0);
  for (int i = 0; i < pooled; i++) { /* as many as the pool keeps */
    mgpuStreamSynchronize(others[i]);
    mgpuStreamDestroy(others[i]);
  }
  uint64_t zero = 0;
  bool graph = strcmp(destroyed_in, "hipEventRecord") == 0;
  void *second = graph ? mgpuStreamCreate() : NULL;
  if (graph)
    mgpuxGraphBegin(1);
  for (int i = 0; i < 2; i++)
    mgpuLaunchKernel(
        kernel, 1, 1, 1, 16, 1, 1, 0, stream,
        (void *[]){&other, &zero, &zero, &zero, &zero, &zero, &zero, &zero},
        NULL, 3);
  if (graph)
    mgpuxGraphEnd();
  else
    mgpuMemFree(block, NULL);
  watched = true;
  set_watch(watch);
  if (graph)
    mgpuxGraphLaunch(1, second);
  else
    block = mgpuMemAlloc(bytes, NULL, 0);
  set_watch(NULL);
  printf("destroyed %d\n", destroyed > 0);
  return 0;
}
