/* The HIP functions that the driver calls, one row each:
 *
 *   SYMBOL(required | optional, result, name, parameters)
 *
 * Without a required one a library is no HIP library; calling an optional one
 * that it lacks gives hipErrorNotSupported. calls.c makes the table, the loader's
 * list and the stand-ins for what is missing from these rows, and
 * test/prototypes compares them with the vendor's header. Types are in types.h. */

/* A row is one line. */
/* clang-format off */
SYMBOL(required, const char *, hipGetErrorName, (hip_status))
SYMBOL(required, const char *, hipGetErrorString, (hip_status))
SYMBOL(optional, hip_status, hipGetLastError, (void))
SYMBOL(optional, hip_status, hipRuntimeGetVersion, (int *))

SYMBOL(required, hip_status, hipGetDeviceCount, (int *))
SYMBOL(required, hip_status, hipSetDevice, (int))
SYMBOL(required, hip_status, hipGetDevice, (int *))
SYMBOL(optional, hip_status, hipDeviceGetName, (char *, int, hipDevice_t))

SYMBOL(required, hip_status, hipModuleLoadData, (hipModule_t *, const void *))
SYMBOL(required, hip_status, hipModuleUnload, (hipModule_t))
SYMBOL(required, hip_status, hipModuleGetFunction, (hipFunction_t *, hipModule_t, const char *))
SYMBOL(required, hip_status, hipModuleLaunchKernel, (hipFunction_t, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, hipStream_t, void **, void **))
SYMBOL(optional, hip_status, hipModuleLaunchCooperativeKernel, (hipFunction_t, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, hipStream_t, void **))

SYMBOL(required, hip_status, hipStreamCreate, (hipStream_t *))
SYMBOL(required, hip_status, hipStreamDestroy, (hipStream_t))
SYMBOL(required, hip_status, hipStreamSynchronize, (hipStream_t))
SYMBOL(required, hip_status, hipStreamQuery, (hipStream_t))
SYMBOL(required, hip_status, hipStreamWaitEvent, (hipStream_t, hipEvent_t, unsigned))

SYMBOL(required, hip_status, hipEventCreateWithFlags, (hipEvent_t *, unsigned))
SYMBOL(required, hip_status, hipEventDestroy, (hipEvent_t))
SYMBOL(required, hip_status, hipEventRecord, (hipEvent_t, hipStream_t))
SYMBOL(required, hip_status, hipEventSynchronize, (hipEvent_t))
SYMBOL(required, hip_status, hipEventQuery, (hipEvent_t))

SYMBOL(required, hip_status, hipMalloc, (void **, size_t))
SYMBOL(optional, hip_status, hipMallocManaged, (void **, size_t, unsigned))
SYMBOL(required, hip_status, hipFree, (void *))
SYMBOL(optional, hip_status, hipMemGetInfo, (size_t *, size_t *))
SYMBOL(optional, hip_status, hipHostMalloc, (void **, size_t, unsigned))
SYMBOL(optional, hip_status, hipHostFree, (void *))
SYMBOL(optional, hip_status, hipDeviceSynchronize, (void))
SYMBOL(required, hip_status, hipMemcpyAsync, (void *, const void *, size_t, hip_enum, hipStream_t))
SYMBOL(required, hip_status, hipMemsetD32Async, (hipDeviceptr_t, int, size_t, hipStream_t))
SYMBOL(optional, hip_status, hipMemsetD16Async, (hipDeviceptr_t, unsigned short, size_t, hipStream_t))
SYMBOL(required, hip_status, hipHostRegister, (void *, size_t, unsigned))
SYMBOL(required, hip_status, hipHostUnregister, (void *))
SYMBOL(required, hip_status, hipHostGetDevicePointer, (void **, void *, unsigned))

SYMBOL(optional, hip_status, hipGraphCreate, (hipGraph_t *, unsigned))
SYMBOL(optional, hip_status, hipGraphDestroy, (hipGraph_t))
SYMBOL(optional, hip_status, hipGraphAddKernelNode, (hipGraphNode_t *, hipGraph_t, const hipGraphNode_t *, size_t, const hipKernelNodeParams *))
SYMBOL(optional, hip_status, hipGraphAddMemcpyNode1D, (hipGraphNode_t *, hipGraph_t, const hipGraphNode_t *, size_t, void *, const void *, size_t, hip_enum))
SYMBOL(optional, hip_status, hipGraphAddMemsetNode, (hipGraphNode_t *, hipGraph_t, const hipGraphNode_t *, size_t, const hipMemsetParams *))
SYMBOL(optional, hip_status, hipGraphAddEmptyNode, (hipGraphNode_t *, hipGraph_t, const hipGraphNode_t *, size_t))
SYMBOL(optional, hip_status, hipGraphInstantiateWithFlags, (hipGraphExec_t *, hipGraph_t, unsigned long long))
SYMBOL(optional, hip_status, hipGraphLaunch, (hipGraphExec_t, hipStream_t))
SYMBOL(optional, hip_status, hipGraphExecDestroy, (hipGraphExec_t))
SYMBOL(optional, hip_status, hipGraphExecKernelNodeSetParams, (hipGraphExec_t, hipGraphNode_t, const hipKernelNodeParams *))
SYMBOL(optional, hip_status, hipGraphExecMemcpyNodeSetParams1D, (hipGraphExec_t, hipGraphNode_t, void *, const void *, size_t, hip_enum))
SYMBOL(optional, hip_status, hipGraphExecMemsetNodeSetParams, (hipGraphExec_t, hipGraphNode_t, const hipMemsetParams *))
SYMBOL(optional, hip_status, hipPointerGetAttribute, (void *, hip_enum, hipDeviceptr_t))
SYMBOL(optional, hip_status, hipStreamIsCapturing, (hipStream_t, hip_enum *))
SYMBOL(optional, hip_status, hipThreadExchangeStreamCaptureMode, (hip_enum *))
