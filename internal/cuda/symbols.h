/* The functions of libcuda that the driver calls, one line each:
 *
 *   SYMBOL(need, result, name, parameters)        only C written by hand calls the function
 *   CALLED(need, name, parameters, call)          table.c gets a C function call_NAME for it
 *   GIVING(need, name, parameters, call)          likewise; the first parameter points to what
 *                                                 the function gives, call_NAME returns that
 *   BY_HAND(call, name)                           the C function cuda_CALL, written by hand
 *                                                 for one of internal/gpuapi/calls.def; name is
 *                                                 the function that it needs
 *
 * Names are those that libcuda exports, versions included. A library without a required one
 * is refused; a call of an optional one that the library lacks gives
 * CUDA_ERROR_NOT_SUPPORTED.
 *
 * Package internal/gpuapi makes its calls by names that are the same for all vendors. A
 * function without such a name serves this package alone. `go generate ./internal/gpuapi`
 * writes table.h and table.c from these lines; tests and benchmarks include them with a
 * SYMBOL of their own. test/library/prototypes compares the lines with the vendor's header.
 * Types are in types.h. */

/* A line is never broken. */
/* clang-format off */
#define CALLED(need, name, params, ...) SYMBOL(need, cuda_status, name, params)
#define GIVING CALLED
#define BY_HAND(call, name)

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

GIVING(required, cuModuleLoadData, (CUmodule *module, const void *image), module_load)
GIVING(required, cuModuleLoadDataEx, (CUmodule *module, const void *text, unsigned count, cuda_enum *options, void **values))
CALLED(required, cuModuleUnload, (CUmodule module), module_unload)
GIVING(required, cuModuleGetFunction, (CUfunction *function, CUmodule module, const char *name), module_function)
GIVING(required, cuFuncGetAttribute, (int *value, cuda_enum attribute, CUfunction function))
CALLED(optional, cuFuncSetAttribute, (CUfunction function, cuda_enum attribute, int value))
SYMBOL(required, cuda_status, cuLaunchKernel, (CUfunction function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz, unsigned shared, CUstream stream, void **params, void **extra))
CALLED(optional, cuLaunchKernelEx, (const CUlaunchConfig *config, CUfunction function, void **params, void **extra))
CALLED(optional, cuLaunchCooperativeKernel, (CUfunction function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz, unsigned shared, CUstream stream, void **params), launch_cooperative)
CALLED(optional, cuTensorMapEncodeTiled, (CUtensorMap *map, cuda_enum type, uint32_t rank, void *address, const uint64_t *dims, const uint64_t *strides, const uint32_t *box, const uint32_t *element_strides, cuda_enum interleave, cuda_enum swizzle, cuda_enum l2_promotion, cuda_enum fill))

GIVING(required, cuStreamCreate, (CUstream *stream, unsigned flags))
CALLED(required, cuStreamDestroy_v2, (CUstream stream), stream_destroy)
CALLED(required, cuStreamSynchronize, (CUstream stream), stream_synchronize)
CALLED(required, cuStreamQuery, (CUstream stream), stream_query)
CALLED(required, cuStreamWaitEvent, (CUstream stream, CUevent event, unsigned flags), stream_wait_event)

GIVING(required, cuEventCreate, (CUevent *event, unsigned flags), event_create)
CALLED(required, cuEventDestroy_v2, (CUevent event), event_destroy)
CALLED(required, cuEventRecord, (CUevent event, CUstream stream), event_record)
CALLED(required, cuEventSynchronize, (CUevent event), event_synchronize)
CALLED(required, cuEventQuery, (CUevent event), event_query)
SYMBOL(optional, cuda_status, cuEventElapsedTime, (float *, CUevent, CUevent))

GIVING(required, cuMemAlloc_v2, (CUdeviceptr *address, size_t bytes), mem_alloc)
GIVING(optional, cuMemAllocManaged, (CUdeviceptr *address, size_t bytes, unsigned flags), mem_alloc_managed)
CALLED(required, cuMemFree_v2, (CUdeviceptr address), mem_free)
SYMBOL(optional, cuda_status, cuMemGetInfo_v2, (size_t *, size_t *))
SYMBOL(optional, cuda_status, cuMemGetAddressRange_v2, (CUdeviceptr *, size_t *, CUdeviceptr))
SYMBOL(optional, cuda_status, cuCtxSynchronize, (void))
CALLED(required, cuMemcpyAsync, (CUdeviceptr dst, CUdeviceptr src, size_t bytes, CUstream stream), copy)
CALLED(required, cuMemsetD32Async, (CUdeviceptr dst, unsigned value, size_t count, CUstream stream), memset32)
CALLED(required, cuMemsetD16Async, (CUdeviceptr dst, unsigned short value, size_t count, CUstream stream), memset16)
CALLED(required, cuMemHostRegister_v2, (void *address, size_t bytes, unsigned flags), host_register)
CALLED(required, cuMemHostUnregister, (void *address), host_unregister)
GIVING(required, cuMemHostGetDevicePointer_v2, (CUdeviceptr *mapped, void *address, unsigned flags), host_device_pointer)

