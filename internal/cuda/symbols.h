/* The functions of libcuda that the driver calls, one row each:
 *
 *   SYMBOL(need, result, name, parameters)  one that calls.c or graph.c calls
 *   CALLED(need, name, parameters, as)      one behind the C function call_NAME, which
 *                                           package gpuapi calls under the name as; see
 *                                           internal/gpuapi/table.h
 *   GIVING(need, name, parameters, as)      and one that gives something
 *
 * by the names that libcuda exports, versions included. Without a required one a
 * library is no CUDA driver; calling an optional one that it lacks gives
 * CUDA_ERROR_NOT_SUPPORTED. test/library/prototypes compares the rows with the vendor's
 * header. Types are in types.h. */

#ifndef CALLED /* for those who want a list of all */
#define CALLED(need, name, params, ...) SYMBOL(need, cuda_status, name, params)
#define GIVING CALLED
#endif

/* A row is one line. */
/* clang-format off */
SYMBOL(required, cuda_status, cuInit, (unsigned))
SYMBOL(required, cuda_status, cuDriverGetVersion, (int *))
SYMBOL(required, cuda_status, cuGetErrorName, (cuda_status, const char **))
SYMBOL(required, cuda_status, cuGetErrorString, (cuda_status, const char **))

SYMBOL(required, cuda_status, cuDeviceGetCount, (int *))
SYMBOL(required, cuda_status, cuDeviceGet, (CUdevice *, int))
SYMBOL(required, cuda_status, cuDeviceGetName, (char *, int, CUdevice))
SYMBOL(required, cuda_status, cuDeviceGetAttribute, (int *, cuda_enum, CUdevice))
SYMBOL(required, cuda_status, cuDevicePrimaryCtxRetain, (CUcontext *, CUdevice))
SYMBOL(required, cuda_status, cuCtxGetCurrent, (CUcontext *))
SYMBOL(required, cuda_status, cuCtxSetCurrent, (CUcontext))
SYMBOL(required, cuda_status, cuCtxPushCurrent_v2, (CUcontext))
SYMBOL(required, cuda_status, cuCtxPopCurrent_v2, (CUcontext *))

GIVING(required, cuModuleLoadData, (CUmodule *, const void *), module_load)
GIVING(required, cuModuleLoadDataEx, (CUmodule *, const void *, unsigned, cuda_enum *, void **))
CALLED(required, cuModuleUnload, (CUmodule), module_unload)
GIVING(required, cuModuleGetFunction, (CUfunction *, CUmodule, const char *), module_function)
GIVING(required, cuFuncGetAttribute, (int *, cuda_enum, CUfunction))
CALLED(optional, cuFuncSetAttribute, (CUfunction, cuda_enum, int))
CALLED(required, cuLaunchKernel, (CUfunction, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, CUstream, void **, void **))
CALLED(optional, cuLaunchKernelEx, (const CUlaunchConfig *, CUfunction, void **, void **))
CALLED(optional, cuLaunchCooperativeKernel, (CUfunction, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, CUstream, void **), launch_cooperative)
CALLED(optional, cuTensorMapEncodeTiled, (CUtensorMap *, cuda_enum, uint32_t, void *, const uint64_t *, const uint64_t *, const uint32_t *, const uint32_t *, cuda_enum, cuda_enum, cuda_enum, cuda_enum))

GIVING(required, cuStreamCreate, (CUstream *, unsigned))
CALLED(required, cuStreamDestroy_v2, (CUstream), stream_destroy)
CALLED(required, cuStreamSynchronize, (CUstream), stream_synchronize)
CALLED(required, cuStreamQuery, (CUstream), stream_query)
CALLED(required, cuStreamWaitEvent, (CUstream, CUevent, unsigned), stream_wait_event)

GIVING(required, cuEventCreate, (CUevent *, unsigned), event_create)
CALLED(required, cuEventDestroy_v2, (CUevent), event_destroy)
CALLED(required, cuEventRecord, (CUevent, CUstream), event_record)
CALLED(required, cuEventSynchronize, (CUevent), event_synchronize)
CALLED(required, cuEventQuery, (CUevent), event_query)
SYMBOL(optional, cuda_status, cuEventElapsedTime, (float *, CUevent, CUevent))

