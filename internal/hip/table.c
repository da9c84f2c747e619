/* Code generated from symbols.h; DO NOT EDIT. */
/* clang-format off */
#include "calls.h"

struct given call_hipRuntimeGetVersion(table *t) {
  int value = 0;
  int32_t status = blame(row_hipRuntimeGetVersion, CALL(t, hipRuntimeGetVersion(&value)));
  return given(status, (uintptr_t)value);
}

struct given call_hipGetDeviceCount(table *t) {
  int value = 0;
  int32_t status = blame(row_hipGetDeviceCount, CALL(t, hipGetDeviceCount(&value)));
  return given(status, (uintptr_t)value);
}

int32_t call_hipSetDevice(table *t, uintptr_t device) {
  return blame(row_hipSetDevice, CALL(t, hipSetDevice((int)device)));
}

struct given call_hipGetDevice(table *t) {
  int value = 0;
  int32_t status = blame(row_hipGetDevice, CALL(t, hipGetDevice(&value)));
  return given(status, (uintptr_t)value);
}

struct given call_hipModuleLoadData(table *t, uintptr_t image) {
  hipModule_t value = 0;
  int32_t status = blame(row_hipModuleLoadData, CALL(t, hipModuleLoadData(&value, (const void *)image)));
  return given(status, (uintptr_t)value);
}

int32_t call_hipModuleUnload(table *t, uintptr_t module) {
  return blame(row_hipModuleUnload, CALL(t, hipModuleUnload((hipModule_t)module)));
}

struct given call_hipModuleGetFunction(table *t, uintptr_t module, uintptr_t name) {
  hipFunction_t value = 0;
  int32_t status = blame(row_hipModuleGetFunction, CALL(t, hipModuleGetFunction(&value, (hipModule_t)module, (const char *)name)));
  return given(status, (uintptr_t)value);
}

int32_t call_hipModuleLaunchCooperativeKernel(table *t, uintptr_t function, uintptr_t gx, uintptr_t gy, uintptr_t gz, uintptr_t bx, uintptr_t by, uintptr_t bz, uintptr_t shared, uintptr_t stream, uintptr_t params) {
  return blame(row_hipModuleLaunchCooperativeKernel, CALL(t, hipModuleLaunchCooperativeKernel((hipFunction_t)function, (unsigned)gx, (unsigned)gy, (unsigned)gz, (unsigned)bx, (unsigned)by, (unsigned)bz, (unsigned)shared, (hipStream_t)stream, (void **)params)));
}

int32_t call_hipDrvLaunchKernelEx(table *t, uintptr_t config, uintptr_t function, uintptr_t params, uintptr_t extra) {
  return blame(row_hipDrvLaunchKernelEx, CALL(t, hipDrvLaunchKernelEx((const HIP_LAUNCH_CONFIG *)config, (hipFunction_t)function, (void **)params, (void **)extra)));
}

struct given call_hipStreamCreate(table *t) {
  hipStream_t value = 0;
  int32_t status = blame(row_hipStreamCreate, CALL(t, hipStreamCreate(&value)));
  return given(status, (uintptr_t)value);
}

int32_t call_hipStreamDestroy(table *t, uintptr_t stream) {
  return blame(row_hipStreamDestroy, CALL(t, hipStreamDestroy((hipStream_t)stream)));
}

int32_t call_hipStreamSynchronize(table *t, uintptr_t stream) {
  return blame(row_hipStreamSynchronize, CALL(t, hipStreamSynchronize((hipStream_t)stream)));
}

int32_t call_hipStreamQuery(table *t, uintptr_t stream) {
  return blame(row_hipStreamQuery, ASK(t, hipStreamQuery((hipStream_t)stream)));
}

int32_t call_hipStreamWaitEvent(table *t, uintptr_t stream, uintptr_t event, uintptr_t flags) {
  return blame(row_hipStreamWaitEvent, CALL(t, hipStreamWaitEvent((hipStream_t)stream, (hipEvent_t)event, (unsigned)flags)));
}

