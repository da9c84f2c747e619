/* Code generated from symbols.h; DO NOT EDIT. */
/* clang-format off */
#ifndef MGPU_CUDA_TABLE_H
#define MGPU_CUDA_TABLE_H

#include "../gpuapi/calls.h"

#include "types.h"

/* The addresses of a library's functions. */
struct table {
  const struct calls *calls;
  cuda_status (*cuInit)(unsigned);
  cuda_status (*cuDriverGetVersion)(int *);
  cuda_status (*cuGetErrorName)(cuda_status, const char **);
  cuda_status (*cuGetErrorString)(cuda_status, const char **);
  cuda_status (*cuDeviceGetCount)(int *);
  cuda_status (*cuDeviceGet)(CUdevice *, int);
  cuda_status (*cuDeviceGetName)(char *, int, CUdevice);
  cuda_status (*cuDeviceGetAttribute)(int *, cuda_enum, CUdevice);
  cuda_status (*cuDevicePrimaryCtxRetain)(CUcontext *, CUdevice);
  cuda_status (*cuCtxGetCurrent)(CUcontext *);
  cuda_status (*cuCtxSetCurrent)(CUcontext);
  cuda_status (*cuCtxPushCurrent_v2)(CUcontext);
  cuda_status (*cuCtxPopCurrent_v2)(CUcontext *);
  cuda_status (*cuModuleLoadData)(CUmodule *module, const void *image);
  cuda_status (*cuModuleLoadDataEx)(CUmodule *module, const void *text, unsigned count, cuda_enum *options, void **values);
  cuda_status (*cuModuleUnload)(CUmodule module);
  cuda_status (*cuModuleGetFunction)(CUfunction *function, CUmodule module, const char *name);
  cuda_status (*cuFuncGetAttribute)(int *value, cuda_enum attribute, CUfunction function);
  cuda_status (*cuFuncSetAttribute)(CUfunction function, cuda_enum attribute, int value);
  cuda_status (*cuLaunchKernel)(CUfunction function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz, unsigned shared, CUstream stream, void **params, void **extra);
  cuda_status (*cuLaunchKernelEx)(const CUlaunchConfig *config, CUfunction function, void **params, void **extra);
  cuda_status (*cuLaunchCooperativeKernel)(CUfunction function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz, unsigned shared, CUstream stream, void **params);
  cuda_status (*cuTensorMapEncodeTiled)(CUtensorMap *map, cuda_enum type, uint32_t rank, void *address, const uint64_t *dims, const uint64_t *strides, const uint32_t *box, const uint32_t *element_strides, cuda_enum interleave, cuda_enum swizzle, cuda_enum l2_promotion, cuda_enum fill);
  cuda_status (*cuStreamCreate)(CUstream *stream, unsigned flags);
  cuda_status (*cuStreamDestroy_v2)(CUstream stream);
  cuda_status (*cuStreamSynchronize)(CUstream stream);
  cuda_status (*cuStreamQuery)(CUstream stream);
  cuda_status (*cuStreamWaitEvent)(CUstream stream, CUevent event, unsigned flags);
  cuda_status (*cuEventCreate)(CUevent *event, unsigned flags);
  cuda_status (*cuEventDestroy_v2)(CUevent event);
  cuda_status (*cuEventRecord)(CUevent event, CUstream stream);
  cuda_status (*cuEventSynchronize)(CUevent event);
  cuda_status (*cuEventQuery)(CUevent event);
  cuda_status (*cuEventElapsedTime)(float *, CUevent, CUevent);
  cuda_status (*cuMemAlloc_v2)(CUdeviceptr *address, size_t bytes);
  cuda_status (*cuMemAllocManaged)(CUdeviceptr *address, size_t bytes, unsigned flags);
  cuda_status (*cuMemFree_v2)(CUdeviceptr address);
  cuda_status (*cuMemGetInfo_v2)(size_t *, size_t *);
  cuda_status (*cuMemGetAddressRange_v2)(CUdeviceptr *, size_t *, CUdeviceptr);
  cuda_status (*cuCtxSynchronize)(void);
  cuda_status (*cuMemcpyAsync)(CUdeviceptr dst, CUdeviceptr src, size_t bytes, CUstream stream);
  cuda_status (*cuMemsetD32Async)(CUdeviceptr dst, unsigned value, size_t count, CUstream stream);
  cuda_status (*cuMemsetD16Async)(CUdeviceptr dst, unsigned short value, size_t count, CUstream stream);
  cuda_status (*cuMemHostRegister_v2)(void *address, size_t bytes, unsigned flags);
  cuda_status (*cuMemHostUnregister)(void *address);
  cuda_status (*cuMemHostGetDevicePointer_v2)(CUdeviceptr *mapped, void *address, unsigned flags);
  cuda_status (*cuGraphCreate)(CUgraph *graph, unsigned flags);
  cuda_status (*cuGraphDestroy)(CUgraph graph);
  cuda_status (*cuGraphAddKernelNode_v2)(CUgraphNode *node, CUgraph graph, const CUgraphNode *after, size_t count, const CUDA_KERNEL_NODE_PARAMS *params);
  cuda_status (*cuGraphAddMemcpyNode)(CUgraphNode *, CUgraph, const CUgraphNode *, size_t, const CUDA_MEMCPY3D *, CUcontext);
  cuda_status (*cuGraphAddMemsetNode)(CUgraphNode *, CUgraph, const CUgraphNode *, size_t, const CUDA_MEMSET_NODE_PARAMS *, CUcontext);
  cuda_status (*cuGraphAddEmptyNode)(CUgraphNode *node, CUgraph graph, const CUgraphNode *after, size_t count);
  cuda_status (*cuGraphInstantiateWithFlags)(CUgraphExec *exec, CUgraph graph, unsigned long long flags);
  cuda_status (*cuGraphLaunch)(CUgraphExec exec, CUstream stream);
  cuda_status (*cuGraphExecDestroy)(CUgraphExec exec);
  cuda_status (*cuGraphExecKernelNodeSetParams_v2)(CUgraphExec exec, CUgraphNode node, const CUDA_KERNEL_NODE_PARAMS *params);
  cuda_status (*cuGraphExecMemcpyNodeSetParams)(CUgraphExec, CUgraphNode, const CUDA_MEMCPY3D *, CUcontext);
  cuda_status (*cuGraphExecMemsetNodeSetParams)(CUgraphExec, CUgraphNode, const CUDA_MEMSET_NODE_PARAMS *, CUcontext);
  cuda_status (*cuFuncGetParamInfo)(CUfunction, size_t, size_t *, size_t *);
  cuda_status (*cuMemAllocPitch_v2)(CUdeviceptr *, size_t *, size_t, size_t, unsigned);
  cuda_status (*cuPointerGetAttribute)(void *, cuda_enum, CUdeviceptr);
  cuda_status (*cuStreamIsCapturing)(CUstream, cuda_enum *);
  cuda_status (*cuThreadExchangeStreamCaptureMode)(cuda_enum *);
  struct state state;
};

