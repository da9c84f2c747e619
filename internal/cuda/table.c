/* Code generated from symbols.h; DO NOT EDIT. */
/* clang-format off */
#include "calls.h"

struct given call_cuModuleLoadData(table *t, uintptr_t image) {
  CUmodule value = 0;
  int32_t status = blame(row_cuModuleLoadData, CALL(t, cuModuleLoadData(&value, (const void *)image)));
  return given(status, (uintptr_t)value);
}

struct given call_cuModuleLoadDataEx(table *t, uintptr_t text, uintptr_t count, uintptr_t options, uintptr_t values) {
  CUmodule value = 0;
  int32_t status = blame(row_cuModuleLoadDataEx, CALL(t, cuModuleLoadDataEx(&value, (const void *)text, (unsigned)count, (cuda_enum *)options, (void **)values)));
  return given(status, (uintptr_t)value);
}

int32_t call_cuModuleUnload(table *t, uintptr_t module) {
  return blame(row_cuModuleUnload, CALL(t, cuModuleUnload((CUmodule)module)));
}

struct given call_cuModuleGetFunction(table *t, uintptr_t module, uintptr_t name) {
  CUfunction value = 0;
  int32_t status = blame(row_cuModuleGetFunction, CALL(t, cuModuleGetFunction(&value, (CUmodule)module, (const char *)name)));
  return given(status, (uintptr_t)value);
}

struct given call_cuFuncGetAttribute(table *t, uintptr_t attribute, uintptr_t function) {
  int value = 0;
  int32_t status = blame(row_cuFuncGetAttribute, CALL(t, cuFuncGetAttribute(&value, (cuda_enum)attribute, (CUfunction)function)));
  return given(status, (uintptr_t)value);
}

int32_t call_cuFuncSetAttribute(table *t, uintptr_t function, uintptr_t attribute, uintptr_t value) {
  return blame(row_cuFuncSetAttribute, CALL(t, cuFuncSetAttribute((CUfunction)function, (cuda_enum)attribute, (int)value)));
}

int32_t call_cuLaunchKernelEx(table *t, uintptr_t config, uintptr_t function, uintptr_t params, uintptr_t extra) {
  return blame(row_cuLaunchKernelEx, CALL(t, cuLaunchKernelEx((const CUlaunchConfig *)config, (CUfunction)function, (void **)params, (void **)extra)));
}

int32_t call_cuLaunchCooperativeKernel(table *t, uintptr_t function, uintptr_t gx, uintptr_t gy, uintptr_t gz, uintptr_t bx, uintptr_t by, uintptr_t bz, uintptr_t shared, uintptr_t stream, uintptr_t params) {
  return blame(row_cuLaunchCooperativeKernel, CALL(t, cuLaunchCooperativeKernel((CUfunction)function, (unsigned)gx, (unsigned)gy, (unsigned)gz, (unsigned)bx, (unsigned)by, (unsigned)bz, (unsigned)shared, (CUstream)stream, (void **)params)));
}

int32_t call_cuTensorMapEncodeTiled(table *t, uintptr_t map, uintptr_t type, uintptr_t rank, uintptr_t address, uintptr_t dims, uintptr_t strides, uintptr_t box, uintptr_t element_strides, uintptr_t interleave, uintptr_t swizzle, uintptr_t l2_promotion, uintptr_t fill) {
  return blame(row_cuTensorMapEncodeTiled, CALL(t, cuTensorMapEncodeTiled((CUtensorMap *)map, (cuda_enum)type, (uint32_t)rank, (void *)address, (const uint64_t *)dims, (const uint64_t *)strides, (const uint32_t *)box, (const uint32_t *)element_strides, (cuda_enum)interleave, (cuda_enum)swizzle, (cuda_enum)l2_promotion, (cuda_enum)fill)));
}

struct given call_cuStreamCreate(table *t, uintptr_t flags) {
  CUstream value = 0;
  int32_t status = blame(row_cuStreamCreate, CALL(t, cuStreamCreate(&value, (unsigned)flags)));
  return given(status, (uintptr_t)value);
}

