/* The HIP functions that the driver calls, one row each:
 *
 *   SYMBOL(need, result, name, parameters)  one that calls.c or graph.c calls
 *   CALLED(need, name, parameters)          one that Go calls, see internal/dl/table.h
 *   GIVING(need, name, parameters)          and one that gives something
 *
 * Without a required one a library is no HIP library; calling an optional one that
 * it lacks gives hipErrorNotSupported. test/library/prototypes compares the rows with the
 * vendor's header. Types are in types.h. */

#ifndef CALLED /* for those who want a list of all */
#define CALLED(need, name, params) SYMBOL(need, hip_status, name, params)
#define GIVING CALLED
#endif

/* A row is one line. */
/* clang-format off */
SYMBOL(required, const char *, hipGetErrorName, (hip_status))
SYMBOL(required, const char *, hipGetErrorString, (hip_status))
SYMBOL(optional, hip_status, hipGetLastError, (void))
GIVING(optional, hipRuntimeGetVersion, (int *))

GIVING(required, hipGetDeviceCount, (int *))
CALLED(required, hipSetDevice, (int))
GIVING(required, hipGetDevice, (int *))
SYMBOL(optional, hip_status, hipDeviceGetName, (char *, int, hipDevice_t))

GIVING(required, hipModuleLoadData, (hipModule_t *, const void *))
CALLED(required, hipModuleUnload, (hipModule_t))
GIVING(required, hipModuleGetFunction, (hipFunction_t *, hipModule_t, const char *))
CALLED(required, hipModuleLaunchKernel, (hipFunction_t, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, hipStream_t, void **, void **))
CALLED(optional, hipModuleLaunchCooperativeKernel, (hipFunction_t, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, hipStream_t, void **))

GIVING(required, hipStreamCreate, (hipStream_t *))
CALLED(required, hipStreamDestroy, (hipStream_t))
CALLED(required, hipStreamSynchronize, (hipStream_t))
CALLED(required, hipStreamQuery, (hipStream_t))
CALLED(required, hipStreamWaitEvent, (hipStream_t, hipEvent_t, unsigned))

GIVING(required, hipEventCreateWithFlags, (hipEvent_t *, unsigned))
CALLED(required, hipEventDestroy, (hipEvent_t))
CALLED(required, hipEventRecord, (hipEvent_t, hipStream_t))
CALLED(required, hipEventSynchronize, (hipEvent_t))
CALLED(required, hipEventQuery, (hipEvent_t))

GIVING(required, hipMalloc, (void **, size_t))
GIVING(optional, hipMallocManaged, (void **, size_t, unsigned))
CALLED(required, hipFree, (void *))
SYMBOL(optional, hip_status, hipMemGetInfo, (size_t *, size_t *))
GIVING(optional, hipHostMalloc, (void **, size_t, unsigned))
CALLED(optional, hipHostFree, (void *))
SYMBOL(optional, hip_status, hipDeviceSynchronize, (void))
CALLED(required, hipMemcpyAsync, (void *, const void *, size_t, hip_enum, hipStream_t))
CALLED(required, hipMemsetD32Async, (hipDeviceptr_t, int, size_t, hipStream_t))
CALLED(optional, hipMemsetD16Async, (hipDeviceptr_t, unsigned short, size_t, hipStream_t))
CALLED(required, hipHostRegister, (void *, size_t, unsigned))
CALLED(required, hipHostUnregister, (void *))
GIVING(required, hipHostGetDevicePointer, (void **, void *, unsigned))

GIVING(optional, hipGraphCreate, (hipGraph_t *, unsigned))
CALLED(optional, hipGraphDestroy, (hipGraph_t))
GIVING(optional, hipGraphAddKernelNode, (hipGraphNode_t *, hipGraph_t, const hipGraphNode_t *, size_t, const hipKernelNodeParams *))
GIVING(optional, hipGraphAddMemcpyNode1D, (hipGraphNode_t *, hipGraph_t, const hipGraphNode_t *, size_t, void *, const void *, size_t, hip_enum))
GIVING(optional, hipGraphAddMemsetNode, (hipGraphNode_t *, hipGraph_t, const hipGraphNode_t *, size_t, const hipMemsetParams *))
GIVING(optional, hipGraphAddEmptyNode, (hipGraphNode_t *, hipGraph_t, const hipGraphNode_t *, size_t))
GIVING(optional, hipGraphInstantiateWithFlags, (hipGraphExec_t *, hipGraph_t, unsigned long long))
CALLED(optional, hipGraphLaunch, (hipGraphExec_t, hipStream_t))
CALLED(optional, hipGraphExecDestroy, (hipGraphExec_t))
CALLED(optional, hipGraphExecKernelNodeSetParams, (hipGraphExec_t, hipGraphNode_t, const hipKernelNodeParams *))
CALLED(optional, hipGraphExecMemcpyNodeSetParams1D, (hipGraphExec_t, hipGraphNode_t, void *, const void *, size_t, hip_enum))
CALLED(optional, hipGraphExecMemsetNodeSetParams, (hipGraphExec_t, hipGraphNode_t, const hipMemsetParams *))
SYMBOL(optional, hip_status, hipPointerGetAttribute, (void *, hip_enum, hipDeviceptr_t))
SYMBOL(optional, hip_status, hipStreamIsCapturing, (hipStream_t, hip_enum *))
SYMBOL(optional, hip_status, hipThreadExchangeStreamCaptureMode, (hip_enum *))
/* clang-format on */
#undef CALLED
#undef GIVING
