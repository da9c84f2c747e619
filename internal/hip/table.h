/* Code generated from symbols.h; DO NOT EDIT. */
/* clang-format off */
#ifndef MGPU_HIP_TABLE_H
#define MGPU_HIP_TABLE_H

#include "../gpuapi/calls.h"

#include "types.h"

/* The addresses of a library's functions. */
struct table {
  const struct calls *calls;
  const char * (*hipGetErrorName)(hip_status);
  const char * (*hipGetErrorString)(hip_status);
  hip_status (*hipGetLastError)(void);
  hip_status (*hipPeekAtLastError)(void);
  hip_status (*hipRuntimeGetVersion)(int *version);
  hip_status (*hipGetDeviceCount)(int *count);
  hip_status (*hipSetDevice)(int device);
  hip_status (*hipGetDevice)(int *device);
  hip_status (*hipDeviceGetName)(char *, int, hipDevice_t);
  hip_status (*hipModuleLoadData)(hipModule_t *module, const void *image);
  hip_status (*hipModuleUnload)(hipModule_t module);
  hip_status (*hipModuleGetFunction)(hipFunction_t *function, hipModule_t module, const char *name);
  hip_status (*hipModuleLaunchKernel)(hipFunction_t function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz, unsigned shared, hipStream_t stream, void **params, void **extra);
  hip_status (*hipModuleLaunchCooperativeKernel)(hipFunction_t function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz, unsigned shared, hipStream_t stream, void **params);
  hip_status (*hipDrvLaunchKernelEx)(const HIP_LAUNCH_CONFIG *config, hipFunction_t function, void **params, void **extra);
  hip_status (*hipStreamCreate)(hipStream_t *stream);
  hip_status (*hipStreamDestroy)(hipStream_t stream);
  hip_status (*hipStreamSynchronize)(hipStream_t stream);
  hip_status (*hipStreamQuery)(hipStream_t stream);
  hip_status (*hipStreamWaitEvent)(hipStream_t stream, hipEvent_t event, unsigned flags);
  hip_status (*hipEventCreateWithFlags)(hipEvent_t *event, unsigned flags);
  hip_status (*hipEventDestroy)(hipEvent_t event);
  hip_status (*hipEventRecord)(hipEvent_t event, hipStream_t stream);
  hip_status (*hipEventSynchronize)(hipEvent_t event);
  hip_status (*hipEventQuery)(hipEvent_t event);
  hip_status (*hipEventElapsedTime)(float *, hipEvent_t, hipEvent_t);
  hip_status (*hipMalloc)(void **address, size_t bytes);
  hip_status (*hipMallocManaged)(void **address, size_t bytes, unsigned flags);
  hip_status (*hipFree)(void *address);
  hip_status (*hipMemGetInfo)(size_t *, size_t *);
  hip_status (*hipMemGetAddressRange)(hipDeviceptr_t *, size_t *, hipDeviceptr_t);
  hip_status (*hipDeviceSynchronize)(void);
  hip_status (*hipMemcpyAsync)(void *dst, const void *src, size_t bytes, hip_enum kind, hipStream_t stream);
  hip_status (*hipMemsetD32Async)(hipDeviceptr_t dst, int value, size_t count, hipStream_t stream);
  hip_status (*hipMemsetD16Async)(hipDeviceptr_t dst, unsigned short value, size_t count, hipStream_t stream);
  hip_status (*hipHostRegister)(void *address, size_t bytes, unsigned flags);
  hip_status (*hipHostUnregister)(void *address);
  hip_status (*hipHostGetDevicePointer)(void **mapped, void *address, unsigned flags);
  hip_status (*hipGraphCreate)(hipGraph_t *graph, unsigned flags);
  hip_status (*hipGraphDestroy)(hipGraph_t graph);
  hip_status (*hipGraphAddKernelNode)(hipGraphNode_t *node, hipGraph_t graph, const hipGraphNode_t *after, size_t count, const hipKernelNodeParams *params);
  hip_status (*hipGraphAddMemcpyNode1D)(hipGraphNode_t *node, hipGraph_t graph, const hipGraphNode_t *after, size_t count, void *dst, const void *src, size_t bytes, hip_enum kind);
  hip_status (*hipGraphAddMemsetNode)(hipGraphNode_t *node, hipGraph_t graph, const hipGraphNode_t *after, size_t count, const hipMemsetParams *params);
  hip_status (*hipGraphAddEmptyNode)(hipGraphNode_t *node, hipGraph_t graph, const hipGraphNode_t *after, size_t count);
  hip_status (*hipGraphInstantiateWithFlags)(hipGraphExec_t *exec, hipGraph_t graph, unsigned long long flags);
  hip_status (*hipGraphLaunch)(hipGraphExec_t exec, hipStream_t stream);
  hip_status (*hipGraphExecDestroy)(hipGraphExec_t exec);
  hip_status (*hipGraphExecKernelNodeSetParams)(hipGraphExec_t exec, hipGraphNode_t node, const hipKernelNodeParams *params);
  hip_status (*hipGraphExecMemcpyNodeSetParams1D)(hipGraphExec_t exec, hipGraphNode_t node, void *dst, const void *src, size_t bytes, hip_enum kind);
  hip_status (*hipGraphExecMemsetNodeSetParams)(hipGraphExec_t exec, hipGraphNode_t node, const hipMemsetParams *params);
  hip_status (*hipExtMallocWithFlags)(void **, size_t, unsigned);
  hip_status (*hipPointerGetAttribute)(void *, hip_enum, hipDeviceptr_t);
  hip_status (*hipDrvPointerGetAttributes)(unsigned, hip_enum *, void **, hipDeviceptr_t);
  hip_status (*hipStreamIsCapturing)(hipStream_t, hip_enum *);
  hip_status (*hipStreamEndCapture)(hipStream_t, hipGraph_t *);
  hip_status (*hipThreadExchangeStreamCaptureMode)(hip_enum *);
  struct state state;
};