struct given call_hipEventCreateWithFlags(table *t, uintptr_t flags) {
  hipEvent_t value = 0;
  int32_t status = blame(row_hipEventCreateWithFlags, CALL(t, hipEventCreateWithFlags(&value, (unsigned)flags)));
  return given(status, (uintptr_t)value);
}

int32_t call_hipEventDestroy(table *t, uintptr_t event) {
  return blame(row_hipEventDestroy, CALL(t, hipEventDestroy((hipEvent_t)event)));
}

int32_t call_hipEventRecord(table *t, uintptr_t event, uintptr_t stream) {
  return blame(row_hipEventRecord, CALL(t, hipEventRecord((hipEvent_t)event, (hipStream_t)stream)));
}

int32_t call_hipEventSynchronize(table *t, uintptr_t event) {
  return blame(row_hipEventSynchronize, CALL(t, hipEventSynchronize((hipEvent_t)event)));
}

int32_t call_hipEventQuery(table *t, uintptr_t event) {
  return blame(row_hipEventQuery, ASK(t, hipEventQuery((hipEvent_t)event)));
}

struct given call_hipMalloc(table *t, uintptr_t bytes) {
  void *value = 0;
  int32_t status = blame(row_hipMalloc, CALL(t, hipMalloc(&value, (size_t)bytes)));
  return given(status, (uintptr_t)value);
}

struct given call_hipMallocManaged(table *t, uintptr_t bytes, uintptr_t flags) {
  void *value = 0;
  int32_t status = blame(row_hipMallocManaged, CALL(t, hipMallocManaged(&value, (size_t)bytes, (unsigned)flags)));
  return given(status, (uintptr_t)value);
}

int32_t call_hipFree(table *t, uintptr_t address) {
  return blame(row_hipFree, CALL(t, hipFree((void *)address)));
}

int32_t call_hipMemcpyAsync(table *t, uintptr_t dst, uintptr_t src, uintptr_t bytes, uintptr_t kind, uintptr_t stream) {
  return blame(row_hipMemcpyAsync, CALL(t, hipMemcpyAsync((void *)dst, (const void *)src, (size_t)bytes, (hip_enum)kind, (hipStream_t)stream)));
}

int32_t call_hipMemsetD32Async(table *t, uintptr_t dst, uintptr_t value, uintptr_t count, uintptr_t stream) {
  return blame(row_hipMemsetD32Async, CALL(t, hipMemsetD32Async((hipDeviceptr_t)dst, (int)value, (size_t)count, (hipStream_t)stream)));
}

int32_t call_hipMemsetD16Async(table *t, uintptr_t dst, uintptr_t value, uintptr_t count, uintptr_t stream) {
  return blame(row_hipMemsetD16Async, CALL(t, hipMemsetD16Async((hipDeviceptr_t)dst, (unsigned short)value, (size_t)count, (hipStream_t)stream)));
}

int32_t call_hipHostRegister(table *t, uintptr_t address, uintptr_t bytes, uintptr_t flags) {
  return blame(row_hipHostRegister, CALL(t, hipHostRegister((void *)address, (size_t)bytes, (unsigned)flags)));
}

int32_t call_hipHostUnregister(table *t, uintptr_t address) {
  return blame(row_hipHostUnregister, CALL(t, hipHostUnregister((void *)address)));
}

struct given call_hipHostGetDevicePointer(table *t, uintptr_t address, uintptr_t flags) {
  void *value = 0;
  int32_t status = blame(row_hipHostGetDevicePointer, CALL(t, hipHostGetDevicePointer(&value, (void *)address, (unsigned)flags)));
  return given(status, (uintptr_t)value);
}

struct given call_hipGraphCreate(table *t, uintptr_t flags) {
  hipGraph_t value = 0;
  int32_t status = blame(row_hipGraphCreate, CALL(t, hipGraphCreate(&value, (unsigned)flags)));
  return given(status, (uintptr_t)value);
}

int32_t call_hipGraphDestroy(table *t, uintptr_t graph) {
  return blame(row_hipGraphDestroy, CALL(t, hipGraphDestroy((hipGraph_t)graph)));
}