int32_t call_cuStreamDestroy_v2(table *t, uintptr_t stream) {
  return blame(row_cuStreamDestroy_v2, CALL(t, cuStreamDestroy_v2((CUstream)stream)));
}

int32_t call_cuStreamSynchronize(table *t, uintptr_t stream) {
  return blame(row_cuStreamSynchronize, CALL(t, cuStreamSynchronize((CUstream)stream)));
}

int32_t call_cuStreamQuery(table *t, uintptr_t stream) {
  return blame(row_cuStreamQuery, CALL(t, cuStreamQuery((CUstream)stream)));
}

int32_t call_cuStreamWaitEvent(table *t, uintptr_t stream, uintptr_t event, uintptr_t flags) {
  return blame(row_cuStreamWaitEvent, CALL(t, cuStreamWaitEvent((CUstream)stream, (CUevent)event, (unsigned)flags)));
}

struct given call_cuEventCreate(table *t, uintptr_t flags) {
  CUevent value = 0;
  int32_t status = blame(row_cuEventCreate, CALL(t, cuEventCreate(&value, (unsigned)flags)));
  return given(status, (uintptr_t)value);
}

int32_t call_cuEventDestroy_v2(table *t, uintptr_t event) {
  return blame(row_cuEventDestroy_v2, CALL(t, cuEventDestroy_v2((CUevent)event)));
}

int32_t call_cuEventRecord(table *t, uintptr_t event, uintptr_t stream) {
  return blame(row_cuEventRecord, CALL(t, cuEventRecord((CUevent)event, (CUstream)stream)));
}

int32_t call_cuEventSynchronize(table *t, uintptr_t event) {
  return blame(row_cuEventSynchronize, CALL(t, cuEventSynchronize((CUevent)event)));
}

int32_t call_cuEventQuery(table *t, uintptr_t event) {
  return blame(row_cuEventQuery, CALL(t, cuEventQuery((CUevent)event)));
}

struct given call_cuMemAlloc_v2(table *t, uintptr_t bytes) {
  CUdeviceptr value = 0;
  int32_t status = blame(row_cuMemAlloc_v2, CALL(t, cuMemAlloc_v2(&value, (size_t)bytes)));
  return given(status, (uintptr_t)value);
}

struct given call_cuMemAllocManaged(table *t, uintptr_t bytes, uintptr_t flags) {
  CUdeviceptr value = 0;
  int32_t status = blame(row_cuMemAllocManaged, CALL(t, cuMemAllocManaged(&value, (size_t)bytes, (unsigned)flags)));
  return given(status, (uintptr_t)value);
}

int32_t call_cuMemFree_v2(table *t, uintptr_t address) {
  return blame(row_cuMemFree_v2, CALL(t, cuMemFree_v2((CUdeviceptr)address)));
}

int32_t call_cuMemcpyAsync(table *t, uintptr_t dst, uintptr_t src, uintptr_t bytes, uintptr_t stream) {
  return blame(row_cuMemcpyAsync, CALL(t, cuMemcpyAsync((CUdeviceptr)dst, (CUdeviceptr)src, (size_t)bytes, (CUstream)stream)));
}

int32_t call_cuMemsetD32Async(table *t, uintptr_t dst, uintptr_t value, uintptr_t count, uintptr_t stream) {
  return blame(row_cuMemsetD32Async, CALL(t, cuMemsetD32Async((CUdeviceptr)dst, (unsigned)value, (size_t)count, (CUstream)stream)));
}

int32_t call_cuMemsetD16Async(table *t, uintptr_t dst, uintptr_t value, uintptr_t count, uintptr_t stream) {
  return blame(row_cuMemsetD16Async, CALL(t, cuMemsetD16Async((CUdeviceptr)dst, (unsigned short)value, (size_t)count, (CUstream)stream)));
}

int32_t call_cuMemHostRegister_v2(table *t, uintptr_t address, uintptr_t bytes, uintptr_t flags) {
  return blame(row_cuMemHostRegister_v2, CALL(t, cuMemHostRegister_v2((void *)address, (size_t)bytes, (unsigned)flags)));
}