/* Their order. */
enum {
  row_hipGetErrorName,
  row_hipGetErrorString,
  row_hipGetLastError,
  row_hipPeekAtLastError,
  row_hipRuntimeGetVersion,
  row_hipGetDeviceCount,
  row_hipSetDevice,
  row_hipGetDevice,
  row_hipDeviceGetName,
  row_hipModuleLoadData,
  row_hipModuleUnload,
  row_hipModuleGetFunction,
  row_hipModuleLaunchKernel,
  row_hipModuleLaunchCooperativeKernel,
  row_hipDrvLaunchKernelEx,
  row_hipStreamCreate,
  row_hipStreamDestroy,
  row_hipStreamSynchronize,
  row_hipStreamQuery,
  row_hipStreamWaitEvent,
  row_hipEventCreateWithFlags,
  row_hipEventDestroy,
  row_hipEventRecord,
  row_hipEventSynchronize,
  row_hipEventQuery,
  row_hipEventElapsedTime,
  row_hipMalloc,
  row_hipMallocManaged,
  row_hipFree,
  row_hipMemGetInfo,
  row_hipMemGetAddressRange,
  row_hipDeviceSynchronize,
  row_hipMemcpyAsync,
  row_hipMemsetD32Async,
  row_hipMemsetD16Async,
  row_hipHostRegister,
  row_hipHostUnregister,
  row_hipHostGetDevicePointer,
  row_hipGraphCreate,
  row_hipGraphDestroy,
  row_hipGraphAddKernelNode,
  row_hipGraphAddMemcpyNode1D,
  row_hipGraphAddMemsetNode,
  row_hipGraphAddEmptyNode,
  row_hipGraphInstantiateWithFlags,
  row_hipGraphLaunch,
  row_hipGraphExecDestroy,
  row_hipGraphExecKernelNodeSetParams,
  row_hipGraphExecMemcpyNodeSetParams1D,
  row_hipGraphExecMemsetNodeSetParams,
  row_hipExtMallocWithFlags,
  row_hipPointerGetAttribute,
  row_hipDrvPointerGetAttributes,
  row_hipStreamIsCapturing,
  row_hipStreamEndCapture,
  row_hipThreadExchangeStreamCaptureMode,
  rows
};

