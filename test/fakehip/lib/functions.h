/* The functions of the library, a line for each; everything that is done to every call is done where a list of them is
 * included (call.c, entry.c, vendor.c).
 *
 * F(name, fault, parameters, arguments)   fault: what it fails with where a rule that makes it fail does not say
 * D(name, fault, type)                    the same, for what ends the life of the handle that is its only argument
 * S(name)                                 const char *name(hipError_t) */
F(hipInit, hipErrorNoDevice, (unsigned flags), (flags))
F(hipDriverGetVersion, hipErrorUnknown, (int *version), (version))
F(hipRuntimeGetVersion, hipErrorUnknown, (int *version), (version))
F(hipGetDeviceCount, hipErrorNoDevice, (int *count), (count))
F(hipGetDevice, hipErrorUnknown, (int *device), (device))
F(hipSetDevice, hipErrorInvalidDevice, (int device), (device))
F(hipDeviceGet, hipErrorInvalidDevice, (hipDevice_t * device, int ordinal),
  (device, ordinal))
F(hipDeviceGetName, hipErrorUnknown, (char *name, int size, hipDevice_t device),
  (name, size, device))
F(hipDeviceGetAttribute, hipErrorUnknown,
  (int *value, hipDeviceAttribute_t a, int device), (value, a, device))
F(hipDeviceSynchronize, hipErrorLaunchFailure, (void), ())
F(hipDeviceReset, hipErrorUnknown, (void), ())
F(hipMemGetInfo, hipErrorUnknown, (size_t *free, size_t *total), (free, total))
F(hipGetLastError, hipErrorUnknown, (void), ())
F(hipPeekAtLastError, hipErrorUnknown, (void), ())
S(hipGetErrorName)
S(hipGetErrorString)

F(hipModuleLoadData, hipErrorInvalidImage,
  (hipModule_t * module, const void *image), (module, image))
D(hipModuleUnload, hipErrorUnknown, hipModule_t)
F(hipModuleGetFunction, hipErrorNotFound,
  (hipFunction_t * f, hipModule_t module, const char *name), (f, module, name))
F(hipModuleGetGlobal, hipErrorNotFound,
  (hipDeviceptr_t * p, size_t *bytes, hipModule_t module, const char *name),
  (p, bytes, module, name))
F(hipModuleLaunchKernel, hipErrorLaunchFailure,
  (hipFunction_t f, unsigned gx, unsigned gy, unsigned gz, unsigned bx,
   unsigned by, unsigned bz, unsigned shared, hipStream_t stream, void **params,
   void **extra),
  (f, gx, gy, gz, bx, by, bz, shared, stream, params, extra))
F(hipModuleLaunchCooperativeKernel, hipErrorLaunchFailure,
  (hipFunction_t f, unsigned gx, unsigned gy, unsigned gz, unsigned bx,
   unsigned by, unsigned bz, unsigned shared, hipStream_t stream,
   void **params),
  (f, gx, gy, gz, bx, by, bz, shared, stream, params))

F(hipStreamCreate, hipErrorOutOfMemory, (hipStream_t * stream), (stream))
F(hipStreamCreateWithFlags, hipErrorOutOfMemory,
  (hipStream_t * stream, unsigned flags), (stream, flags))
F(hipStreamGetFlags, hipErrorUnknown, (hipStream_t stream, unsigned *flags),
  (stream, flags))
D(hipStreamDestroy, hipErrorUnknown, hipStream_t)
F(hipStreamSynchronize, hipErrorLaunchFailure, (hipStream_t stream), (stream))
F(hipStreamQuery, hipErrorLaunchFailure, (hipStream_t stream), (stream))
F(hipStreamWaitEvent, hipErrorUnknown,
  (hipStream_t stream, hipEvent_t event, unsigned flags),
  (stream, event, flags))

F(hipEventCreate, hipErrorOutOfMemory, (hipEvent_t * event), (event))
F(hipEventCreateWithFlags, hipErrorOutOfMemory,
  (hipEvent_t * event, unsigned flags), (event, flags))
D(hipEventDestroy, hipErrorUnknown, hipEvent_t)
F(hipEventRecord, hipErrorUnknown, (hipEvent_t event, hipStream_t stream),
  (event, stream))
F(hipEventSynchronize, hipErrorLaunchFailure, (hipEvent_t event), (event))
F(hipEventQuery, hipErrorLaunchFailure, (hipEvent_t event), (event))

F(hipMalloc, hipErrorOutOfMemory, (void **p, size_t size), (p, size))
F(hipMallocManaged, hipErrorOutOfMemory,
  (void **p, size_t size, unsigned flags), (p, size, flags))
F(hipHostMalloc, hipErrorOutOfMemory, (void **p, size_t size, unsigned flags),
  (p, size, flags))
