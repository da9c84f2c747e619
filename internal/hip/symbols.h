/* The HIP functions that the driver calls, one row each:
 *
 *   SYMBOL(need, result, name, parameters)  one that calls.c or graph.c calls
 *   CALLED(need, name, parameters, as)      one behind the C function call_NAME, which
 *                                           package gpuapi calls under the name as; see
 *                                           internal/gpuapi/table.h
 *   GIVING(need, name, parameters, as)      and one that gives something
 *
 * Without a required one a library is no HIP library; calling an optional one that
 * it lacks gives hipErrorNotSupported. test/library/prototypes compares the rows with the
 * vendor's header. Types are in types.h. */

#ifndef CALLED /* for those who want a list of all */
#define CALLED(need, name, params, ...) SYMBOL(need, hip_status, name, params)
#define GIVING CALLED
#endif

/* A row is one line. */
/* clang-format off */
SYMBOL(required, const char *, hipGetErrorName, (hip_status))
SYMBOL(required, const char *, hipGetErrorString, (hip_status))
SYMBOL(optional, hip_status, hipGetLastError, (void))
SYMBOL(optional, hip_status, hipPeekAtLastError, (void))
GIVING(optional, hipRuntimeGetVersion, (int *))

GIVING(required, hipGetDeviceCount, (int *), device_count)
CALLED(required, hipSetDevice, (int), device_set)
GIVING(required, hipGetDevice, (int *), device_get)
SYMBOL(optional, hip_status, hipDeviceGetName, (char *, int, hipDevice_t))

GIVING(required, hipModuleLoadData, (hipModule_t *, const void *), module_load)
CALLED(required, hipModuleUnload, (hipModule_t), module_unload)
GIVING(required, hipModuleGetFunction, (hipFunction_t *, hipModule_t, const char *), module_function)
CALLED(required, hipModuleLaunchKernel, (hipFunction_t, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, hipStream_t, void **, void **))
CALLED(optional, hipModuleLaunchCooperativeKernel, (hipFunction_t, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, hipStream_t, void **), launch_cooperative)
CALLED(optional, hipDrvLaunchKernelEx, (const HIP_LAUNCH_CONFIG *, hipFunction_t, void **, void **))

GIVING(required, hipStreamCreate, (hipStream_t *), stream_create)
CALLED(required, hipStreamDestroy, (hipStream_t), stream_destroy)
CALLED(required, hipStreamSynchronize, (hipStream_t), stream_synchronize)
CALLED(required, hipStreamQuery, (hipStream_t), stream_query)
CALLED(required, hipStreamWaitEvent, (hipStream_t, hipEvent_t, unsigned), stream_wait_event)

GIVING(required, hipEventCreateWithFlags, (hipEvent_t *, unsigned), event_create)
CALLED(required, hipEventDestroy, (hipEvent_t), event_destroy)
CALLED(required, hipEventRecord, (hipEvent_t, hipStream_t), event_record)
CALLED(required, hipEventSynchronize, (hipEvent_t), event_synchronize)
CALLED(required, hipEventQuery, (hipEvent_t), event_query)
SYMBOL(optional, hip_status, hipEventElapsedTime, (float *, hipEvent_t, hipEvent_t))

GIVING(required, hipMalloc, (void **, size_t), mem_alloc)
GIVING(optional, hipMallocManaged, (void **, size_t, unsigned), mem_alloc_managed)
CALLED(required, hipFree, (void *), mem_free)
SYMBOL(optional, hip_status, hipMemGetInfo, (size_t *, size_t *))
SYMBOL(optional, hip_status, hipMemGetAddressRange, (hipDeviceptr_t *, size_t *, hipDeviceptr_t))
SYMBOL(optional, hip_status, hipDeviceSynchronize, (void))
CALLED(required, hipMemcpyAsync, (void *, const void *, size_t, hip_enum, hipStream_t))
CALLED(required, hipMemsetD32Async, (hipDeviceptr_t, int, size_t, hipStream_t), memset32)
CALLED(optional, hipMemsetD16Async, (hipDeviceptr_t, unsigned short, size_t, hipStream_t), memset16)
CALLED(required, hipHostRegister, (void *, size_t, unsigned), host_register)
CALLED(required, hipHostUnregister, (void *), host_unregister)
GIVING(required, hipHostGetDevicePointer, (void **, void *, unsigned), host_device_pointer)

GIVING(optional, hipGraphCreate, (hipGraph_t *, unsigned), graph_create)
CALLED(optional, hipGraphDestroy, (hipGraph_t), graph_destroy)
GIVING(optional, hipGraphAddKernelNode, (hipGraphNode_t *, hipGraph_t, const hipGraphNode_t *, size_t, const hipKernelNodeParams *))
GIVING(optional, hipGraphAddMemcpyNode1D, (hipGraphNode_t *, hipGraph_t, const hipGraphNode_t *, size_t, void *, const void *, size_t, hip_enum))
GIVING(optional, hipGraphAddMemsetNode, (hipGraphNode_t *, hipGraph_t, const hipGraphNode_t *, size_t, const hipMemsetParams *))
GIVING(optional, hipGraphAddEmptyNode, (hipGraphNode_t *, hipGraph_t, const hipGraphNode_t *, size_t))
GIVING(optional, hipGraphInstantiateWithFlags, (hipGraphExec_t *, hipGraph_t, unsigned long long), graph_instantiate)
CALLED(optional, hipGraphLaunch, (hipGraphExec_t, hipStream_t), graph_launch)
CALLED(optional, hipGraphExecDestroy, (hipGraphExec_t), graph_exec_destroy)
CALLED(optional, hipGraphExecKernelNodeSetParams, (hipGraphExec_t, hipGraphNode_t, const hipKernelNodeParams *))
CALLED(optional, hipGraphExecMemcpyNodeSetParams1D, (hipGraphExec_t, hipGraphNode_t, void *, const void *, size_t, hip_enum))
CALLED(optional, hipGraphExecMemsetNodeSetParams, (hipGraphExec_t, hipGraphNode_t, const hipMemsetParams *))
SYMBOL(optional, hip_status, hipExtMallocWithFlags, (void **, size_t, unsigned))
SYMBOL(optional, hip_status, hipPointerGetAttribute, (void *, hip_enum, hipDeviceptr_t))
SYMBOL(optional, hip_status, hipDrvPointerGetAttributes, (unsigned, hip_enum *, void **, hipDeviceptr_t))
SYMBOL(optional, hip_status, hipStreamIsCapturing, (hipStream_t, hip_enum *))
SYMBOL(optional, hip_status, hipStreamEndCapture, (hipStream_t, hipGraph_t *))
SYMBOL(optional, hip_status, hipThreadExchangeStreamCaptureMode, (hip_enum *))
/* clang-format on */
#undef CALLED
#undef GIVING