int32_t call_cuMemHostUnregister(table *t, uintptr_t address) {
  return blame(row_cuMemHostUnregister, CALL(t, cuMemHostUnregister((void *)address)));
}

struct given call_cuMemHostGetDevicePointer_v2(table *t, uintptr_t address, uintptr_t flags) {
  CUdeviceptr value = 0;
  int32_t status = blame(row_cuMemHostGetDevicePointer_v2, CALL(t, cuMemHostGetDevicePointer_v2(&value, (void *)address, (unsigned)flags)));
  return given(status, (uintptr_t)value);
}

struct given call_cuGraphCreate(table *t, uintptr_t flags) {
  CUgraph value = 0;
  int32_t status = blame(row_cuGraphCreate, CALL(t, cuGraphCreate(&value, (unsigned)flags)));
  return given(status, (uintptr_t)value);
}

int32_t call_cuGraphDestroy(table *t, uintptr_t graph) {
  return blame(row_cuGraphDestroy, CALL(t, cuGraphDestroy((CUgraph)graph)));
}

struct given call_cuGraphAddKernelNode_v2(table *t, uintptr_t graph, uintptr_t after, uintptr_t count, uintptr_t params) {
  CUgraphNode value = 0;
  int32_t status = blame(row_cuGraphAddKernelNode_v2, CALL(t, cuGraphAddKernelNode_v2(&value, (CUgraph)graph, (const CUgraphNode *)after, (size_t)count, (const CUDA_KERNEL_NODE_PARAMS *)params)));
  return given(status, (uintptr_t)value);
}

struct given call_cuGraphAddEmptyNode(table *t, uintptr_t graph, uintptr_t after, uintptr_t count) {
  CUgraphNode value = 0;
  int32_t status = blame(row_cuGraphAddEmptyNode, CALL(t, cuGraphAddEmptyNode(&value, (CUgraph)graph, (const CUgraphNode *)after, (size_t)count)));
  return given(status, (uintptr_t)value);
}

struct given call_cuGraphInstantiateWithFlags(table *t, uintptr_t graph, uintptr_t flags) {
  CUgraphExec value = 0;
  int32_t status = blame(row_cuGraphInstantiateWithFlags, CALL(t, cuGraphInstantiateWithFlags(&value, (CUgraph)graph, (unsigned long long)flags)));
  return given(status, (uintptr_t)value);
}

int32_t call_cuGraphLaunch(table *t, uintptr_t exec, uintptr_t stream) {
  return blame(row_cuGraphLaunch, CALL(t, cuGraphLaunch((CUgraphExec)exec, (CUstream)stream)));
}

int32_t call_cuGraphExecDestroy(table *t, uintptr_t exec) {
  return blame(row_cuGraphExecDestroy, CALL(t, cuGraphExecDestroy((CUgraphExec)exec)));
}

int32_t call_cuGraphExecKernelNodeSetParams_v2(table *t, uintptr_t exec, uintptr_t node, uintptr_t params) {
  return blame(row_cuGraphExecKernelNodeSetParams_v2, CALL(t, cuGraphExecKernelNodeSetParams_v2((CUgraphExec)exec, (CUgraphNode)node, (const CUDA_KERNEL_NODE_PARAMS *)params)));
}