GIVING(required, cuMemAlloc_v2, (CUdeviceptr *, size_t), mem_alloc)
GIVING(optional, cuMemAllocManaged, (CUdeviceptr *, size_t, unsigned), mem_alloc_managed)
CALLED(required, cuMemFree_v2, (CUdeviceptr), mem_free)
SYMBOL(optional, cuda_status, cuMemGetInfo_v2, (size_t *, size_t *))
SYMBOL(optional, cuda_status, cuMemGetAddressRange_v2, (CUdeviceptr *, size_t *, CUdeviceptr))
SYMBOL(optional, cuda_status, cuCtxSynchronize, (void))
CALLED(required, cuMemcpyAsync, (CUdeviceptr, CUdeviceptr, size_t, CUstream), copy)
CALLED(required, cuMemsetD32Async, (CUdeviceptr, unsigned, size_t, CUstream), memset32)
CALLED(required, cuMemsetD16Async, (CUdeviceptr, unsigned short, size_t, CUstream), memset16)
CALLED(required, cuMemHostRegister_v2, (void *, size_t, unsigned), host_register)
CALLED(required, cuMemHostUnregister, (void *), host_unregister)
GIVING(required, cuMemHostGetDevicePointer_v2, (CUdeviceptr *, void *, unsigned), host_device_pointer)

GIVING(optional, cuGraphCreate, (CUgraph *, unsigned), graph_create)
CALLED(optional, cuGraphDestroy, (CUgraph), graph_destroy)
GIVING(optional, cuGraphAddKernelNode_v2, (CUgraphNode *, CUgraph, const CUgraphNode *, size_t, const CUDA_KERNEL_NODE_PARAMS *))
SYMBOL(optional, cuda_status, cuGraphAddMemcpyNode, (CUgraphNode *, CUgraph, const CUgraphNode *, size_t, const CUDA_MEMCPY3D *, CUcontext))
SYMBOL(optional, cuda_status, cuGraphAddMemsetNode, (CUgraphNode *, CUgraph, const CUgraphNode *, size_t, const CUDA_MEMSET_NODE_PARAMS *, CUcontext))
GIVING(optional, cuGraphAddEmptyNode, (CUgraphNode *, CUgraph, const CUgraphNode *, size_t))
GIVING(optional, cuGraphInstantiateWithFlags, (CUgraphExec *, CUgraph, unsigned long long), graph_instantiate)
CALLED(optional, cuGraphLaunch, (CUgraphExec, CUstream), graph_launch)
CALLED(optional, cuGraphExecDestroy, (CUgraphExec), graph_exec_destroy)
CALLED(optional, cuGraphExecKernelNodeSetParams_v2, (CUgraphExec, CUgraphNode, const CUDA_KERNEL_NODE_PARAMS *))
SYMBOL(optional, cuda_status, cuGraphExecMemcpyNodeSetParams, (CUgraphExec, CUgraphNode, const CUDA_MEMCPY3D *, CUcontext))
SYMBOL(optional, cuda_status, cuGraphExecMemsetNodeSetParams, (CUgraphExec, CUgraphNode, const CUDA_MEMSET_NODE_PARAMS *, CUcontext))
SYMBOL(optional, cuda_status, cuFuncGetParamInfo, (CUfunction, size_t, size_t *, size_t *))
SYMBOL(optional, cuda_status, cuMemAllocPitch_v2, (CUdeviceptr *, size_t *, size_t, size_t, unsigned))
SYMBOL(optional, cuda_status, cuPointerGetAttribute, (void *, cuda_enum, CUdeviceptr))
SYMBOL(optional, cuda_status, cuStreamIsCapturing, (CUstream, cuda_enum *))
SYMBOL(optional, cuda_status, cuThreadExchangeStreamCaptureMode, (cuda_enum *))
/* clang-format on */
#undef CALLED
#undef GIVING