/* Their order. */
enum {
  row_cuInit,
  row_cuDriverGetVersion,
  row_cuGetErrorName,
  row_cuGetErrorString,
  row_cuDeviceGetCount,
  row_cuDeviceGet,
  row_cuDeviceGetName,
  row_cuDeviceGetAttribute,
  row_cuDevicePrimaryCtxRetain,
  row_cuCtxGetCurrent,
  row_cuCtxSetCurrent,
  row_cuCtxPushCurrent_v2,
  row_cuCtxPopCurrent_v2,
  row_cuModuleLoadData,
  row_cuModuleLoadDataEx,
  row_cuModuleUnload,
  row_cuModuleGetFunction,
  row_cuFuncGetAttribute,
  row_cuFuncSetAttribute,
  row_cuLaunchKernel,
  row_cuLaunchKernelEx,
  row_cuLaunchCooperativeKernel,
  row_cuTensorMapEncodeTiled,
  row_cuStreamCreate,
  row_cuStreamDestroy_v2,
  row_cuStreamSynchronize,
  row_cuStreamQuery,
  row_cuStreamWaitEvent,
  row_cuEventCreate,
  row_cuEventDestroy_v2,
  row_cuEventRecord,
  row_cuEventSynchronize,
  row_cuEventQuery,
  row_cuEventElapsedTime,
  row_cuMemAlloc_v2,
  row_cuMemAllocManaged,
  row_cuMemFree_v2,
  row_cuMemGetInfo_v2,
  row_cuMemGetAddressRange_v2,
  row_cuCtxSynchronize,
  row_cuMemcpyAsync,
  row_cuMemsetD32Async,
  row_cuMemsetD16Async,
  row_cuMemHostRegister_v2,
  row_cuMemHostUnregister,
  row_cuMemHostGetDevicePointer_v2,
  row_cuGraphCreate,
  row_cuGraphDestroy,
  row_cuGraphAddKernelNode_v2,
  row_cuGraphAddMemcpyNode,
  row_cuGraphAddMemsetNode,
  row_cuGraphAddEmptyNode,
  row_cuGraphInstantiateWithFlags,
  row_cuGraphLaunch,
  row_cuGraphExecDestroy,
  row_cuGraphExecKernelNodeSetParams_v2,
  row_cuGraphExecMemcpyNodeSetParams,
  row_cuGraphExecMemsetNodeSetParams,
  row_cuFuncGetParamInfo,
  row_cuMemAllocPitch_v2,
  row_cuPointerGetAttribute,
  row_cuStreamIsCapturing,
  row_cuThreadExchangeStreamCaptureMode,
  rows
};