struct given call_hipGraphAddKernelNode(table *t, uintptr_t graph, uintptr_t after, uintptr_t count, uintptr_t params) {
  hipGraphNode_t value = 0;
  int32_t status = blame(row_hipGraphAddKernelNode, CALL(t, hipGraphAddKernelNode(&value, (hipGraph_t)graph, (const hipGraphNode_t *)after, (size_t)count, (const hipKernelNodeParams *)params)));
  return given(status, (uintptr_t)value);
}

struct given call_hipGraphAddMemcpyNode1D(table *t, uintptr_t graph, uintptr_t after, uintptr_t count, uintptr_t dst, uintptr_t src, uintptr_t bytes, uintptr_t kind) {
  hipGraphNode_t value = 0;
  int32_t status = blame(row_hipGraphAddMemcpyNode1D, CALL(t, hipGraphAddMemcpyNode1D(&value, (hipGraph_t)graph, (const hipGraphNode_t *)after, (size_t)count, (void *)dst, (const void *)src, (size_t)bytes, (hip_enum)kind)));
  return given(status, (uintptr_t)value);
}

struct given call_hipGraphAddMemsetNode(table *t, uintptr_t graph, uintptr_t after, uintptr_t count, uintptr_t params) {
  hipGraphNode_t value = 0;
  int32_t status = blame(row_hipGraphAddMemsetNode, CALL(t, hipGraphAddMemsetNode(&value, (hipGraph_t)graph, (const hipGraphNode_t *)after, (size_t)count, (const hipMemsetParams *)params)));
  return given(status, (uintptr_t)value);
}

struct given call_hipGraphAddEmptyNode(table *t, uintptr_t graph, uintptr_t after, uintptr_t count) {
  hipGraphNode_t value = 0;
  int32_t status = blame(row_hipGraphAddEmptyNode, CALL(t, hipGraphAddEmptyNode(&value, (hipGraph_t)graph, (const hipGraphNode_t *)after, (size_t)count)));
  return given(status, (uintptr_t)value);
}

struct given call_hipGraphInstantiateWithFlags(table *t, uintptr_t graph, uintptr_t flags) {
  hipGraphExec_t value = 0;
  int32_t status = blame(row_hipGraphInstantiateWithFlags, CALL(t, hipGraphInstantiateWithFlags(&value, (hipGraph_t)graph, (unsigned long long)flags)));
  return given(status, (uintptr_t)value);
}

int32_t call_hipGraphLaunch(table *t, uintptr_t exec, uintptr_t stream) {
  return blame(row_hipGraphLaunch, CALL(t, hipGraphLaunch((hipGraphExec_t)exec, (hipStream_t)stream)));
}

int32_t call_hipGraphExecDestroy(table *t, uintptr_t exec) {
  return blame(row_hipGraphExecDestroy, CALL(t, hipGraphExecDestroy((hipGraphExec_t)exec)));
}

int32_t call_hipGraphExecKernelNodeSetParams(table *t, uintptr_t exec, uintptr_t node, uintptr_t params) {
  return blame(row_hipGraphExecKernelNodeSetParams, CALL(t, hipGraphExecKernelNodeSetParams((hipGraphExec_t)exec, (hipGraphNode_t)node, (const hipKernelNodeParams *)params)));
}

int32_t call_hipGraphExecMemcpyNodeSetParams1D(table *t, uintptr_t exec, uintptr_t node, uintptr_t dst, uintptr_t src, uintptr_t bytes, uintptr_t kind) {
  return blame(row_hipGraphExecMemcpyNodeSetParams1D, CALL(t, hipGraphExecMemcpyNodeSetParams1D((hipGraphExec_t)exec, (hipGraphNode_t)node, (void *)dst, (const void *)src, (size_t)bytes, (hip_enum)kind)));
}

int32_t call_hipGraphExecMemsetNodeSetParams(table *t, uintptr_t exec, uintptr_t node, uintptr_t params) {
  return blame(row_hipGraphExecMemsetNodeSetParams, CALL(t, hipGraphExecMemsetNodeSetParams((hipGraphExec_t)exec, (hipGraphNode_t)node, (const hipMemsetParams *)params)));
}

