/* What libcuda itself allows: a runtime library for bench/devices.c whose threads keep a
 * stream, a module and a block of memory each, so that launches, copies and waits are all
 * that a turn calls. A thread has one device. */

#include <mgpu_runtime.h>

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "../../internal/cuda/types.h"

static struct {
#define SYMBOL(need, result, name, params) result(*name) params;
#include "../../internal/cuda/symbols.h"
#undef SYMBOL
} cu;

static __thread struct {
  int device;
  CUcontext context;
  CUstream stream;
  CUmodule module;
  CUfunction function;
  CUdeviceptr block;
} own;

static void must(cuda_status status, const char *call) {
  if (status == cuda_success)
    return;
  fprintf(stderr, "bare: '%s' failed with %d\n", call, (int)status);
  exit(1);
}
#define MUST(name, ...) must(cu.name(__VA_ARGS__), #name)

static void open_driver(void) {
  void *handle = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  if (handle == NULL) {
    fprintf(stderr, "bare: %s\n", dlerror());
    exit(1);
  }
#define SYMBOL(need, result, name, params)                                     \
  *(void **)&cu.name = dlsym(handle, #name);
#include "../../internal/cuda/symbols.h"
#undef SYMBOL
  MUST(cuInit, 0);
}

static void enter(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, open_driver);
  if (own.context != NULL)
    return;
  CUdevice device = 0;
  MUST(cuDeviceGet, &device, own.device);
  MUST(cuDevicePrimaryCtxRetain, &own.context, device);
  MUST(cuCtxSetCurrent, own.context);
}

void mgpuSetDefaultDevice(int32_t device) { own.device = device; }

void *mgpuModuleLoad(void *data, size_t blobSize) {
  (void)blobSize;
  enter();
  if (own.module == NULL)
    MUST(cuModuleLoadData, &own.module, data);
  return own.module;
}

void *mgpuModuleLoadJIT(void *data, int32_t opt, size_t asmSize) {
  (void)opt;
  return mgpuModuleLoad(data, asmSize);
}

void mgpuModuleUnload(void *module) { (void)module; }

void *mgpuModuleGetFunction(void *module, const char *name) {
  if (own.function == NULL)
    MUST(cuModuleGetFunction, &own.function, module, name);
  return own.function;
}

void mgpuLaunchKernel(void *function, intptr_t gridX, intptr_t gridY,
                      intptr_t gridZ, intptr_t blockX, intptr_t blockY,
                      intptr_t blockZ, int32_t smem, void *stream,
                      void **params, void **extra, size_t paramsCount) {
  (void)paramsCount;
  MUST(cuLaunchKernel, function, (unsigned)gridX, (unsigned)gridY,
       (unsigned)gridZ, (unsigned)blockX, (unsigned)blockY, (unsigned)blockZ,
       (unsigned)smem, stream, params, extra);
}

void *mgpuStreamCreate(void) {
  enter();
  if (own.stream == NULL)
    MUST(cuStreamCreate, &own.stream, cuda_stream_non_blocking);
  return own.stream;
}

void mgpuStreamDestroy(void *stream) { (void)stream; }

void mgpuStreamSynchronize(void *stream) { MUST(cuStreamSynchronize, stream); }

void *mgpuMemAlloc(uint64_t sizeBytes, void *stream, uint8_t isHostShared) {
  (void)stream;
  (void)isHostShared;
  if (own.block == 0)
    MUST(cuMemAlloc_v2, &own.block, sizeBytes);
  return (void *)own.block;
}

void mgpuMemFree(void *ptr, void *stream) {
  (void)ptr;
  (void)stream;
}

void mgpuMemcpy(void *dst, void *src, size_t sizeBytes, void *stream) {
  MUST(cuMemcpyAsync, (CUdeviceptr)dst, (CUdeviceptr)src, sizeBytes, stream);
}