const struct symbol cuda_symbols[rows] = {
  {"cuInit", true},
  {"cuDriverGetVersion", true},
  {"cuGetErrorName", true},
  {"cuGetErrorString", true},
  {"cuDeviceGetCount", true},
  {"cuDeviceGet", true},
  {"cuDeviceGetName", true},
  {"cuDeviceGetAttribute", true},
  {"cuDevicePrimaryCtxRetain", true},
  {"cuCtxGetCurrent", true},
  {"cuCtxSetCurrent", true},
  {"cuCtxPushCurrent_v2", true},
  {"cuCtxPopCurrent_v2", true},
  {"cuModuleLoadData", true},
  {"cuModuleLoadDataEx", true},
  {"cuModuleUnload", true},
  {"cuModuleGetFunction", true},
  {"cuFuncGetAttribute", true},
  {"cuFuncSetAttribute", false},
  {"cuLaunchKernel", true},
  {"cuLaunchKernelEx", false},
  {"cuLaunchCooperativeKernel", false},
  {"cuTensorMapEncodeTiled", false},
  {"cuStreamCreate", true},
  {"cuStreamDestroy_v2", true},
  {"cuStreamSynchronize", true},
  {"cuStreamQuery", true},
  {"cuStreamWaitEvent", true},
  {"cuEventCreate", true},
  {"cuEventDestroy_v2", true},
  {"cuEventRecord", true},
  {"cuEventSynchronize", true},
  {"cuEventQuery", true},
  {"cuEventElapsedTime", false},
  {"cuMemAlloc_v2", true},
  {"cuMemAllocManaged", false},
  {"cuMemFree_v2", true},
  {"cuMemGetInfo_v2", false},
  {"cuMemGetAddressRange_v2", false},
  {"cuCtxSynchronize", false},
  {"cuMemcpyAsync", true},
  {"cuMemsetD32Async", true},
  {"cuMemsetD16Async", true},
  {"cuMemHostRegister_v2", true},
  {"cuMemHostUnregister", true},
  {"cuMemHostGetDevicePointer_v2", true},
  {"cuGraphCreate", false},
  {"cuGraphDestroy", false},
  {"cuGraphAddKernelNode_v2", false},
  {"cuGraphAddMemcpyNode", false},
  {"cuGraphAddMemsetNode", false},
  {"cuGraphAddEmptyNode", false},
  {"cuGraphInstantiateWithFlags", false},
  {"cuGraphLaunch", false},
  {"cuGraphExecDestroy", false},
  {"cuGraphExecKernelNodeSetParams_v2", false},
  {"cuGraphExecMemcpyNodeSetParams", false},
  {"cuGraphExecMemsetNodeSetParams", false},
  {"cuFuncGetParamInfo", false},
  {"cuMemAllocPitch_v2", false},
  {"cuPointerGetAttribute", false},
  {"cuStreamIsCapturing", false},
  {"cuThreadExchangeStreamCaptureMode", false},
};

const struct calls cuda_calls = {
  .error_name = cuda_error_name,
  .error_string = cuda_error_string,
  .device_name = cuda_device_name,
  .device_synchronize = cuda_device_synchronize,
  .module_has = cuda_module_has,
  .module_compile = cuda_module_compile,
  .launch = cuda_launch,
  .launch_node = cuda_launch_node,
  .stream_capturing = cuda_stream_capturing,
  .end_capture = cuda_end_capture,
  .capture_mode = cuda_capture_mode,
  .event_elapsed = cuda_event_elapsed,
  .mem_info = cuda_mem_info,
  .extent = cuda_extent,
  .canary_alloc = cuda_canary_alloc,
  .memory_number = cuda_memory_number,
  .place = cuda_place,
  .graph_kernel = cuda_graph_kernel,
  .graph_copy = cuda_graph_copy,
  .graph_fill = cuda_graph_fill,
  .graph_empty = cuda_graph_empty,
  .graph_set_kernel = cuda_graph_set_kernel,
  .graph_set_copy = cuda_graph_set_copy,
  .graph_set_fill = cuda_graph_set_fill,
  .device_count = cuda_device_count,
  .device_set = cuda_device_set,
  .device_get = cuda_device_get,
  .module_load = call_cuModuleLoadData,
  .module_unload = call_cuModuleUnload,
  .module_function = call_cuModuleGetFunction,
  .launch_cooperative = call_cuLaunchCooperativeKernel,
  .stream_create = cuda_stream_create,
  .stream_destroy = call_cuStreamDestroy_v2,
  .stream_synchronize = call_cuStreamSynchronize,
  .stream_query = call_cuStreamQuery,
  .stream_wait_event = call_cuStreamWaitEvent,
  .event_create = call_cuEventCreate,
  .event_destroy = call_cuEventDestroy_v2,
  .event_record = call_cuEventRecord,
  .event_synchronize = call_cuEventSynchronize,
  .event_query = call_cuEventQuery,
  .mem_alloc = call_cuMemAlloc_v2,
  .mem_alloc_managed = call_cuMemAllocManaged,
  .mem_free = call_cuMemFree_v2,
  .memset32 = call_cuMemsetD32Async,
  .memset16 = call_cuMemsetD16Async,
  .host_register = call_cuMemHostRegister_v2,
  .host_unregister = call_cuMemHostUnregister,
  .host_device_pointer = call_cuMemHostGetDevicePointer_v2,
  .graph_create = call_cuGraphCreate,
  .graph_destroy = call_cuGraphDestroy,
  .graph_instantiate = call_cuGraphInstantiateWithFlags,
  .graph_launch = call_cuGraphLaunch,
  .graph_exec_destroy = call_cuGraphExecDestroy,
  .copy = call_cuMemcpyAsync,
};