const struct symbol hip_symbols[rows] = {
  {"hipGetErrorName", true},
  {"hipGetErrorString", true},
  {"hipGetLastError", false},
  {"hipPeekAtLastError", false},
  {"hipRuntimeGetVersion", false},
  {"hipGetDeviceCount", true},
  {"hipSetDevice", true},
  {"hipGetDevice", true},
  {"hipDeviceGetName", false},
  {"hipModuleLoadData", true},
  {"hipModuleUnload", true},
  {"hipModuleGetFunction", true},
  {"hipModuleLaunchKernel", true},
  {"hipModuleLaunchCooperativeKernel", false},
  {"hipDrvLaunchKernelEx", false},
  {"hipStreamCreate", true},
  {"hipStreamDestroy", true},
  {"hipStreamSynchronize", true},
  {"hipStreamQuery", true},
  {"hipStreamWaitEvent", true},
  {"hipEventCreateWithFlags", true},
  {"hipEventDestroy", true},
  {"hipEventRecord", true},
  {"hipEventSynchronize", true},
  {"hipEventQuery", true},
  {"hipEventElapsedTime", false},
  {"hipMalloc", true},
  {"hipMallocManaged", false},
  {"hipFree", true},
  {"hipMemGetInfo", false},
  {"hipMemGetAddressRange", false},
  {"hipDeviceSynchronize", false},
  {"hipMemcpyAsync", true},
  {"hipMemsetD32Async", true},
  {"hipMemsetD16Async", false},
  {"hipHostRegister", true},
  {"hipHostUnregister", true},
  {"hipHostGetDevicePointer", true},
  {"hipGraphCreate", false},
  {"hipGraphDestroy", false},
  {"hipGraphAddKernelNode", false},
  {"hipGraphAddMemcpyNode1D", false},
  {"hipGraphAddMemsetNode", false},
  {"hipGraphAddEmptyNode", false},
  {"hipGraphInstantiateWithFlags", false},
  {"hipGraphLaunch", false},
  {"hipGraphExecDestroy", false},
  {"hipGraphExecKernelNodeSetParams", false},
  {"hipGraphExecMemcpyNodeSetParams1D", false},
  {"hipGraphExecMemsetNodeSetParams", false},
  {"hipExtMallocWithFlags", false},
  {"hipPointerGetAttribute", false},
  {"hipDrvPointerGetAttributes", false},
  {"hipStreamIsCapturing", false},
  {"hipStreamEndCapture", false},
  {"hipThreadExchangeStreamCaptureMode", false},
};

const struct calls hip_calls = {
  .error_name = hip_error_name,
  .error_string = hip_error_string,
  .device_name = hip_device_name,
  .device_synchronize = hip_device_synchronize,
  .module_has = hip_module_has,
  .module_compile = hip_module_compile,
  .launch = hip_launch,
  .launch_node = hip_launch_node,
  .stream_capturing = hip_stream_capturing,
  .end_capture = hip_end_capture,
  .capture_mode = hip_capture_mode,
  .event_elapsed = hip_event_elapsed,
  .mem_info = hip_mem_info,
  .extent = hip_extent,
  .canary_alloc = hip_canary_alloc,
  .memory_number = hip_memory_number,
  .place = hip_place,
  .graph_kernel = hip_graph_kernel,
  .graph_copy = hip_graph_copy,
  .graph_fill = hip_graph_fill,
  .graph_empty = hip_graph_empty,
  .graph_set_kernel = hip_graph_set_kernel,
  .graph_set_copy = hip_graph_set_copy,
  .graph_set_fill = hip_graph_set_fill,
  .device_count = call_hipGetDeviceCount,
  .device_set = call_hipSetDevice,
  .device_get = call_hipGetDevice,
  .module_load = call_hipModuleLoadData,
  .module_unload = call_hipModuleUnload,
  .module_function = call_hipModuleGetFunction,
  .launch_cooperative = call_hipModuleLaunchCooperativeKernel,
  .stream_create = call_hipStreamCreate,
  .stream_destroy = call_hipStreamDestroy,
  .stream_synchronize = call_hipStreamSynchronize,
  .stream_query = call_hipStreamQuery,
  .stream_wait_event = call_hipStreamWaitEvent,
  .event_create = call_hipEventCreateWithFlags,
  .event_destroy = call_hipEventDestroy,
  .event_record = call_hipEventRecord,
  .event_synchronize = call_hipEventSynchronize,
  .event_query = call_hipEventQuery,
  .mem_alloc = call_hipMalloc,
  .mem_alloc_managed = call_hipMallocManaged,
  .mem_free = call_hipFree,
  .memset32 = call_hipMemsetD32Async,
  .memset16 = call_hipMemsetD16Async,
  .host_register = call_hipHostRegister,
  .host_unregister = call_hipHostUnregister,
  .host_device_pointer = call_hipHostGetDevicePointer,
  .graph_create = call_hipGraphCreate,
  .graph_destroy = call_hipGraphDestroy,
  .graph_instantiate = call_hipGraphInstantiateWithFlags,
  .graph_launch = call_hipGraphLaunch,
  .graph_exec_destroy = call_hipGraphExecDestroy,
  .copy = hip_copy,
};

