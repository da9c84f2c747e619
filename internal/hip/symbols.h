/* The HIP functions that the driver calls, one line each:
 *
 *   SYMBOL(need, result, name, parameters)        only C written by hand calls the function
 *   CALLED(need, name, parameters, call)          table.c gets a C function call_NAME for it
 *   GIVING(need, name, parameters, call)          likewise; the first parameter points to what
 *                                                 the function gives, call_NAME returns that
 *   ASKED(need, name, parameters, call)           as CALLED, for the library's own questions:
 *                                                 the program's last error stays
 *   BY_HAND(call, name)                           the C function hip_CALL, written by hand
 *                                                 for one of internal/gpuapi/calls.def; name is
 *                                                 the function that it needs
 *
 * A library without a required one is refused; a call of an optional one that the library
 * lacks gives hipErrorNotSupported.
 *
 * Package internal/gpuapi makes its calls by names that are the same for all vendors. A
 * function without such a name serves this package alone. `go generate ./internal/gpuapi`
 * writes table.h and table.c from these lines; tests and benchmarks include them with a
 * SYMBOL of their own. test/library/prototypes compares the lines with the vendor's header.
 * Types are in types.h. */

/* A line is never broken. */
/* clang-format off */
#define CALLED(need, name, params, ...) SYMBOL(need, hip_status, name, params)
#define GIVING CALLED
#define ASKED CALLED
#define BY_HAND(call, name)

SYMBOL(required, const char *, hipGetErrorName, (hip_status))
SYMBOL(required, const char *, hipGetErrorString, (hip_status))
SYMBOL(optional, hip_status, hipGetLastError, (void))
SYMBOL(optional, hip_status, hipPeekAtLastError, (void))
GIVING(optional, hipRuntimeGetVersion, (int *version))

GIVING(required, hipGetDeviceCount, (int *count), device_count)
CALLED(required, hipSetDevice, (int device), device_set)
GIVING(required, hipGetDevice, (int *device), device_get)
SYMBOL(optional, hip_status, hipDeviceGetName, (char *, int, hipDevice_t))

GIVING(required, hipModuleLoadData, (hipModule_t *module, const void *image), module_load)
CALLED(required, hipModuleUnload, (hipModule_t module), module_unload)
GIVING(required, hipModuleGetFunction, (hipFunction_t *function, hipModule_t module, const char *name), module_function)
SYMBOL(required, hip_status, hipModuleLaunchKernel, (hipFunction_t function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz, unsigned shared, hipStream_t stream, void **params, void **extra))
CALLED(optional, hipModuleLaunchCooperativeKernel, (hipFunction_t function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz, unsigned shared, hipStream_t stream, void **params), launch_cooperative)
CALLED(optional, hipDrvLaunchKernelEx, (const HIP_LAUNCH_CONFIG *config, hipFunction_t function, void **params, void **extra))

GIVING(required, hipStreamCreate, (hipStream_t *stream), stream_create)
CALLED(required, hipStreamDestroy, (hipStream_t stream), stream_destroy)
CALLED(required, hipStreamSynchronize, (hipStream_t stream), stream_synchronize)
ASKED(required, hipStreamQuery, (hipStream_t stream), stream_query)
CALLED(required, hipStreamWaitEvent, (hipStream_t stream, hipEvent_t event, unsigned flags), stream_wait_event)

GIVING(required, hipEventCreateWithFlags, (hipEvent_t *event, unsigned flags), event_create)
CALLED(required, hipEventDestroy, (hipEvent_t event), event_destroy)
CALLED(required, hipEventRecord, (hipEvent_t event, hipStream_t stream), event_record)
CALLED(required, hipEventSynchronize, (hipEvent_t event), event_synchronize)
ASKED(required, hipEventQuery, (hipEvent_t event), event_query)
SYMBOL(optional, hip_status, hipEventElapsedTime, (float *, hipEvent_t, hipEvent_t))

GIVING(required, hipMalloc, (void **address, size_t bytes), mem_alloc)
GIVING(optional, hipMallocManaged, (void **address, size_t bytes, unsigned flags), mem_alloc_managed)
CALLED(required, hipFree, (void *address), mem_free)
SYMBOL(optional, hip_status, hipMemGetInfo, (size_t *, size_t *))
SYMBOL(optional, hip_status, hipMemGetAddressRange, (hipDeviceptr_t *, size_t *, hipDeviceptr_t))
SYMBOL(optional, hip_status, hipDeviceSynchronize, (void))
CALLED(required, hipMemcpyAsync, (void *dst, const void *src, size_t bytes, hip_enum kind, hipStream_t stream))
CALLED(required, hipMemsetD32Async, (hipDeviceptr_t dst, int value, size_t count, hipStream_t stream), memset32)
CALLED(optional, hipMemsetD16Async, (hipDeviceptr_t dst, unsigned short value, size_t count, hipStream_t stream), memset16)
CALLED(required, hipHostRegister, (void *address, size_t bytes, unsigned flags), host_register)
CALLED(required, hipHostUnregister, (void *address), host_unregister)
GIVING(required, hipHostGetDevicePointer, (void **mapped, void *address, unsigned flags), host_device_pointer)

