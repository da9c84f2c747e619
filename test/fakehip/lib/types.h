/* The types of HIP's interface that the library needs, declared so that no SDK is needed to build it. vendor.c holds
 * everything here against the vendor's own header, where there is one. */
#ifndef FAKEHIP_TYPES_H
#define FAKEHIP_TYPES_H

#include <stddef.h>
#include <stdint.h>

#ifdef FAKEHIP_VENDOR
#define __HIP_PLATFORM_AMD__
#include <hip/hip_runtime_api.h>
#else

typedef struct ihipStream_t *hipStream_t;
typedef struct ihipEvent_t *hipEvent_t;
typedef struct ihipModule_t *hipModule_t;
typedef struct ihipModuleSymbol_t *hipFunction_t;
typedef void *hipDeviceptr_t;
typedef int hipDevice_t;
typedef unsigned hipError_t;
typedef unsigned hipMemcpyKind;
typedef unsigned hipDeviceAttribute_t;
typedef unsigned hipPointer_attribute;
typedef unsigned hipStreamCaptureStatus;
typedef unsigned hipStreamCaptureMode;
typedef struct ihipGraph *hipGraph_t;
typedef struct hipGraphNode *hipGraphNode_t;
typedef struct hipGraphExec *hipGraphExec_t;

typedef struct hipIpcMemHandle_st {
  char reserved[64];
} hipIpcMemHandle_t;
typedef struct dim3 {
  uint32_t x, y, z;
} dim3;
typedef struct hipKernelNodeParams {
  dim3 blockDim;
  void **extra;
  void *func;
  dim3 gridDim;
  void **kernelParams;
  unsigned int sharedMemBytes;
} hipKernelNodeParams;
typedef struct hipMemsetParams {
  void *dst;
  unsigned int elementSize;
  size_t height;
  size_t pitch;
  unsigned int value;
  size_t width;
} hipMemsetParams;

enum { hipMemoryTypeHost, hipMemoryTypeDevice };
enum {
  hipStreamCaptureStatusNone,
  hipStreamCaptureStatusActive,
  hipStreamCaptureStatusInvalidated
};
enum {
  hipStreamCaptureModeGlobal,
  hipStreamCaptureModeThreadLocal,
  hipStreamCaptureModeRelaxed
};
enum {
  HIP_POINTER_ATTRIBUTE_MEMORY_TYPE = 2,
  HIP_POINTER_ATTRIBUTE_IS_MANAGED = 8,
  HIP_POINTER_ATTRIBUTE_MAPPED = 13
};

#define E(name, value, text) enum { name = value };
#include "errors.h"
#undef E

#define A(name, number, value) enum { hipDeviceAttribute##name = number };
#include "attributes.h"
#undef A

enum {
  hipMemcpyHostToHost,
  hipMemcpyHostToDevice,
  hipMemcpyDeviceToHost,
  hipMemcpyDeviceToDevice,
  hipMemcpyDefault
};

#define hipStreamDefault 0
#define hipStreamNonBlocking 1
#define hipEventDisableTiming 2
#define hipMemAttachGlobal 1
#define hipMemAttachHost 2
#define hipHostRegisterMapped 2
#define HIP_LAUNCH_PARAM_BUFFER_POINTER ((void *)1)
#define HIP_LAUNCH_PARAM_BUFFER_SIZE ((void *)2)
#define HIP_LAUNCH_PARAM_END ((void *)3)

#endif
#endif
