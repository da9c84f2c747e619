#include "graph.h"

#include <string.h>

#include "context.h"

static struct cuda_kernel_node kernel_node(uintptr_t function, uint32_t gx,
                                           uint32_t gy, uint32_t gz,
                                           uint32_t bx, uint32_t by,
                                           uint32_t bz, uint32_t shared,
                                           uintptr_t params, uintptr_t extra) {
  return (struct cuda_kernel_node){
      (CUfunction)function, gx,   gy,  gz, bx, by, bz, shared, (void **)params,
      (void **)extra,       NULL, NULL};
}

/* Copies are told their sides as copies in streams are: libcuda sees from the
 * addresses what they are. */
static struct cuda_copy_node copy_node(uintptr_t dst, uintptr_t src,
                                       uint64_t bytes) {
  struct cuda_copy_node node;
  memset(&node, 0, sizeof node);
  node.from.type = node.to.type = cuda_memory_unified;
  node.from.device = src;
  node.to.device = dst;
  node.width = bytes;
  node.height = node.depth = 1;
  return node;
}

/* A fill of one row, as long as its width is one that libcuda takes. */
static struct cuda_fill_node fill_node(uintptr_t dst, uint32_t value,
                                       uint32_t size, uint64_t count) {
  return (struct cuda_fill_node){dst, 0, value, size, count, 1};
}

struct given cuda_graph_kernel(table *t, uintptr_t graph,
                               const uintptr_t *after, size_t n,
                               uintptr_t function, uint32_t gx, uint32_t gy,
                               uint32_t gz, uint32_t bx, uint32_t by,
                               uint32_t bz, uint32_t shared, uintptr_t params,
                               uintptr_t extra) {
  struct cuda_kernel_node does =
      kernel_node(function, gx, gy, gz, bx, by, bz, shared, params, extra);
  return call_cuGraphAddKernelNode_v2(t, graph, (uintptr_t)after, n,
                                      (uintptr_t)&does);
}

/* The context of the calling thread's device, which is current. */
static CUcontext context_now(table *t) {
  CUcontext context = NULL;
  (void)t->cuCtxGetCurrent(&context);
  return context;
}

struct given cuda_graph_copy(table *t, uintptr_t graph, const uintptr_t *after,
                             size_t n, uintptr_t dst, uintptr_t src,
                             uint64_t bytes) {
  struct cuda_copy_node does = copy_node(dst, src, bytes);
  CUgraphNode node = NULL;
  cuda_status status = CALL(
      t, cuGraphAddMemcpyNode(&node, (CUgraph)graph, (const CUgraphNode *)after,
                              n, (const CUDA_MEMCPY3D *)&does, context_now(t)));
  return given(blame(row_cuGraphAddMemcpyNode, status), (uintptr_t)node);
}

struct given cuda_graph_fill(table *t, uintptr_t graph, const uintptr_t *after,
                             size_t n, uintptr_t dst, uint32_t value,
                             uint32_t size, uint64_t count) {
  struct cuda_fill_node does = fill_node(dst, value, size, count);
  CUgraphNode node = NULL;
  cuda_status status =
      CALL(t, cuGraphAddMemsetNode(
                  &node, (CUgraph)graph, (const CUgraphNode *)after, n,
                  (const CUDA_MEMSET_NODE_PARAMS *)&does, context_now(t)));
  return given(blame(row_cuGraphAddMemsetNode, status), (uintptr_t)node);
}

struct given cuda_graph_empty(table *t, uintptr_t graph, const uintptr_t *after,
                              size_t n) {
  return call_cuGraphAddEmptyNode(t, graph, (uintptr_t)after, n);
}

int32_t cuda_graph_set_kernel(table *t, uintptr_t exec, uintptr_t node,
                              uintptr_t function, uint32_t gx, uint32_t gy,
                              uint32_t gz, uint32_t bx, uint32_t by,
                              uint32_t bz, uint32_t shared, uintptr_t params,
                              uintptr_t extra) {
  struct cuda_kernel_node does =
      kernel_node(function, gx, gy, gz, bx, by, bz, shared, params, extra);
  return call_cuGraphExecKernelNodeSetParams_v2(t, exec, node,
                                                (uintptr_t)&does);
}