/* Each calls the function of its name. */
struct given call_cuModuleLoadData(table *t, uintptr_t image);
struct given call_cuModuleLoadDataEx(table *t, uintptr_t text, uintptr_t count, uintptr_t options, uintptr_t values);
int32_t call_cuModuleUnload(table *t, uintptr_t module);
struct given call_cuModuleGetFunction(table *t, uintptr_t module, uintptr_t name);
struct given call_cuFuncGetAttribute(table *t, uintptr_t attribute, uintptr_t function);
int32_t call_cuFuncSetAttribute(table *t, uintptr_t function, uintptr_t attribute, uintptr_t value);
int32_t call_cuLaunchKernelEx(table *t, uintptr_t config, uintptr_t function, uintptr_t params, uintptr_t extra);
int32_t call_cuLaunchCooperativeKernel(table *t, uintptr_t function, uintptr_t gx, uintptr_t gy, uintptr_t gz, uintptr_t bx, uintptr_t by, uintptr_t bz, uintptr_t shared, uintptr_t stream, uintptr_t params);
int32_t call_cuTensorMapEncodeTiled(table *t, uintptr_t map, uintptr_t type, uintptr_t rank, uintptr_t address, uintptr_t dims, uintptr_t strides, uintptr_t box, uintptr_t element_strides, uintptr_t interleave, uintptr_t swizzle, uintptr_t l2_promotion, uintptr_t fill);
struct given call_cuStreamCreate(table *t, uintptr_t flags);
int32_t call_cuStreamDestroy_v2(table *t, uintptr_t stream);
int32_t call_cuStreamSynchronize(table *t, uintptr_t stream);
int32_t call_cuStreamQuery(table *t, uintptr_t stream);
int32_t call_cuStreamWaitEvent(table *t, uintptr_t stream, uintptr_t event, uintptr_t flags);
struct given call_cuEventCreate(table *t, uintptr_t flags);
int32_t call_cuEventDestroy_v2(table *t, uintptr_t event);
int32_t call_cuEventRecord(table *t, uintptr_t event, uintptr_t stream);
int32_t call_cuEventSynchronize(table *t, uintptr_t event);
int32_t call_cuEventQuery(table *t, uintptr_t event);
struct given call_cuMemAlloc_v2(table *t, uintptr_t bytes);
struct given call_cuMemAllocManaged(table *t, uintptr_t bytes, uintptr_t flags);
int32_t call_cuMemFree_v2(table *t, uintptr_t address);
int32_t call_cuMemcpyAsync(table *t, uintptr_t dst, uintptr_t src, uintptr_t bytes, uintptr_t stream);
int32_t call_cuMemsetD32Async(table *t, uintptr_t dst, uintptr_t value, uintptr_t count, uintptr_t stream);
int32_t call_cuMemsetD16Async(table *t, uintptr_t dst, uintptr_t value, uintptr_t count, uintptr_t stream);
int32_t call_cuMemHostRegister_v2(table *t, uintptr_t address, uintptr_t bytes, uintptr_t flags);
int32_t call_cuMemHostUnregister(table *t, uintptr_t address);
struct given call_cuMemHostGetDevicePointer_v2(table *t, uintptr_t address, uintptr_t flags);
struct given call_cuGraphCreate(table *t, uintptr_t flags);
int32_t call_cuGraphDestroy(table *t, uintptr_t graph);
struct given call_cuGraphAddKernelNode_v2(table *t, uintptr_t graph, uintptr_t after, uintptr_t count, uintptr_t params);
struct given call_cuGraphAddEmptyNode(table *t, uintptr_t graph, uintptr_t after, uintptr_t count);
struct given call_cuGraphInstantiateWithFlags(table *t, uintptr_t graph, uintptr_t flags);
int32_t call_cuGraphLaunch(table *t, uintptr_t exec, uintptr_t stream);
int32_t call_cuGraphExecDestroy(table *t, uintptr_t exec);
int32_t call_cuGraphExecKernelNodeSetParams_v2(table *t, uintptr_t exec, uintptr_t node, uintptr_t params);

