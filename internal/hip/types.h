/* HIP's types and numbers, as far as the driver uses them, written for this project. Handle
 * types repeat the vendor's declarations exactly, so a file that includes both compiles only
 * if they agree. */
#ifndef MGPU_HIP_TYPES_H
#define MGPU_HIP_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The part of a table after its functions. */
struct state {
  int version; /* result of hipRuntimeGetVersion, 0 if it fails */
};

/* From this version of HIP on, the kinds of memory have other numbers. */
enum { first_renumbered = 60000000 };

/* From this version of HIP on hipStreamIsCapturing reads a stream that was destroyed. */
enum { first_unchecked = 70000000 };

/* Compilers give enumerations without negative values an unsigned type. */
typedef unsigned hip_status;
typedef unsigned hip_enum;

typedef int hipDevice_t;
typedef void *hipDeviceptr_t;
typedef struct ihipStream_t *hipStream_t;
typedef struct ihipEvent_t *hipEvent_t;
typedef struct ihipModule_t *hipModule_t;
typedef struct ihipModuleSymbol_t *hipFunction_t;
typedef struct ihipGraph *hipGraph_t;
typedef struct hipGraphNode *hipGraphNode_t;
typedef struct hipGraphExec *hipGraphExec_t;
typedef struct hipKernelNodeParams hipKernelNodeParams;
typedef struct hipMemsetParams hipMemsetParams;
typedef struct HIP_LAUNCH_CONFIG_st HIP_LAUNCH_CONFIG;

/* The contents of a HIP_LAUNCH_CONFIG and its attributes. */
struct hip_launch_attribute {
  hip_enum id;
  char pad[8 - sizeof(hip_enum)];
  union {
    char pad[64];
    uint32_t cluster[3];
  } value;
};
struct hip_launch_config {
  uint32_t grid[3], block[3];
  unsigned shared;
  hipStream_t stream;
  struct hip_launch_attribute *attributes;
  unsigned count;
};

/* The parameters of graph nodes. */
struct hip_kernel_node {
  uint32_t block[3];
  void **extra;
  void *function;
  uint32_t grid[3];
  void **params;
  unsigned shared;
};
struct hip_fill_node {
  void *dst;
  unsigned size;
  size_t height, pitch;
  unsigned value;
  size_t width;
};

/* The numbers: NUMBER(name here, the vendor's name, value). */
#define HIP_NUMBERS(NUMBER)                                                    \
  NUMBER(event_disable_timing, hipEventDisableTiming, 2)                       \
  NUMBER(attach_global, hipMemAttachGlobal, 1)                                 \
  NUMBER(register_default, hipHostRegisterDefault, 0)                          \
  NUMBER(copy_default, hipMemcpyDefault, 4)                                    \
  NUMBER(pointer_type, HIP_POINTER_ATTRIBUTE_MEMORY_TYPE, 2)                   \
  NUMBER(pointer_buffer_id, HIP_POINTER_ATTRIBUTE_BUFFER_ID, 7)                \
  NUMBER(pointer_managed, HIP_POINTER_ATTRIBUTE_IS_MANAGED, 8)                 \
  NUMBER(pointer_mapped, HIP_POINTER_ATTRIBUTE_MAPPED, 13)                     \
  NUMBER(not_capturing, hipStreamCaptureStatusNone, 0)                         \
  NUMBER(success, hipSuccess, 0)                                               \
  NUMBER(invalid_value, hipErrorInvalidValue, 1)                               \
  NUMBER(out_of_memory, hipErrorOutOfMemory, 2)                                \
  NUMBER(deinitialized, hipErrorDeinitialized, 4)                              \
  NUMBER(invalid_configuration, hipErrorInvalidConfiguration, 9)               \
  NUMBER(invalid_device_pointer, hipErrorInvalidDevicePointer, 17)             \
  NUMBER(insufficient_driver, hipErrorInsufficientDriver, 35)                  \
  NUMBER(invalid_device_function, hipErrorInvalidDeviceFunction, 98)           \
  NUMBER(no_device, hipErrorNoDevice, 100)                                     \
  NUMBER(invalid_device, hipErrorInvalidDevice, 101)                           \
  NUMBER(invalid_image, hipErrorInvalidImage, 200)                             \
  NUMBER(no_binary_for_gpu, hipErrorNoBinaryForGpu, 209)                       \
  NUMBER(invalid_kernel_file, hipErrorInvalidKernelFile, 218)                  \
  NUMBER(invalid_source, hipErrorInvalidSource, 300)                           \
  NUMBER(symbol_not_found, hipErrorSharedObjectSymbolNotFound, 302)            \
  NUMBER(shared_object_init_failed, hipErrorSharedObjectInitFailed, 303)       \
  NUMBER(invalid_handle, hipErrorInvalidHandle, 400)                           \
  NUMBER(not_found, hipErrorNotFound, 500)                                     \
  NUMBER(not_ready, hipErrorNotReady, 600)                                     \
  NUMBER(illegal_address, hipErrorIllegalAddress, 700)                         \
  NUMBER(launch_out_of_resources, hipErrorLaunchOutOfResources, 701)           \
  NUMBER(launch_timeout, hipErrorLaunchTimeOut, 702)                           \
  NUMBER(capture_unmatched, hipErrorStreamCaptureUnmatched, 903)               \
  NUMBER(context_is_destroyed, hipErrorContextIsDestroyed, 709)                \
  NUMBER(kernel_assert, hipErrorAssert, 710)                                   \
  NUMBER(already_registered, hipErrorHostMemoryAlreadyRegistered, 712)         \
  NUMBER(not_registered, hipErrorHostMemoryNotRegistered, 713)                 \
  NUMBER(launch_failure, hipErrorLaunchFailure, 719)                           \
  NUMBER(cooperative_too_large, hipErrorCooperativeLaunchTooLarge, 720)        \
  NUMBER(not_supported, hipErrorNotSupported, 801)

#define HIP_NUMBER(ours, theirs, value) hip_##ours = value,
enum { HIP_NUMBERS(HIP_NUMBER) };

#endif
