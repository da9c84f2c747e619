/* The functions of libcuda that the driver calls, one row each:
 *
 *   SYMBOL(required | optional, result, name, parameters)
 *
 * by the names that libcuda exports, versions included. Without a required one a
 * library is no CUDA driver; calling an optional one that it lacks gives
 * CUDA_ERROR_NOT_SUPPORTED. calls.c makes the table, the loader's list and the
 * stand-ins for what is missing from these rows, and test/prototypes compares
 * them with the vendor's header. Types are in types.h. */

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

SYMBOL(required, cuda_status, cuModuleLoadData, (CUmodule *, const void *))
SYMBOL(required, cuda_status, cuModuleLoadDataEx, (CUmodule *, const void *, unsigned, cuda_enum *, void **))
SYMBOL(required, cuda_status, cuModuleUnload, (CUmodule))
SYMBOL(required, cuda_status, cuModuleGetFunction, (CUfunction *, CUmodule, const char *))
SYMBOL(required, cuda_status, cuFuncGetAttribute, (int *, cuda_enum, CUfunction))
SYMBOL(optional, cuda_status, cuFuncSetAttribute, (CUfunction, cuda_enum, int))
SYMBOL(required, cuda_status, cuLaunchKernel, (CUfunction, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, CUstream, void **, void **))
SYMBOL(optional, cuda_status, cuLaunchKernelEx, (const CUlaunchConfig *, CUfunction, void **, void **))
SYMBOL(optional, cuda_status, cuLaunchCooperativeKernel, (CUfunction, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, CUstream, void **))
SYMBOL(optional, cuda_status, cuTensorMapEncodeTiled, (CUtensorMap *, cuda_enum, uint32_t, void *, const uint64_t *, const uint64_t *, const uint32_t *, const uint32_t *, cuda_enum, cuda_enum, cuda_enum, cuda_enum))

SYMBOL(required, cuda_status, cuStreamCreate, (CUstream *, unsigned))
SYMBOL(required, cuda_status, cuStreamDestroy_v2, (CUstream))
SYMBOL(required, cuda_status, cuStreamSynchronize, (CUstream))
SYMBOL(required, cuda_status, cuStreamQuery, (CUstream))
SYMBOL(required, cuda_status, cuStreamWaitEvent, (CUstream, CUevent, unsigned))

SYMBOL(required, cuda_status, cuEventCreate, (CUevent *, unsigned))
SYMBOL(required, cuda_status, cuEventDestroy_v2, (CUevent))
SYMBOL(required, cuda_status, cuEventRecord, (CUevent, CUstream))
SYMBOL(required, cuda_status, cuEventSynchronize, (CUevent))
SYMBOL(required, cuda_status, cuEventQuery, (CUevent))

SYMBOL(required, cuda_status, cuMemAlloc_v2, (CUdeviceptr *, size_t))
SYMBOL(optional, cuda_status, cuMemAllocManaged, (CUdeviceptr *, size_t, unsigned))
SYMBOL(required, cuda_status, cuMemFree_v2, (CUdeviceptr))
SYMBOL(optional, cuda_status, cuMemGetInfo_v2, (size_t *, size_t *))
SYMBOL(optional, cuda_status, cuMemHostAlloc, (void **, size_t, unsigned))
SYMBOL(optional, cuda_status, cuMemFreeHost, (void *))
SYMBOL(optional, cuda_status, cuCtxSynchronize, (void))
SYMBOL(required, cuda_status, cuMemcpyAsync, (CUdeviceptr, CUdeviceptr, size_t, CUstream))
SYMBOL(required, cuda_status, cuMemsetD32Async, (CUdeviceptr, unsigned, size_t, CUstream))
SYMBOL(required, cuda_status, cuMemsetD16Async, (CUdeviceptr, unsigned short, size_t, CUstream))
SYMBOL(required, cuda_status, cuMemHostRegister_v2, (void *, size_t, unsigned))
SYMBOL(required, cuda_status, cuMemHostUnregister, (void *))
SYMBOL(required, cuda_status, cuMemHostGetDevicePointer_v2, (CUdeviceptr *, void *, unsigned))

SYMBOL(optional, cuda_status, cuGraphCreate, (CUgraph *, unsigned))
SYMBOL(optional, cuda_status, cuGraphDestroy, (CUgraph))
SYMBOL(optional, cuda_status, cuGraphAddKernelNode_v2, (CUgraphNode *, CUgraph, const CUgraphNode *, size_t, const CUDA_KERNEL_NODE_PARAMS *))
SYMBOL(optional, cuda_status, cuGraphAddMemcpyNode, (CUgraphNode *, CUgraph, const CUgraphNode *, size_t, const CUDA_MEMCPY3D *, CUcontext))
SYMBOL(optional, cuda_status, cuGraphAddMemsetNode, (CUgraphNode *, CUgraph, const CUgraphNode *, size_t, const CUDA_MEMSET_NODE_PARAMS *, CUcontext))
SYMBOL(optional, cuda_status, cuGraphAddEmptyNode, (CUgraphNode *, CUgraph, const CUgraphNode *, size_t))
SYMBOL(optional, cuda_status, cuGraphInstantiateWithFlags, (CUgraphExec *, CUgraph, unsigned long long))
SYMBOL(optional, cuda_status, cuGraphLaunch, (CUgraphExec, CUstream))
SYMBOL(optional, cuda_status, cuGraphExecDestroy, (CUgraphExec))
SYMBOL(optional, cuda_status, cuGraphExecKernelNodeSetParams_v2, (CUgraphExec, CUgraphNode, const CUDA_KERNEL_NODE_PARAMS *))
SYMBOL(optional, cuda_status, cuGraphExecMemcpyNodeSetParams, (CUgraphExec, CUgraphNode, const CUDA_MEMCPY3D *, CUcontext))
SYMBOL(optional, cuda_status, cuGraphExecMemsetNodeSetParams, (CUgraphExec, CUgraphNode, const CUDA_MEMSET_NODE_PARAMS *, CUcontext))
SYMBOL(optional, cuda_status, cuFuncGetParamInfo, (CUfunction, size_t, size_t *, size_t *))
SYMBOL(optional, cuda_status, cuPointerGetAttribute, (void *, cuda_enum, CUdeviceptr))
SYMBOL(optional, cuda_status, cuStreamIsCapturing, (CUstream, cuda_enum *))
SYMBOL(optional, cuda_status, cuThreadExchangeStreamCaptureMode, (cuda_enum *))