D(hipFree, hipErrorUnknown, void *)
D(hipHostFree, hipErrorUnknown, void *)
F(hipHostRegister, hipErrorOutOfMemory, (void *p, size_t size, unsigned flags),
  (p, size, flags))
D(hipHostUnregister, hipErrorUnknown, void *)
F(hipHostGetDevicePointer, hipErrorInvalidValue,
  (void **device, void *host, unsigned flags), (device, host, flags))
F(hipMemGetAddressRange, hipErrorNotFound,
  (hipDeviceptr_t * base, size_t *size, hipDeviceptr_t p), (base, size, p))
F(hipIpcGetMemHandle, hipErrorInvalidValue,
  (hipIpcMemHandle_t * handle, void *p), (handle, p))
F(hipIpcOpenMemHandle, hipErrorInvalidValue,
  (void **p, hipIpcMemHandle_t handle, unsigned flags), (p, handle, flags))
F(hipIpcCloseMemHandle, hipErrorInvalidValue, (void *p), (p))
F(hipMemcpyAsync, hipErrorUnknown,
  (void *dst, const void *src, size_t size, hipMemcpyKind kind,
   hipStream_t stream),
  (dst, src, size, kind, stream))
F(hipMemsetD16Async, hipErrorUnknown,
  (hipDeviceptr_t p, unsigned short value, size_t count, hipStream_t stream),
  (p, value, count, stream))
F(hipMemsetD32Async, hipErrorUnknown,
  (hipDeviceptr_t p, int value, size_t count, hipStream_t stream),
  (p, value, count, stream))

F(hipGraphCreate, hipErrorOutOfMemory, (hipGraph_t * graph, unsigned flags),
  (graph, flags))
D(hipGraphDestroy, hipErrorUnknown, hipGraph_t)
F(hipGraphAddKernelNode, hipErrorInvalidValue,
  (hipGraphNode_t * node, hipGraph_t graph, const hipGraphNode_t *after,
   size_t n, const hipKernelNodeParams *does),
  (node, graph, after, n, does))
F(hipGraphAddMemcpyNode1D, hipErrorInvalidValue,
  (hipGraphNode_t * node, hipGraph_t graph, const hipGraphNode_t *after,
   size_t n, void *dst, const void *src, size_t bytes, hipMemcpyKind kind),
  (node, graph, after, n, dst, src, bytes, kind))
F(hipGraphAddMemsetNode, hipErrorInvalidValue,
  (hipGraphNode_t * node, hipGraph_t graph, const hipGraphNode_t *after,
   size_t n, const hipMemsetParams *does),
  (node, graph, after, n, does))
F(hipGraphAddEmptyNode, hipErrorInvalidValue,
  (hipGraphNode_t * node, hipGraph_t graph, const hipGraphNode_t *after,
   size_t n),
  (node, graph, after, n))
F(hipGraphInstantiateWithFlags, hipErrorOutOfMemory,
  (hipGraphExec_t * exec, hipGraph_t graph, unsigned long long flags),
  (exec, graph, flags))
F(hipGraphLaunch, hipErrorLaunchFailure,
  (hipGraphExec_t exec, hipStream_t stream), (exec, stream))
D(hipGraphExecDestroy, hipErrorUnknown, hipGraphExec_t)
F(hipGraphExecKernelNodeSetParams, hipErrorInvalidValue,
  (hipGraphExec_t exec, hipGraphNode_t node, const hipKernelNodeParams *does),
  (exec, node, does))
F(hipGraphExecMemcpyNodeSetParams1D, hipErrorInvalidValue,
  (hipGraphExec_t exec, hipGraphNode_t node, void *dst, const void *src,
   size_t bytes, hipMemcpyKind kind),
  (exec, node, dst, src, bytes, kind))
F(hipGraphExecMemsetNodeSetParams, hipErrorInvalidValue,
  (hipGraphExec_t exec, hipGraphNode_t node, const hipMemsetParams *does),
  (exec, node, does))
F(hipPointerGetAttribute, hipErrorInvalidValue,
  (void *value, hipPointer_attribute attribute, hipDeviceptr_t p),
  (value, attribute, p))
F(hipDrvPointerGetAttributes, hipErrorInvalidValue,
  (unsigned n, hipPointer_attribute *attributes, void **values,
   hipDeviceptr_t p),
  (n, attributes, values, p))
F(hipStreamBeginCapture, hipErrorUnknown,
  (hipStream_t stream, hipStreamCaptureMode mode), (stream, mode))
F(hipStreamEndCapture, hipErrorUnknown, (hipStream_t stream, hipGraph_t *graph),
  (stream, graph))
F(hipStreamIsCapturing, hipErrorUnknown,
  (hipStream_t stream, hipStreamCaptureStatus *status), (stream, status))
F(hipThreadExchangeStreamCaptureMode, hipErrorInvalidValue,
  (hipStreamCaptureMode * mode), (mode))
