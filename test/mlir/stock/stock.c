// A wrapper as MLIR's own, but without a driver: each entry point prints
// its name and does the least that keeps the caller going. Programs linked
// against it show whether a preloaded library took its place, and without one
// they print the calls that the compiler made.

#include "mgpu_runtime.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SAY() fprintf(stderr, "stock: %s\n", __func__)

// A handle that is never null and never dereferenced.
static void *handle(void) {
  static char n;
  return &n;
}

void *mgpuModuleLoad(void *data, size_t blobSize) {
  (void)data, (void)blobSize;
  SAY();
  return handle();
}

void mgpuModuleUnload(void *module) {
  (void)module;
  SAY();
}

void *mgpuModuleGetFunction(void *module, const char *name) {
  (void)module;
  fprintf(stderr, "stock: %s %s\n", __func__, name);
  return handle();
}

void mgpuLaunchKernel(void *function, intptr_t gridX, intptr_t gridY,
                      intptr_t gridZ, intptr_t blockX, intptr_t blockY,
                      intptr_t blockZ, int32_t smem, void *stream,
                      void **params, void **extra, size_t paramsCount) {
  (void)function, (void)smem, (void)stream;
  (void)params, (void)extra, (void)paramsCount;
  fprintf(stderr, "stock: %s %ld,%ld,%ld %ld,%ld,%ld\n", __func__, (long)gridX,
          (long)gridY, (long)gridZ, (long)blockX, (long)blockY, (long)blockZ);
}

void mgpuLaunchKernelCooperative(void *function, intptr_t gridX, intptr_t gridY,
                                 intptr_t gridZ, intptr_t clusterX,
                                 intptr_t clusterY, intptr_t clusterZ,
                                 intptr_t blockX, intptr_t blockY,
                                 intptr_t blockZ, int32_t smem, void *stream,
                                 void **params, void **extra) {
  (void)gridX, (void)gridY, (void)gridZ, (void)blockX, (void)blockY;
  (void)clusterX, (void)clusterY, (void)clusterZ, (void)blockZ;
  (void)function, (void)smem, (void)stream, (void)params, (void)extra;
  SAY();
}

void *mgpuStreamCreate(void) {
  SAY();
  return handle();
}

void mgpuStreamDestroy(void *stream) {
  (void)stream;
  SAY();
}

void mgpuStreamSynchronize(void *stream) {
  (void)stream;
  SAY();
}

void mgpuStreamWaitEvent(void *stream, void *event) {
  (void)stream, (void)event;
  SAY();
}

void *mgpuEventCreate(void) {
  SAY();
  return handle();
}

void mgpuEventDestroy(void *event) {
  (void)event;
  SAY();
}

void mgpuEventSynchronize(void *event) {
  (void)event;
  SAY();
}

void mgpuEventRecord(void *event, void *stream) {
  (void)event, (void)stream;
  SAY();
}

void *mgpuMemAlloc(uint64_t sizeBytes, void *stream, uint8_t isHostShared) {
  (void)stream, (void)isHostShared;
  SAY();
  return malloc(sizeBytes);
}

void mgpuMemFree(void *ptr, void *stream) {
  (void)stream;
  SAY();
  free(ptr);
}

void mgpuMemcpy(void *dst, void *src, size_t sizeBytes, void *stream) {
  (void)stream;
  SAY();
  memcpy(dst, src, sizeBytes);
}

void mgpuMemset32(void *dst, uint32_t value, size_t count, void *stream) {
  (void)stream;
  SAY();
  for (uint32_t *p = dst; count > 0; count--)
    *p++ = value;
}

void mgpuMemset16(void *dst, uint16_t value, size_t count, void *stream) {
  (void)stream;
  SAY();
  for (uint16_t *p = dst; count > 0; count--)
    *p++ = value;
}

void mgpuMemHostRegister(void *ptr, uint64_t sizeBytes) {
  (void)ptr, (void)sizeBytes;
  SAY();
}

void mgpuMemHostUnregister(void *ptr) {
  (void)ptr;
  SAY();
}

void mgpuMemHostRegisterMemRef(int64_t rank, void *descriptor,
                               int64_t elementSizeBytes) {
  (void)rank, (void)descriptor, (void)elementSizeBytes;
  SAY();
}

void mgpuMemHostUnregisterMemRef(int64_t rank, void *descriptor,
                                 int64_t elementSizeBytes) {
  (void)rank, (void)descriptor, (void)elementSizeBytes;
  SAY();
}

struct mgpu_memref1d_f32
mgpuMemGetDeviceMemRef1dFloat(float *allocated, float *aligned, int64_t offset,
                              int64_t size, int64_t stride) {
  SAY();
  return (struct mgpu_memref1d_f32){allocated, aligned, offset, size, stride};
}

struct mgpu_memref1d_i32
mgpuMemGetDeviceMemRef1dInt32(int32_t *allocated, int32_t *aligned,
                              int64_t offset, int64_t size, int64_t stride) {
  SAY();
  return (struct mgpu_memref1d_i32){allocated, aligned, offset, size, stride};
}

void mgpuSetDefaultDevice(int32_t device) {
  (void)device;
  SAY();
}
