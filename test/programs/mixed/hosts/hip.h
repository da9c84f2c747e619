/* HIP's functions as the programs call them: opened at run time, so that one program runs over every library. */
#ifndef MIXED_HIP_H
#define MIXED_HIP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef void *handle; /* of a stream, event, module, function, graph or exec */

enum {
  hip_success = 0,
  hip_not_ready = 600,
  hip_stream_default = 0,
  hip_stream_non_blocking = 1,
  hip_event_disable_timing = 2,
  hip_attach_global = 1,
  hip_register_mapped = 2,
  hip_copy_default = 4,
  hip_capture_relaxed = 2,
  hip_attribute_is_managed = 8
};

/* HIP(required, name, parameters): where the library lacks one that is not required, nothing that needs it is done. */
#define HIP_CALLS                                                              \
  HIP(1, hipGetDeviceCount, (int *))                                           \
  HIP(1, hipGetDevice, (int *))                                                \
  HIP(1, hipSetDevice, (int))                                                  \
  HIP(1, hipDeviceSynchronize, (void))                                         \
  HIP(1, hipGetLastError, (void))                                              \
  HIP(1, hipPeekAtLastError, (void))                                           \
  HIP(1, hipStreamCreateWithFlags, (handle *, unsigned))                       \
  HIP(1, hipStreamDestroy, (handle))                                           \
  HIP(1, hipStreamSynchronize, (handle))                                       \
  HIP(1, hipStreamQuery, (handle))                                             \
  HIP(1, hipStreamWaitEvent, (handle, handle, unsigned))                       \
  HIP(0, hipStreamGetFlags, (handle, unsigned *))                              \
  HIP(0, hipStreamGetPriority, (handle, int *))                                \
  HIP(0, hipStreamAddCallback,                                                 \
      (handle, void (*)(handle, int, void *), void *, unsigned))               \
  HIP(1, hipEventCreateWithFlags, (handle *, unsigned))                        \
  HIP(1, hipEventDestroy, (handle))                                            \
  HIP(1, hipEventRecord, (handle, handle))                                     \
  HIP(1, hipEventSynchronize, (handle))                                        \
  HIP(1, hipEventQuery, (handle))                                              \
  HIP(1, hipMalloc, (void **, size_t))                                         \
  HIP(1, hipMallocManaged, (void **, size_t, unsigned))                        \
  HIP(1, hipHostMalloc, (void **, size_t, unsigned))                           \
  HIP(1, hipFree, (void *))                                                    \
  HIP(1, hipHostFree, (void *))                                                \
  HIP(1, hipHostRegister, (void *, size_t, unsigned))                          \
  HIP(1, hipHostUnregister, (void *))                                          \
  HIP(1, hipHostGetDevicePointer, (void **, void *, unsigned))                 \
  HIP(0, hipMemGetAddressRange, (void **, size_t *, void *))                   \
  HIP(0, hipPointerGetAttribute, (void *, unsigned, void *))                   \
  HIP(1, hipMemcpyAsync, (void *, const void *, size_t, int, handle))          \
  HIP(1, hipMemsetD32Async, (void *, int, size_t, handle))                     \
  HIP(1, hipModuleLoadData, (handle *, const void *))                          \
  HIP(1, hipModuleUnload, (handle))                                            \
  HIP(1, hipModuleGetFunction, (handle *, handle, const char *))               \
  HIP(0, hipModuleGetGlobal, (void **, size_t *, handle, const char *))        \
  HIP(1, hipModuleLaunchKernel,                                                \
      (handle, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,     \
       unsigned, handle, void **, void **))                                    \
  HIP(0, hipDeviceReset, (void))                                               \
  HIP(0, hipStreamBeginCapture, (handle, int))                                 \
  HIP(0, hipStreamEndCapture, (handle, handle *))                              \
  HIP(0, hipGraphInstantiateWithFlags, (handle *, handle, unsigned long long)) \
  HIP(0, hipGraphInstantiate, (handle *, handle, handle *, char *, size_t))    \
  HIP(0, hipGraphLaunch, (handle, handle))                                     \
  HIP(0, hipGraphExecDestroy, (handle))                                        \
  HIP(0, hipGraphDestroy, (handle))

struct hip {
#define HIP(required, name, parameters) int(*name) parameters;
  HIP_CALLS
#undef HIP
  const char *(*hipGetErrorName)(int);
};

extern struct hip hip;

#endif
