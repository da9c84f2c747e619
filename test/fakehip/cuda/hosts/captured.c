/* captured IMAGE: a program that captures streams of the library by itself, with
 * libcuda's own calls, around ordinary ones; on an NVIDIA GPU. Its graphs must hold
 * what it called, one node for each, and compute that whenever they are launched.
 * Prints how many checks failed. */
#define _GNU_SOURCE
#include <mgpu_runtime.h>

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../../internal/chost/module.h"
#include "../../../../internal/cuda/types.h"

enum { words = 64, kernel_node = 0 };

static struct {
  cuda_status (*cuStreamBeginCapture_v2)(CUstream, cuda_enum);
  cuda_status (*cuStreamEndCapture)(CUstream, CUgraph *);
  cuda_status (*cuGraphGetNodes)(CUgraph, CUgraphNode *, size_t *);
  cuda_status (*cuGraphNodeGetType)(CUgraphNode, cuda_enum *);
  cuda_status (*cuGraphInstantiateWithFlags)(CUgraphExec *, CUgraph,
                                             unsigned long long);
  cuda_status (*cuGraphLaunch)(CUgraphExec, CUstream);
} cu;

static int wrong;

static void check(const char *what, long got, long want) {
  if (got == want)
    return;
  wrong++;
  fprintf(stderr, "%s: %ld instead of %ld\n", what, got, want);
}

static void open_cuda(void) {
  void *h = dlopen("libcuda.so.1", RTLD_NOW);
  if (h == NULL)
    exit(2);
#define FIND(name)                                                             \
  if ((*(void **)&cu.name = dlsym(h, #name)) == NULL)                          \
    exit(2);
  FIND(cuStreamBeginCapture_v2)
  FIND(cuStreamEndCapture)
  FIND(cuGraphGetNodes)
  FIND(cuGraphNodeGetType)
  FIND(cuGraphInstantiateWithFlags)
  FIND(cuGraphLaunch)
}

static void *fill, *step, *memory, *stream;

static void launch(void *f, void *s, uint32_t b, uint32_t c) {
  void *params[] = {&memory, &b, &c};
  mgpuLaunchKernel(f, 1, 1, 1, words, 1, 1, 0, s, params, NULL, 3);
}

static uint32_t first(void) {
  uint32_t host[words];
  mgpuMemcpy(host, memory, sizeof host, stream);
  mgpuStreamSynchronize(stream);
  return host[0];
}

/* Ends the capture; launches what came of it so often. kernels: how many nodes of
 * it have to be kernels, of so many. */
static void captured(const char *what, long kernels, long all, int times) {
  CUgraph graph = NULL;
  check(what, (long)cu.cuStreamEndCapture(stream, &graph), 0);
  size_t n = 64;
  CUgraphNode node[64];
  check(what, (long)cu.cuGraphGetNodes(graph, node, &n), 0);
  check(what, (long)n, all);
  long found = 0;
  for (size_t i = 0; i < n && i < 64; i++) {
    cuda_enum type = 99;
    cu.cuGraphNodeGetType(node[i], &type);
    found += type == kernel_node;
  }
  check(what, found, kernels);
  CUgraphExec exec = NULL;
  check(what, (long)cu.cuGraphInstantiateWithFlags(&exec, graph, 0), 0);
  for (int i = 0; i < times; i++)
    check(what, (long)cu.cuGraphLaunch(exec, stream), 0);
}

/* A few launches, or more than one graph holds. */
static void region(uint32_t value, int steps) {
  mgpuxGraphBegin(1);
  launch(fill, stream, value, words);
  for (int i = 0; i < steps; i++)
    launch(step, stream, words, 0);
  mgpuxGraphEnd();
}

int main(int argc, char **argv) {
  void *image = read_module(argc > 1 ? argv[1] : NULL);
  open_cuda();
  void *m = mgpuModuleLoadJIT(image, 2, 0);
  fill = mgpuModuleGetFunction(m, "fill");
  step = mgpuModuleGetFunction(m, "step");
  memory = mgpuMemAlloc(4 * words, NULL, 0);
  void *other = mgpuStreamCreate();
  stream = mgpuStreamCreate();
  void *e = mgpuEventCreate();
  mgpuEventRecord(e, stream);
  mgpuEventSynchronize(e);
  for (uint32_t i = 0; i < 400; i++) { /* until there are kept graphs */
    launch(fill, stream, i, words);
    launch(step, stream, words, 0);
    if (i % 3 == 0)
      mgpuStreamSynchronize(stream);
  }
  mgpuStreamSynchronize(stream);
  check("before", first(), 3 * 399 + 1);

  for (cuda_enum mode = 0; mode < 3; mode++) { /* global, thread's, relaxed */
    cu.cuStreamBeginCapture_v2(stream, mode);
    launch(fill, stream, 5, words);
    launch(step, stream, words, 0);
    launch(step, stream, words, 0);
    captured("launches", 3, 3, 2);
    check("launches", first(), 3 * (3 * 5 + 1) + 1);

    cu.cuStreamBeginCapture_v2(stream, mode);
    mgpuMemset32(memory, 7, words, stream);
    mgpuEventRecord(e, stream);
    mgpuStreamWaitEvent(other, e);
    launch(step, other, words, 0);
    mgpuEventRecord(e, other);
    mgpuStreamWaitEvent(stream, e);
    launch(step, stream, words, 0);
    captured("two streams", 2, 3, 2);
    check("two streams", first(), 3 * (3 * 7 + 1) + 1);

    /* Streams and memory come and go meanwhile. */
    cu.cuStreamBeginCapture_v2(stream, mode);
    launch(fill, stream, 9, words);
    for (int i = 0; i < 20; i++)
      mgpuStreamDestroy(mgpuStreamCreate());
    launch(step, stream, words, 0);
    captured("streams beside it", 2, 2, 1);
    check("streams beside it", first(), 28);

    /* A recorded region is launched into the capture. */
    region(1, 30);
    region(2, 30);
    mgpuStreamSynchronize(stream);
    cu.cuStreamBeginCapture_v2(stream, mode);
    region(3, 2);
    captured("a region", 3, 3, 2);
    check("a region", first(), 31);
    region(4, 2);
    check("a region after it", first(), 40);
    cu.cuStreamBeginCapture_v2(stream, mode);
    mgpuxGraphLaunch(1, stream);
    captured("a graph", 3, 3, 2);
    check("a graph", first(), 40);
    region(5, 30);
    region(5, 30);
    cu.cuStreamBeginCapture_v2(stream, mode);
    region(6, 30);
    captured("a region that is repeated", 31, 31, 1);
    region(6, 30);
    uint32_t twice = first();
    region(6, 30);
    check("the same", first(), twice);
  }
  for (uint32_t i = 0; i < 40; i++)
    launch(fill, stream, i, words);
  check("afterwards", first(), 39);
  printf("wrong %d\n", wrong);
  return 0;
}
