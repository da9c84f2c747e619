/* A runtime library for AMD GPUs that works as MLIR's own does: each entry point
 * makes its driver call, on streams of default flags, and keeps nothing.
 * Written for the comparison; bench/gpu calls it stock. */

#include <mgpu_runtime.h>

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

#include "../../internal/hip/types.h"

static struct {
#define SYMBOL(need, result, name, params) result(*name) params;
#include "../../internal/hip/symbols.h"
#undef SYMBOL
} hip;

static const char *const libraries[] = {"libamdhip64.so.7", "libamdhip64.so.6",
                                        "libamdhip64.so.5", "libamdhip64.so"};

static void open_driver(void) {
  const char *library = getenv("MGPU_HIP_LIBRARY");
  void *handle = library ? dlopen(library, RTLD_NOW | RTLD_LOCAL) : NULL;
  for (size_t i = 0; handle == NULL && i < sizeof libraries / sizeof *libraries;
       i++)
    handle = dlopen(libraries[i], RTLD_NOW | RTLD_LOCAL);
  if (handle == NULL) {
    fprintf(stderr, "stock: %s\n", dlerror());
    exit(1);
  }
#define SYMBOL(need, result, name, params)                                     \
  *(void **)&hip.name = dlsym(handle, #name);
#include "../../internal/hip/symbols.h"
#undef SYMBOL
}

/* A linked wrapper finds its symbols when it is loaded. */
__attribute__((constructor(101))) static void begin(void) { open_driver(); }

static void report(hip_status status, const char *call) {
  if (status != hip_success)
    fprintf(stderr, "'%s' failed with '%s'\n", call,
            hip.hipGetErrorName(status));
}
#define CALL(name, ...) report(hip.name(__VA_ARGS__), #name)

void *mgpuModuleLoad(void *data, size_t blobSize) {
  (void)blobSize;
  hipModule_t m = NULL;
  CALL(hipModuleLoadData, &m, data);
  return m;
}

void *mgpuModuleLoadJIT(void *data, int32_t opt, size_t asmSize) {
  (void)data, (void)opt, (void)asmSize;
  fprintf(stderr, "'mgpuModuleLoadJIT' failed with 'not supported'\n");
  return NULL;
}

void mgpuModuleUnload(void *module) { CALL(hipModuleUnload, module); }

void *mgpuModuleGetFunction(void *module, const char *name) {
  hipFunction_t f = NULL;
  CALL(hipModuleGetFunction, &f, module, name);
  return f;
}

void mgpuLaunchKernel(void *function, intptr_t gridX, intptr_t gridY,
                      intptr_t gridZ, intptr_t blockX, intptr_t blockY,
                      intptr_t blockZ, int32_t smem, void *stream,
                      void **params, void **extra, size_t paramsCount) {
  (void)paramsCount;
  CALL(hipModuleLaunchKernel, function, (unsigned)gridX, (unsigned)gridY,
       (unsigned)gridZ, (unsigned)blockX, (unsigned)blockY, (unsigned)blockZ,
       (unsigned)smem, stream, params, extra);
}

void *mgpuStreamCreate(void) {
  hipStream_t s = NULL;
  CALL(hipStreamCreate, &s);
  return s;
}

void mgpuStreamDestroy(void *stream) { CALL(hipStreamDestroy, stream); }

void mgpuStreamSynchronize(void *stream) { CALL(hipStreamSynchronize, stream); }

void mgpuStreamWaitEvent(void *stream, void *event) {
  CALL(hipStreamWaitEvent, stream, event, 0);
}

void *mgpuEventCreate(void) {
  hipEvent_t e = NULL;
  CALL(hipEventCreateWithFlags, &e, hip_event_disable_timing);
  return e;
}

void mgpuEventDestroy(void *event) { CALL(hipEventDestroy, event); }

void mgpuEventSynchronize(void *event) { CALL(hipEventSynchronize, event); }

void mgpuEventRecord(void *event, void *stream) {
  CALL(hipEventRecord, event, stream);
}

void *mgpuMemAlloc(uint64_t sizeBytes, void *stream, uint8_t isHostShared) {
  void *p = NULL;
  if (isHostShared == 1 && stream == NULL)
    CALL(hipMallocManaged, &p, sizeBytes, hip_attach_global);
  else
    CALL(hipMalloc, &p, sizeBytes);
  return p;
}

void mgpuMemFree(void *ptr, void *stream) {
  (void)stream;
  CALL(hipFree, ptr);
}

void mgpuMemcpy(void *dst, void *src, size_t sizeBytes, void *stream) {
  CALL(hipMemcpyAsync, dst, src, sizeBytes, hip_copy_default, stream);
}

void mgpuMemset32(void *dst, uint32_t value, size_t count, void *stream) {
  CALL(hipMemsetD32Async, dst, (int)value, count, stream);
}

void mgpuMemset16(void *dst, uint16_t value, size_t count, void *stream) {
  CALL(hipMemsetD16Async, dst, value, count, stream);
}

void mgpuMemHostRegister(void *ptr, uint64_t sizeBytes) {
  CALL(hipHostRegister, ptr, sizeBytes, hip_register_default);
}

void mgpuMemHostUnregister(void *ptr) { CALL(hipHostUnregister, ptr); }

void mgpuSetDefaultDevice(int32_t device) { CALL(hipSetDevice, device); }