GIVING(optional, cuGraphCreate, (CUgraph *graph, unsigned flags), graph_create)
CALLED(optional, cuGraphDestroy, (CUgraph graph), graph_destroy)
GIVING(optional, cuGraphAddKernelNode_v2, (CUgraphNode *node, CUgraph graph, const CUgraphNode *after, size_t count, const CUDA_KERNEL_NODE_PARAMS *params))
SYMBOL(optional, cuda_status, cuGraphAddMemcpyNode, (CUgraphNode *, CUgraph, const CUgraphNode *, size_t, const CUDA_MEMCPY3D *, CUcontext))
SYMBOL(optional, cuda_status, cuGraphAddMemsetNode, (CUgraphNode *, CUgraph, const CUgraphNode *, size_t, const CUDA_MEMSET_NODE_PARAMS *, CUcontext))
GIVING(optional, cuGraphAddEmptyNode, (CUgraphNode *node, CUgraph graph, const CUgraphNode *after, size_t count))
GIVING(optional, cuGraphInstantiateWithFlags, (CUgraphExec *exec, CUgraph graph, unsigned long long flags), graph_instantiate)
CALLED(optional, cuGraphLaunch, (CUgraphExec exec, CUstream stream), graph_launch)
CALLED(optional, cuGraphExecDestroy, (CUgraphExec exec), graph_exec_destroy)
CALLED(optional, cuGraphExecKernelNodeSetParams_v2, (CUgraphExec exec, CUgraphNode node, const CUDA_KERNEL_NODE_PARAMS *params))
SYMBOL(optional, cuda_status, cuGraphExecMemcpyNodeSetParams, (CUgraphExec, CUgraphNode, const CUDA_MEMCPY3D *, CUcontext))
SYMBOL(optional, cuda_status, cuGraphExecMemsetNodeSetParams, (CUgraphExec, CUgraphNode, const CUDA_MEMSET_NODE_PARAMS *, CUcontext))
SYMBOL(optional, cuda_status, cuFuncGetParamInfo, (CUfunction, size_t, size_t *, size_t *))
SYMBOL(optional, cuda_status, cuMemAllocPitch_v2, (CUdeviceptr *, size_t *, size_t, size_t, unsigned))
SYMBOL(optional, cuda_status, cuPointerGetAttribute, (void *, cuda_enum, CUdeviceptr))
SYMBOL(optional, cuda_status, cuStreamIsCapturing, (CUstream, cuda_enum *))
SYMBOL(optional, cuda_status, cuThreadExchangeStreamCaptureMode, (cuda_enum *))

BY_HAND(error_name, cuGetErrorName)
BY_HAND(error_string, cuGetErrorString)
BY_HAND(device_count, cuDeviceGetCount)
BY_HAND(device_name, cuDeviceGetName)
BY_HAND(device_set, cuDeviceGet)
BY_HAND(device_get, cuDeviceGet)
BY_HAND(device_synchronize, cuCtxSynchronize)
BY_HAND(module_compile, cuModuleLoadDataEx)
BY_HAND(module_has, cuModuleGetFunction)
BY_HAND(launch, cuLaunchKernel)
BY_HAND(launch_node, cuGraphLaunch)
BY_HAND(stream_create, cuStreamCreate)
BY_HAND(stream_capturing, cuStreamIsCapturing)
BY_HAND(end_capture, cuStreamIsCapturing)
BY_HAND(capture_mode, cuThreadExchangeStreamCaptureMode)
BY_HAND(event_elapsed, cuEventElapsedTime)
BY_HAND(mem_info, cuMemGetInfo_v2)
BY_HAND(extent, cuMemGetAddressRange_v2)
BY_HAND(canary_alloc, cuMemAllocPitch_v2)
BY_HAND(memory_number, cuPointerGetAttribute)
BY_HAND(place, cuPointerGetAttribute)
BY_HAND(graph_kernel, cuGraphAddKernelNode_v2)
BY_HAND(graph_copy, cuGraphAddMemcpyNode)
BY_HAND(graph_fill, cuGraphAddMemsetNode)
BY_HAND(graph_empty, cuGraphAddEmptyNode)
BY_HAND(graph_set_kernel, cuGraphExecKernelNodeSetParams_v2)
BY_HAND(graph_set_copy, cuGraphExecMemcpyNodeSetParams)
BY_HAND(graph_set_fill, cuGraphExecMemsetNodeSetParams)
/* clang-format on */
#undef CALLED
#undef GIVING
#undef BY_HAND