/* Each calls the function of its name. */
struct given call_hipRuntimeGetVersion(table *t);
struct given call_hipGetDeviceCount(table *t);
int32_t call_hipSetDevice(table *t, uintptr_t device);
struct given call_hipGetDevice(table *t);
struct given call_hipModuleLoadData(table *t, uintptr_t image);
int32_t call_hipModuleUnload(table *t, uintptr_t module);
struct given call_hipModuleGetFunction(table *t, uintptr_t module, uintptr_t name);
int32_t call_hipModuleLaunchCooperativeKernel(table *t, uintptr_t function, uintptr_t gx, uintptr_t gy, uintptr_t gz, uintptr_t bx, uintptr_t by, uintptr_t bz, uintptr_t shared, uintptr_t stream, uintptr_t params);
int32_t call_hipDrvLaunchKernelEx(table *t, uintptr_t config, uintptr_t function, uintptr_t params, uintptr_t extra);
struct given call_hipStreamCreate(table *t);
int32_t call_hipStreamDestroy(table *t, uintptr_t stream);
int32_t call_hipStreamSynchronize(table *t, uintptr_t stream);
int32_t call_hipStreamQuery(table *t, uintptr_t stream);
int32_t call_hipStreamWaitEvent(table *t, uintptr_t stream, uintptr_t event, uintptr_t flags);
struct given call_hipEventCreateWithFlags(table *t, uintptr_t flags);
int32_t call_hipEventDestroy(table *t, uintptr_t event);
int32_t call_hipEventRecord(table *t, uintptr_t event, uintptr_t stream);
int32_t call_hipEventSynchronize(table *t, uintptr_t event);
int32_t call_hipEventQuery(table *t, uintptr_t event);
struct given call_hipMalloc(table *t, uintptr_t bytes);
struct given call_hipMallocManaged(table *t, uintptr_t bytes, uintptr_t flags);
int32_t call_hipFree(table *t, uintptr_t address);
int32_t call_hipMemcpyAsync(table *t, uintptr_t dst, uintptr_t src, uintptr_t bytes, uintptr_t kind, uintptr_t stream);
int32_t call_hipMemsetD32Async(table *t, uintptr_t dst, uintptr_t value, uintptr_t count, uintptr_t stream);
int32_t call_hipMemsetD16Async(table *t, uintptr_t dst, uintptr_t value, uintptr_t count, uintptr_t stream);
int32_t call_hipHostRegister(table *t, uintptr_t address, uintptr_t bytes, uintptr_t flags);
int32_t call_hipHostUnregister(table *t, uintptr_t address);
struct given call_hipHostGetDevicePointer(table *t, uintptr_t address, uintptr_t flags);
struct given call_hipGraphCreate(table *t, uintptr_t flags);
int32_t call_hipGraphDestroy(table *t, uintptr_t graph);
struct given call_hipGraphAddKernelNode(table *t, uintptr_t graph, uintptr_t after, uintptr_t count, uintptr_t params);
struct given call_hipGraphAddMemcpyNode1D(table *t, uintptr_t graph, uintptr_t after, uintptr_t count, uintptr_t dst, uintptr_t src, uintptr_t bytes, uintptr_t kind);
struct given call_hipGraphAddMemsetNode(table *t, uintptr_t graph, uintptr_t after, uintptr_t count, uintptr_t params);
struct given call_hipGraphAddEmptyNode(table *t, uintptr_t graph, uintptr_t after, uintptr_t count);
struct given call_hipGraphInstantiateWithFlags(table *t, uintptr_t graph, uintptr_t flags);
int32_t call_hipGraphLaunch(table *t, uintptr_t exec, uintptr_t stream);
int32_t call_hipGraphExecDestroy(table *t, uintptr_t exec);
int32_t call_hipGraphExecKernelNodeSetParams(table *t, uintptr_t exec, uintptr_t node, uintptr_t params);
int32_t call_hipGraphExecMemcpyNodeSetParams1D(table *t, uintptr_t exec, uintptr_t node, uintptr_t dst, uintptr_t src, uintptr_t bytes, uintptr_t kind);
int32_t call_hipGraphExecMemsetNodeSetParams(table *t, uintptr_t exec, uintptr_t node, uintptr_t params);

/* These are written by hand. */
const char *hip_error_name(table *t, unsigned status);
const char *hip_error_string(table *t, unsigned status);
bool hip_device_name(table *t, int device, char *name, int bytes);
int32_t hip_device_synchronize(table *t);
struct given hip_module_compile(table *t, uintptr_t source, uintptr_t opt);
struct given hip_module_has(table *t, uintptr_t module, uintptr_t name);
int32_t hip_launch(uintptr_t driver, uintptr_t function, uint32_t gx, uint32_t gy, uint32_t gz, uint32_t bx, uint32_t by, uint32_t bz, uint32_t shared, uintptr_t stream, uintptr_t params, uintptr_t extra);
int32_t hip_launch_node(uintptr_t driver, uintptr_t exec, uintptr_t node, uintptr_t function, uint32_t gx, uint32_t gy, uint32_t gz, uint32_t bx, uint32_t by, uint32_t bz, uintptr_t stream, uintptr_t params, bool set);
struct given hip_stream_capturing(table *t, uintptr_t stream);
struct given hip_end_capture(table *t, uintptr_t stream);
struct given hip_capture_mode(table *t, uintptr_t mode);
struct given hip_event_elapsed(table *t, uintptr_t from, uintptr_t to);
struct memory hip_mem_info(table *t);
struct extent hip_extent(table *t, uintptr_t address);
int32_t hip_copy(table *t, uintptr_t dst, uintptr_t src, uintptr_t bytes, uintptr_t stream);
struct given hip_canary_alloc(table *t, uintptr_t bytes);
struct given hip_memory_number(table *t, uintptr_t address);
struct given hip_place(table *t, uintptr_t address);
struct given hip_graph_kernel(table *t, uintptr_t graph, const uintptr_t *after, size_t count, struct kernel does);
struct given hip_graph_copy(table *t, uintptr_t graph, const uintptr_t *after, size_t count, uintptr_t dst, uintptr_t src, uintptr_t bytes);
struct given hip_graph_fill(table *t, uintptr_t graph, const uintptr_t *after, size_t count, uintptr_t dst, uintptr_t value, uintptr_t size, uintptr_t n);
struct given hip_graph_empty(table *t, uintptr_t graph, const uintptr_t *after, size_t count);
int32_t hip_graph_set_kernel(table *t, uintptr_t exec, uintptr_t node, struct kernel does);
int32_t hip_graph_set_copy(table *t, uintptr_t exec, uintptr_t node, uintptr_t dst, uintptr_t src, uintptr_t bytes);
int32_t hip_graph_set_fill(table *t, uintptr_t exec, uintptr_t node, uintptr_t dst, uintptr_t value, uintptr_t size, uintptr_t n);

extern const struct symbol hip_symbols[rows];
extern const struct calls hip_calls;
extern const struct call_rows hip_rows;

#endif
