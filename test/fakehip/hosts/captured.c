/* captured IMAGE CALL WHOSE: makes one call of the ABI on a stream that the program captures, or beside it. The stream is
 * hipStreamCreate's where WHOSE is "own", else mgpuStreamCreate's. Prints whether the call fails, and whether the capture goes
 * on. Without CALL: the names. */
#include <mgpu_runtime.h>

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int hipStreamCreate(void **stream);
int hipStreamBeginCapture(void *stream, unsigned mode);
int hipStreamEndCapture(void *stream, void **graph);

static char image[1 << 20], host[4096] __attribute__((aligned(4096))),
    more[4096] __attribute__((aligned(4096)));
static size_t size;
static void *module, *step, *stream, *other, *event, *memory, *target;

static struct {
  void *allocated, *aligned;
  int64_t offset, sizes[1], strides[1];
} memref = {more, more, 0, {4096}, {1}};

static void launch(int kind) {
  uint32_t n = 4;
  void *arguments[] = {&memory, &n};
  if (kind == 0)
    mgpuLaunchKernel(step, 1, 1, 1, 4, 1, 1, 0, stream, arguments, NULL, 2);
  else if (kind == 1)
    mgpuLaunchKernelCooperative(step, 1, 1, 1, 0, 0, 0, 4, 1, 1, 0, stream,
                                arguments, NULL);
  else
    mgpuLaunchClusterKernel(step, 1, 1, 1, 1, 1, 1, 4, 1, 1, 0, stream,
                            arguments, NULL);
}

#define CALLS(X)                                                               \
  X(mgpuModuleLoad, mgpuModuleLoad(image, size))                               \
  X(mgpuModuleUnload, mgpuModuleUnload(module))                                \
  X(mgpuModuleGetFunction, mgpuModuleGetFunction(module, "fill"))              \
  X(mgpuLaunchKernel, launch(0))                                               \
  X(mgpuLaunchKernelCooperative, launch(1))                                    \
  X(mgpuLaunchClusterKernel, launch(2))                                        \
  X(mgpuStreamCreate, mgpuStreamCreate())                                      \
  X(mgpuStreamDestroy, mgpuStreamDestroy(other))                               \
  X(mgpuStreamSynchronize, mgpuStreamSynchronize(stream))                      \
  X(mgpuEventCreate, mgpuEventCreate())                                        \
  X(mgpuEventDestroy, mgpuEventDestroy(event))                                 \
  X(mgpuMemAlloc, mgpuMemAlloc(1 << 20, stream, 0))                            \
  X(mgpuMemFree, mgpuMemFree(target, stream))                                  \
  X(mgpuMemcpy, mgpuMemcpy(target, memory, 16, stream))                        \
  X(mgpuMemset32, mgpuMemset32(target, 1, 4, stream))                          \
  X(mgpuMemset16, mgpuMemset16(target, 1, 4, stream))                          \
  X(mgpuMemHostRegister, mgpuMemHostRegister(more, sizeof more))               \
  X(mgpuMemHostUnregister, mgpuMemHostUnregister(host))                        \
  X(mgpuMemHostRegisterMemRef,                                                 \
    mgpuMemHostRegisterMemRef(1, (void *)&memref, 1))                          \
  X(mgpuMemGetDeviceMemRef1dFloat,                                             \
    mgpuMemGetDeviceMemRef1dFloat((float *)host, (float *)host, 0, 1, 1))      \
  X(mgpuSetDefaultDevice, mgpuSetDefaultDevice(0))

int main(int argc, char **argv) {
  if (argc < 2)
    return 2;
#define NAME(name, call) puts(#name);
  if (argc == 2) {
    CALLS(NAME)
    return 0;
  }
  FILE *f = fopen(argv[1], "rb");
  size = fread(image, 1, sizeof image, f);
  fclose(f);
  module = mgpuModuleLoad(image, size);
  step = mgpuModuleGetFunction(module, "step");
  if (argc < 4 || strcmp(argv[3], "own") != 0)
    stream = mgpuStreamCreate();
  else if (hipStreamCreate(&stream) != 0)
    return 2;
  other = mgpuStreamCreate();
  event = mgpuEventCreate();
  memory = mgpuMemAlloc(4096, stream, 0);
  target = mgpuMemAlloc(4096, stream, 0);
  mgpuMemHostRegister(host, sizeof host);
  mgpuMemset32(memory, 1, 1024, stream);
  mgpuStreamSynchronize(stream);
  if (hipStreamBeginCapture(stream, 0) != 0)
    return 2;
  mgpuxTakeError(NULL, 0);
#define MAKE(name, call)                                                       \
  if (strcmp(argv[2], #name) == 0)                                             \
    (void)call;
  CALLS(MAKE)
  int failed = mgpuxTakeError(NULL, 0);
  void *graph = NULL;
  int ended = hipStreamEndCapture(stream, &graph);
  printf("%s, capture %s\n", failed ? "fails" : "works",
         ended == 0 ? "goes on" : "ends");
  return 0;
}
