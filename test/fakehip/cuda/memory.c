/* Memory, copies and fills. */
#include <string.h>

#include "../lib/real.h"
#include "libcuda.h"

enum { portable = 1, mapped = 2 }; /* of host memory, by libcuda */

static CUdeviceptr address(const void *p) { return (CUdeviceptr)(uintptr_t)p; }

hipError_t real_hipMemGetInfo(size_t *free, size_t *total) {
  return free && total ? CUDA(cuMemGetInfo_v2, free, total)
                       : hipErrorInvalidValue;
}

hipError_t real_hipMemGetAddressRange(hipDeviceptr_t *base, size_t *size,
                                      hipDeviceptr_t p) {
  CUdeviceptr at = 0;
  hipError_t e =
      CUDA(cuMemGetAddressRange_v2, &at, size, (CUdeviceptr)(uintptr_t)p);
  if (e == hipSuccess && base)
    *base = (hipDeviceptr_t)(uintptr_t)at;
  return e;
}

static hipError_t give(void **out, const CUdeviceptr *p, hipError_t e) {
  *out = e == hipSuccess ? (void *)(uintptr_t)*p : NULL;
  return created(live_memory, e);
}

hipError_t real_hipMalloc(void **out, size_t size) {
  CUdeviceptr p = 0;
  if (!out)
    return hipErrorInvalidValue;
  *out = NULL;
  return size ? give(out, &p, CUDA(cuMemAlloc_v2, &p, size)) : hipSuccess;
}

hipError_t real_hipMallocManaged(void **out, size_t size, unsigned flags) {
  CUdeviceptr p = 0;
  if (!out || !size ||
      (flags != hipMemAttachGlobal && flags != hipMemAttachHost))
    return hipErrorInvalidValue;
  return give(out, &p, CUDA(cuMemAllocManaged, &p, size, flags));
}

hipError_t real_hipFree(void *p) {
  if (!p)
    return hipSuccess;
  hipError_t e =
      CUDA(cuCtxSynchronize, ); /* HIP waits for every stream of the device */
  return e == hipSuccess
             ? destroyed(live_memory, CUDA(cuMemFree_v2, address(p)))
             : e;
}

void forgive_hipFree(void *p) {
  if (p)
    forgive(live_memory);
}

_Static_assert(sizeof(CUipcMemHandle) == sizeof(hipIpcMemHandle_t), "handle");

hipError_t real_hipIpcGetMemHandle(hipIpcMemHandle_t *handle, void *p) {
  return handle ? CUDA(cuIpcGetMemHandle, (CUipcMemHandle *)handle, address(p))
                : hipErrorInvalidValue;
}

hipError_t real_hipIpcOpenMemHandle(void **out, hipIpcMemHandle_t handle,
                                    unsigned flags) {
  CUdeviceptr p = 0;
  CUipcMemHandle theirs;
  if (!out)
    return hipErrorInvalidValue;
  memcpy(&theirs, &handle, sizeof theirs);
  return give(out, &p, CUDA(cuIpcOpenMemHandle_v2, &p, theirs, flags));
}

hipError_t real_hipIpcCloseMemHandle(void *p) {
  return destroyed(live_memory, CUDA(cuIpcCloseMemHandle, address(p)));
}

hipError_t real_hipHostMalloc(void **out, size_t size, unsigned flags) {
  (void)flags;
  if (!out)
    return hipErrorInvalidValue;
  *out = NULL;
  return size ? created(live_memory,
                        CUDA(cuMemHostAlloc, out, size, portable | mapped))
              : hipSuccess;
}

hipError_t real_hipHostFree(void *p) {
  return p ? destroyed(live_memory, CUDA(cuMemFreeHost, p)) : hipSuccess;
}
void forgive_hipHostFree(void *p) { forgive_hipFree(p); }

hipError_t real_hipHostRegister(void *p, size_t size, unsigned flags) {
  if (!p || !size || flags > 7)
    return hipErrorInvalidValue;
  return created(live_registration,
                 CUDA(cuMemHostRegister_v2, p, size, portable | mapped));
}

hipError_t real_hipHostUnregister(void *p) {
  return p ? destroyed(live_registration, CUDA(cuMemHostUnregister, p))
           : hipErrorInvalidValue;
}

void forgive_hipHostUnregister(void *p) {
  (void)p;
  forgive(live_registration);
}

hipError_t real_hipHostGetDevicePointer(void **device, void *host,
                                        unsigned flags) {
  CUdeviceptr p = 0;
  if (!device || !host || flags)
    return hipErrorInvalidValue;
  hipError_t e = CUDA(cuMemHostGetDevicePointer_v2, &p, host, 0);
  *device = e == hipSuccess ? (void *)(uintptr_t)p : NULL;
  return e;
}

hipError_t real_hipMemcpyAsync(void *dst, const void *src, size_t size,
                               hipMemcpyKind kind, hipStream_t s) {
  if (kind > hipMemcpyDefault)
    return hipErrorInvalidMemcpyDirection;
  if (size == 0)
    return hipSuccess;
  if (!dst || !src)
    return hipErrorInvalidValue;
  return CUDA(cuMemcpyAsync, address(dst), address(src), size, (CUstream)s);
}

hipError_t real_hipMemsetD16Async(hipDeviceptr_t p, unsigned short value,
                                  size_t count, hipStream_t s) {
  if (count == 0)
    return hipSuccess;
  return p ? CUDA(cuMemsetD16Async, address(p), value, count, (CUstream)s)
           : hipErrorInvalidValue;
}

hipError_t real_hipMemsetD32Async(hipDeviceptr_t p, int value, size_t count,
                                  hipStream_t s) {
  if (count == 0)
    return hipSuccess;
  return p ? CUDA(cuMemsetD32Async, address(p), (unsigned)value, count,
                  (CUstream)s)
           : hipErrorInvalidValue;
}