/* These are written by hand. */
const char *cuda_error_name(table *t, unsigned status);
const char *cuda_error_string(table *t, unsigned status);
struct given cuda_device_count(table *t);
bool cuda_device_name(table *t, int device, char *name, int bytes);
int32_t cuda_device_set(table *t, uintptr_t device);
struct given cuda_device_get(table *t);
int32_t cuda_device_synchronize(table *t);
struct given cuda_module_compile(table *t, uintptr_t source, uintptr_t opt);
struct given cuda_module_has(table *t, uintptr_t module, uintptr_t name);
int32_t cuda_launch(uintptr_t driver, uintptr_t function, uint32_t gx, uint32_t gy, uint32_t gz, uint32_t bx, uint32_t by, uint32_t bz, uint32_t shared, uintptr_t stream, uintptr_t params, uintptr_t extra);
int32_t cuda_launch_node(uintptr_t driver, uintptr_t exec, uintptr_t node, uintptr_t function, uint32_t gx, uint32_t gy, uint32_t gz, uint32_t bx, uint32_t by, uint32_t bz, uintptr_t stream, uintptr_t params, bool set);
struct given cuda_stream_create(table *t);
struct given cuda_stream_capturing(table *t, uintptr_t stream);
struct given cuda_end_capture(table *t, uintptr_t stream);
struct given cuda_capture_mode(table *t, uintptr_t mode);
struct given cuda_event_elapsed(table *t, uintptr_t from, uintptr_t to);
struct memory cuda_mem_info(table *t);
struct extent cuda_extent(table *t, uintptr_t address);
struct given cuda_canary_alloc(table *t, uintptr_t bytes);
struct given cuda_memory_number(table *t, uintptr_t address);
struct given cuda_place(table *t, uintptr_t address);
struct given cuda_graph_kernel(table *t, uintptr_t graph, const uintptr_t *after, size_t count, struct kernel does);
struct given cuda_graph_copy(table *t, uintptr_t graph, const uintptr_t *after, size_t count, uintptr_t dst, uintptr_t src, uintptr_t bytes);
struct given cuda_graph_fill(table *t, uintptr_t graph, const uintptr_t *after, size_t count, uintptr_t dst, uintptr_t value, uintptr_t size, uintptr_t n);
struct given cuda_graph_empty(table *t, uintptr_t graph, const uintptr_t *after, size_t count);
int32_t cuda_graph_set_kernel(table *t, uintptr_t exec, uintptr_t node, struct kernel does);
int32_t cuda_graph_set_copy(table *t, uintptr_t exec, uintptr_t node, uintptr_t dst, uintptr_t src, uintptr_t bytes);
int32_t cuda_graph_set_fill(table *t, uintptr_t exec, uintptr_t node, uintptr_t dst, uintptr_t value, uintptr_t size, uintptr_t n);

extern const struct symbol cuda_symbols[rows];
extern const struct calls cuda_calls;
extern const struct call_rows cuda_rows;

#endif