const struct call_rows hip_rows = {
  .error_name = row_hipGetErrorName,
  .error_string = row_hipGetErrorString,
  .device_name = row_hipDeviceGetName,
  .device_synchronize = row_hipDeviceSynchronize,
  .module_has = row_hipModuleGetFunction,
  .module_compile = row_hipModuleLoadData,
  .launch = row_hipModuleLaunchKernel,
  .launch_node = row_hipGraphLaunch,
  .stream_capturing = row_hipStreamIsCapturing,
  .end_capture = row_hipStreamEndCapture,
  .capture_mode = row_hipThreadExchangeStreamCaptureMode,
  .event_elapsed = row_hipEventElapsedTime,
  .mem_info = row_hipMemGetInfo,
  .extent = row_hipMemGetAddressRange,
  .canary_alloc = row_hipExtMallocWithFlags,
  .memory_number = row_hipPointerGetAttribute,
  .place = row_hipPointerGetAttribute,
  .graph_kernel = row_hipGraphAddKernelNode,
  .graph_copy = row_hipGraphAddMemcpyNode1D,
  .graph_fill = row_hipGraphAddMemsetNode,
  .graph_empty = row_hipGraphAddEmptyNode,
  .graph_set_kernel = row_hipGraphExecKernelNodeSetParams,
  .graph_set_copy = row_hipGraphExecMemcpyNodeSetParams1D,
  .graph_set_fill = row_hipGraphExecMemsetNodeSetParams,
  .device_count = row_hipGetDeviceCount,
  .device_set = row_hipSetDevice,
  .device_get = row_hipGetDevice,
  .module_load = row_hipModuleLoadData,
  .module_unload = row_hipModuleUnload,
  .module_function = row_hipModuleGetFunction,
  .launch_cooperative = row_hipModuleLaunchCooperativeKernel,
  .stream_create = row_hipStreamCreate,
  .stream_destroy = row_hipStreamDestroy,
  .stream_synchronize = row_hipStreamSynchronize,
  .stream_query = row_hipStreamQuery,
  .stream_wait_event = row_hipStreamWaitEvent,
  .event_create = row_hipEventCreateWithFlags,
  .event_destroy = row_hipEventDestroy,
  .event_record = row_hipEventRecord,
  .event_synchronize = row_hipEventSynchronize,
  .event_query = row_hipEventQuery,
  .mem_alloc = row_hipMalloc,
  .mem_alloc_managed = row_hipMallocManaged,
  .mem_free = row_hipFree,
  .memset32 = row_hipMemsetD32Async,
  .memset16 = row_hipMemsetD16Async,
  .host_register = row_hipHostRegister,
  .host_unregister = row_hipHostUnregister,
  .host_device_pointer = row_hipHostGetDevicePointer,
  .graph_create = row_hipGraphCreate,
  .graph_destroy = row_hipGraphDestroy,
  .graph_instantiate = row_hipGraphInstantiateWithFlags,
  .graph_launch = row_hipGraphLaunch,
  .graph_exec_destroy = row_hipGraphExecDestroy,
  .copy = row_hipMemcpyAsync,
};