GIVING(optional, hipGraphCreate, (hipGraph_t *graph, unsigned flags), graph_create)
CALLED(optional, hipGraphDestroy, (hipGraph_t graph), graph_destroy)
GIVING(optional, hipGraphAddKernelNode, (hipGraphNode_t *node, hipGraph_t graph, const hipGraphNode_t *after, size_t count, const hipKernelNodeParams *params))
GIVING(optional, hipGraphAddMemcpyNode1D, (hipGraphNode_t *node, hipGraph_t graph, const hipGraphNode_t *after, size_t count, void *dst, const void *src, size_t bytes, hip_enum kind))
GIVING(optional, hipGraphAddMemsetNode, (hipGraphNode_t *node, hipGraph_t graph, const hipGraphNode_t *after, size_t count, const hipMemsetParams *params))
GIVING(optional, hipGraphAddEmptyNode, (hipGraphNode_t *node, hipGraph_t graph, const hipGraphNode_t *after, size_t count))
GIVING(optional, hipGraphInstantiateWithFlags, (hipGraphExec_t *exec, hipGraph_t graph, unsigned long long flags), graph_instantiate)
CALLED(optional, hipGraphLaunch, (hipGraphExec_t exec, hipStream_t stream), graph_launch)
CALLED(optional, hipGraphExecDestroy, (hipGraphExec_t exec), graph_exec_destroy)
CALLED(optional, hipGraphExecKernelNodeSetParams, (hipGraphExec_t exec, hipGraphNode_t node, const hipKernelNodeParams *params))
CALLED(optional, hipGraphExecMemcpyNodeSetParams1D, (hipGraphExec_t exec, hipGraphNode_t node, void *dst, const void *src, size_t bytes, hip_enum kind))
CALLED(optional, hipGraphExecMemsetNodeSetParams, (hipGraphExec_t exec, hipGraphNode_t node, const hipMemsetParams *params))
SYMBOL(optional, hip_status, hipExtMallocWithFlags, (void **, size_t, unsigned))
SYMBOL(optional, hip_status, hipPointerGetAttribute, (void *, hip_enum, hipDeviceptr_t))
SYMBOL(optional, hip_status, hipDrvPointerGetAttributes, (unsigned, hip_enum *, void **, hipDeviceptr_t))
SYMBOL(optional, hip_status, hipStreamIsCapturing, (hipStream_t, hip_enum *))
SYMBOL(optional, hip_status, hipStreamGetCaptureInfo_v2, (hipStream_t, hip_enum *, unsigned long long *, hipGraph_t *, const hipGraphNode_t **, size_t *))
SYMBOL(optional, hip_status, hipStreamEndCapture, (hipStream_t, hipGraph_t *))
SYMBOL(optional, hip_status, hipThreadExchangeStreamCaptureMode, (hip_enum *))

BY_HAND(error_name, hipGetErrorName)
BY_HAND(error_string, hipGetErrorString)
BY_HAND(device_name, hipDeviceGetName)
BY_HAND(device_synchronize, hipDeviceSynchronize)
BY_HAND(module_compile, hipModuleLoadData)
BY_HAND(module_has, hipModuleGetFunction)
BY_HAND(launch, hipModuleLaunchKernel)
BY_HAND(launch_node, hipGraphLaunch)
BY_HAND(stream_capturing, hipStreamIsCapturing)
BY_HAND(end_capture, hipStreamEndCapture)
BY_HAND(capture_mode, hipThreadExchangeStreamCaptureMode)
BY_HAND(event_elapsed, hipEventElapsedTime)
BY_HAND(mem_info, hipMemGetInfo)
BY_HAND(extent, hipMemGetAddressRange)
BY_HAND(copy, hipMemcpyAsync)
BY_HAND(canary_alloc, hipExtMallocWithFlags)
BY_HAND(memory_number, hipPointerGetAttribute)
BY_HAND(place, hipPointerGetAttribute)
BY_HAND(graph_kernel, hipGraphAddKernelNode)
BY_HAND(graph_copy, hipGraphAddMemcpyNode1D)
BY_HAND(graph_fill, hipGraphAddMemsetNode)
BY_HAND(graph_empty, hipGraphAddEmptyNode)
BY_HAND(graph_set_kernel, hipGraphExecKernelNodeSetParams)
BY_HAND(graph_set_copy, hipGraphExecMemcpyNodeSetParams1D)
BY_HAND(graph_set_fill, hipGraphExecMemsetNodeSetParams)
/* clang-format on */
#undef CALLED
#undef GIVING
#undef ASKED
#undef BY_HAND