int32_t cuda_graph_set_copy(table *t, uintptr_t exec, uintptr_t node,
                            uintptr_t dst, uintptr_t src, uint64_t bytes) {
  struct cuda_copy_node does = copy_node(dst, src, bytes);
  return blame(row_cuGraphExecMemcpyNodeSetParams,
               CALL(t, cuGraphExecMemcpyNodeSetParams(
                           (CUgraphExec)exec, (CUgraphNode)node,
                           (const CUDA_MEMCPY3D *)&does, context_now(t))));
}

int32_t cuda_graph_set_fill(table *t, uintptr_t exec, uintptr_t node,
                            uintptr_t dst, uint32_t value, uint32_t size,
                            uint64_t count) {
  struct cuda_fill_node does = fill_node(dst, value, size, count);
  return blame(
      row_cuGraphExecMemsetNodeSetParams,
      CALL(t, cuGraphExecMemsetNodeSetParams(
                  (CUgraphExec)exec, (CUgraphNode)node,
                  (const CUDA_MEMSET_NODE_PARAMS *)&does, context_now(t))));
}

struct given cuda_function_param(table *t, uintptr_t function, size_t i) {
  size_t offset = 0, size = 0;
  cuda_status status =
      CALL(t, cuFuncGetParamInfo((CUfunction)function, i, &offset, &size));
  return given(blame(row_cuFuncGetParamInfo, status),
               (uintptr_t)(offset << 32 | (size & UINT32_MAX)));
}

struct given cuda_pointer_attribute(table *t, uint32_t attribute,
                                    uintptr_t ptr) {
  unsigned value = 0;
  cuda_status status =
      CALL(t, cuPointerGetAttribute(&value, attribute, (CUdeviceptr)ptr));
  return given(blame(row_cuPointerGetAttribute, status), value);
}

struct given cuda_stream_capturing(table *t, uintptr_t stream) {
  cuda_enum capturing = cuda_not_capturing;
  cuda_status status =
      CALL(t, cuStreamIsCapturing((CUstream)stream, &capturing));
  return given(blame(row_cuStreamIsCapturing, status),
               capturing != cuda_not_capturing);
}

struct given cuda_capture_mode(table *t, uint32_t mode) {
  cuda_enum exchanged = mode;
  cuda_status status = CALL(t, cuThreadExchangeStreamCaptureMode(&exchanged));
  return given(blame(row_cuThreadExchangeStreamCaptureMode, status), exchanged);
}

/* A launch into a stream that is captured stays what it is, so that the program's
 * graph holds a kernel that it can look into. */
__attribute__((hot)) int32_t cuda_graph_launch(
    uintptr_t driver, uintptr_t exec, uintptr_t node, uintptr_t function,
    uint32_t gx, uint32_t gy, uint32_t gz, uint32_t bx, uint32_t by,
    uint32_t bz, uintptr_t stream, uintptr_t params, bool set) {
  table *t = (table *)driver;
  bool pushed;
  cuda_status status = context_enter(t, &pushed);
  if (__builtin_expect(status != cuda_success, 0))
    return (int32_t)status;
  cuda_enum capturing = cuda_not_capturing;
  int row = row_cuStreamIsCapturing;
  status = t->cuStreamIsCapturing((CUstream)stream, &capturing);
  if (__builtin_expect(capturing != cuda_not_capturing, 0)) {
    context_leave(t, pushed);
    return -1;
  }
  if (status == cuda_success && set) {
    struct cuda_kernel_node does =
        kernel_node(function, gx, gy, gz, bx, by, bz, 0, params, 0);
    row = row_cuGraphExecKernelNodeSetParams_v2;
    status = t->cuGraphExecKernelNodeSetParams_v2(
        (CUgraphExec)exec, (CUgraphNode)node,
        (const CUDA_KERNEL_NODE_PARAMS *)&does);
  }
  if (status == cuda_success) {
    row = row_cuGraphLaunch;
    status = t->cuGraphLaunch((CUgraphExec)exec, (CUstream)stream);
  }
  context_leave(t, pushed);
  return blame(row, status);
}
