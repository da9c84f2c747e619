/* A runtime library for NVIDIA GPUs that works as MLIR's own does: each entry
 * point makes its driver call, on non-blocking streams, and keeps nothing for
 * the next call. Where MLIR's pushes the primary context around the call, so
 * does this. Written for the comparison; bench/gpu calls it stock.
 *
 * With LINKED it includes the vendor's cuda.h and is linked to libcuda, as
 * MLIR's is. Without, it builds on any machine and opens libcuda. */

#ifdef LINKED
#include <cuda.h>
#endif
#include <mgpu_runtime.h>

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "../../internal/cuda/types.h"
#ifndef LINKED
typedef cuda_status CUresult;
#endif

#ifdef LINKED
#define DRIVER(name) name
#else
#define DRIVER(name) cu.name
static struct {
#define SYMBOL(need, result, name, params) result(*name) params;
#include "../../internal/cuda/symbols.h"
#undef SYMBOL
} cu;
#endif

static CUcontext primary;
static __thread int current_device;

static void report(cuda_status status, const char *call) {
  if (status == cuda_success)
    return;
  const char *name = NULL;
  DRIVER(cuGetErrorName)((CUresult)status, &name);
  fprintf(stderr, "'%s' failed with '%s'\n", call, name ? name : "<unknown>");
}
#define CALL(name, ...) report(DRIVER(name)(__VA_ARGS__), #name)

static void open_driver(void) {
#ifndef LINKED
  const char *library = getenv("MGPU_CUDA_LIBRARY");
  void *handle =
      dlopen(library ? library : "libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  if (handle == NULL) {
    fprintf(stderr, "stock: %s\n", dlerror());
    exit(1);
  }
#define SYMBOL(need, result, name, params)                                     \
  *(void **)&cu.name = dlsym(handle, #name);
#include "../../internal/cuda/symbols.h"
#undef SYMBOL
#endif
  CUdevice device = 0;
  CALL(cuInit, 0);
  CALL(cuDeviceGet, &device, current_device);
  CALL(cuDevicePrimaryCtxRetain, &primary, device);
}

/* The driver is opened by the first call that needs a context, which is whatever
 * a program calls first. */
static void enter(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, open_driver);
  CALL(cuCtxPushCurrent_v2, primary);
}

static void leave(void) {
  CUcontext popped;
  CALL(cuCtxPopCurrent_v2, &popped);
}

void *mgpuModuleLoad(void *data, size_t blobSize) {
  (void)blobSize;
  CUmodule m = NULL;
  enter();
  CALL(cuModuleLoadData, &m, data);
  leave();
  return m;
}

void *mgpuModuleLoadJIT(void *data, int32_t opt, size_t asmSize) {
  (void)asmSize;
  CUmodule m = NULL;
  char log[4096] = "";
  cuda_enum options[] = {cuda_jit_error_log, cuda_jit_error_log_bytes,
                         cuda_jit_optimization_level};
  void *values[] = {log, (void *)sizeof log, (void *)(uintptr_t)opt};
  enter();
  cuda_status status =
      DRIVER(cuModuleLoadDataEx)(&m, data, 3, (void *)options, values);
  if (status != cuda_success && log[0] != 0)
    fprintf(stderr, "stock: %s\n", log);
  report(status, "cuModuleLoadDataEx");
  leave();
  return m;
}

void mgpuModuleUnload(void *module) { CALL(cuModuleUnload, module); }

void *mgpuModuleGetFunction(void *module, const char *name) {
  CUfunction f = NULL;
  CALL(cuModuleGetFunction, &f, module, name);
  return f;
}

void mgpuLaunchKernel(void *function, intptr_t gridX, intptr_t gridY,
                      intptr_t gridZ, intptr_t blockX, intptr_t blockY,
                      intptr_t blockZ, int32_t smem, void *stream,
                      void **params, void **extra, size_t paramsCount) {
  (void)paramsCount;
  enter();
  if (smem > 0)
    CALL(cuFuncSetAttribute, function, cuda_function_max_dynamic_shared, smem);
  CALL(cuLaunchKernel, function, (unsigned)gridX, (unsigned)gridY,
       (unsigned)gridZ, (unsigned)blockX, (unsigned)blockY, (unsigned)blockZ,
       (unsigned)smem, stream, params, extra);
  leave();
}

void *mgpuStreamCreate(void) {
  CUstream s = NULL;
  enter();
  CALL(cuStreamCreate, &s, cuda_stream_non_blocking);
  leave();
  return s;
}

void mgpuStreamDestroy(void *stream) { CALL(cuStreamDestroy_v2, stream); }

void mgpuStreamSynchronize(void *stream) { CALL(cuStreamSynchronize, stream); }

void mgpuStreamWaitEvent(void *stream, void *event) {
  CALL(cuStreamWaitEvent, stream, event, 0);
}

void *mgpuEventCreate(void) {
  CUevent e = NULL;
  enter();
  CALL(cuEventCreate, &e, cuda_event_disable_timing);
  leave();
  return e;
}

void mgpuEventDestroy(void *event) { CALL(cuEventDestroy_v2, event); }

void mgpuEventSynchronize(void *event) { CALL(cuEventSynchronize, event); }

void mgpuEventRecord(void *event, void *stream) {
  CALL(cuEventRecord, event, stream);
}

void *mgpuMemAlloc(uint64_t sizeBytes, void *stream, uint8_t isHostShared) {
  CUdeviceptr p = 0;
  if (sizeBytes == 0)
    return NULL;
  enter();
  if (isHostShared == 1 && stream == NULL)
    CALL(cuMemAllocManaged, &p, sizeBytes, cuda_attach_global);
  else
    CALL(cuMemAlloc_v2, &p, sizeBytes);
  leave();
  return (void *)p;
}

void mgpuMemFree(void *ptr, void *stream) {
  (void)stream;
  CALL(cuMemFree_v2, (CUdeviceptr)ptr);
}

void mgpuMemcpy(void *dst, void *src, size_t sizeBytes, void *stream) {
  CALL(cuMemcpyAsync, (CUdeviceptr)dst, (CUdeviceptr)src, sizeBytes, stream);
}

void mgpuMemset32(void *dst, uint32_t value, size_t count, void *stream) {
  CALL(cuMemsetD32Async, (CUdeviceptr)dst, value, count, stream);
}

void mgpuMemset16(void *dst, uint16_t value, size_t count, void *stream) {
  CALL(cuMemsetD16Async, (CUdeviceptr)dst, value, count, stream);
}

void mgpuMemHostRegister(void *ptr, uint64_t sizeBytes) {
  enter();
  CALL(cuMemHostRegister_v2, ptr, sizeBytes, 0);
  leave();
}

void mgpuMemHostUnregister(void *ptr) {
  enter();
  CALL(cuMemHostUnregister, ptr);
  leave();
}

void mgpuSetDefaultDevice(int32_t device) { current_device = device; }