const struct call_rows cuda_rows = {
  .error_name = row_cuGetErrorName,
  .error_string = row_cuGetErrorString,
  .device_name = row_cuDeviceGetName,
  .device_synchronize = row_cuCtxSynchronize,
  .module_has = row_cuModuleGetFunction,
  .module_compile = row_cuModuleLoadDataEx,
  .launch = row_cuLaunchKernel,
  .launch_node = row_cuGraphLaunch,
  .stream_capturing = row_cuStreamIsCapturing,
  .end_capture = row_cuStreamIsCapturing,
  .capture_mode = row_cuThreadExchangeStreamCaptureMode,
  .event_elapsed = row_cuEventElapsedTime,
  .mem_info = row_cuMemGetInfo_v2,
  .extent = row_cuMemGetAddressRange_v2,
  .canary_alloc = row_cuMemAllocPitch_v2,
  .memory_number = row_cuPointerGetAttribute,
  .place = row_cuPointerGetAttribute,
  .graph_kernel = row_cuGraphAddKernelNode_v2,
  .graph_copy = row_cuGraphAddMemcpyNode,
  .graph_fill = row_cuGraphAddMemsetNode,
  .graph_empty = row_cuGraphAddEmptyNode,
  .graph_set_kernel = row_cuGraphExecKernelNodeSetParams_v2,
  .graph_set_copy = row_cuGraphExecMemcpyNodeSetParams,
  .graph_set_fill = row_cuGraphExecMemsetNodeSetParams,
  .device_count = row_cuDeviceGetCount,
  .device_set = row_cuDeviceGet,
  .device_get = row_cuDeviceGet,
  .module_load = row_cuModuleLoadData,
  .module_unload = row_cuModuleUnload,
  .module_function = row_cuModuleGetFunction,
  .launch_cooperative = row_cuLaunchCooperativeKernel,
  .stream_create = row_cuStreamCreate,
  .stream_destroy = row_cuStreamDestroy_v2,
  .stream_synchronize = row_cuStreamSynchronize,
  .stream_query = row_cuStreamQuery,
  .stream_wait_event = row_cuStreamWaitEvent,
  .event_create = row_cuEventCreate,
  .event_destroy = row_cuEventDestroy_v2,
  .event_record = row_cuEventRecord,
  .event_synchronize = row_cuEventSynchronize,
  .event_query = row_cuEventQuery,
  .mem_alloc = row_cuMemAlloc_v2,
  .mem_alloc_managed = row_cuMemAllocManaged,
  .mem_free = row_cuMemFree_v2,
  .memset32 = row_cuMemsetD32Async,
  .memset16 = row_cuMemsetD16Async,
  .host_register = row_cuMemHostRegister_v2,
  .host_unregister = row_cuMemHostUnregister,
  .host_device_pointer = row_cuMemHostGetDevicePointer_v2,
  .graph_create = row_cuGraphCreate,
  .graph_destroy = row_cuGraphDestroy,
  .graph_instantiate = row_cuGraphInstantiateWithFlags,
  .graph_launch = row_cuGraphLaunch,
  .graph_exec_destroy = row_cuGraphExecDestroy,
  .copy = row_cuMemcpyAsync,
};
