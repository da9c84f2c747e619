#include "graph.h"

#include <string.h>

#include "table.h"

struct cuda_value cuda_graph_create(cuda *c) {
  CUgraph graph = NULL;
  cuda_status status = IN_CONTEXT(c, cuGraphCreate(&graph, 0));
  return given(status, (uintptr_t)graph);
}

int32_t cuda_graph_destroy(cuda *c, uintptr_t graph) {
  return (int32_t)IN_CONTEXT(c, cuGraphDestroy((CUgraph)graph));
}

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

struct cuda_value cuda_graph_kernel(cuda *c, uintptr_t graph,
                                    const uintptr_t *after, size_t n,
                                    uintptr_t function, uint32_t gx,
                                    uint32_t gy, uint32_t gz, uint32_t bx,
                                    uint32_t by, uint32_t bz, uint32_t shared,
                                    uintptr_t params, uintptr_t extra) {
  struct cuda_kernel_node does =
      kernel_node(function, gx, gy, gz, bx, by, bz, shared, params, extra);
  CUgraphNode node = NULL;
  cuda_status status = IN_CONTEXT(
      c,
      cuGraphAddKernelNode_v2(&node, (CUgraph)graph, (const CUgraphNode *)after,
                              n, (const CUDA_KERNEL_NODE_PARAMS *)&does));
  return given(status, (uintptr_t)node);
}

/* The context of the calling thread's device, which is current. */
static CUcontext context_now(cuda *c) {
  CUcontext context = NULL;
  (void)c->cuCtxGetCurrent(&context);
  return context;
}

struct cuda_value cuda_graph_copy(cuda *c, uintptr_t graph,
                                  const uintptr_t *after, size_t n,
                                  uintptr_t dst, uintptr_t src,
                                  uint64_t bytes) {
  struct cuda_copy_node does = copy_node(dst, src, bytes);
  CUgraphNode node = NULL;
  cuda_status status = IN_CONTEXT(
      c, cuGraphAddMemcpyNode(&node, (CUgraph)graph, (const CUgraphNode *)after,
                              n, (const CUDA_MEMCPY3D *)&does, context_now(c)));
  return given(status, (uintptr_t)node);
}

struct cuda_value cuda_graph_fill(cuda *c, uintptr_t graph,
                                  const uintptr_t *after, size_t n,
                                  uintptr_t dst, uint32_t value, uint32_t size,
                                  uint64_t count) {
  struct cuda_fill_node does = fill_node(dst, value, size, count);
  CUgraphNode node = NULL;
  cuda_status status = IN_CONTEXT(
      c, cuGraphAddMemsetNode(&node, (CUgraph)graph, (const CUgraphNode *)after,
                              n, (const CUDA_MEMSET_NODE_PARAMS *)&does,
                              context_now(c)));
  return given(status, (uintptr_t)node);
}

struct cuda_value cuda_graph_empty(cuda *c, uintptr_t graph,
                                   const uintptr_t *after, size_t n) {
  CUgraphNode node = NULL;
  cuda_status status =
      IN_CONTEXT(c, cuGraphAddEmptyNode(&node, (CUgraph)graph,
                                        (const CUgraphNode *)after, n));
  return given(status, (uintptr_t)node);
}

struct cuda_value cuda_graph_instantiate(cuda *c, uintptr_t graph) {
  CUgraphExec exec = NULL;
  cuda_status status =
      IN_CONTEXT(c, cuGraphInstantiateWithFlags(&exec, (CUgraph)graph, 0));
  return given(status, (uintptr_t)exec);
}

int32_t cuda_graph_launch(cuda *c, uintptr_t exec, uintptr_t stream) {
  return (int32_t)IN_CONTEXT(
      c, cuGraphLaunch((CUgraphExec)exec, (CUstream)stream));
}

int32_t cuda_graph_exec_destroy(cuda *c, uintptr_t exec) {
  return (int32_t)IN_CONTEXT(c, cuGraphExecDestroy((CUgraphExec)exec));
}

int32_t cuda_graph_set_kernel(cuda *c, uintptr_t exec, uintptr_t node,
                              uintptr_t function, uint32_t gx, uint32_t gy,
                              uint32_t gz, uint32_t bx, uint32_t by,
                              uint32_t bz, uint32_t shared, uintptr_t params,
                              uintptr_t extra) {
  struct cuda_kernel_node does =
      kernel_node(function, gx, gy, gz, bx, by, bz, shared, params, extra);
  return (int32_t)IN_CONTEXT(c, cuGraphExecKernelNodeSetParams_v2(
                                    (CUgraphExec)exec, (CUgraphNode)node,
                                    (const CUDA_KERNEL_NODE_PARAMS *)&does));
}

int32_t cuda_graph_set_copy(cuda *c, uintptr_t exec, uintptr_t node,
                            uintptr_t dst, uintptr_t src, uint64_t bytes) {
  struct cuda_copy_node does = copy_node(dst, src, bytes);
  return (int32_t)IN_CONTEXT(
      c, cuGraphExecMemcpyNodeSetParams((CUgraphExec)exec, (CUgraphNode)node,
                                        (const CUDA_MEMCPY3D *)&does,
                                        context_now(c)));
}

int32_t cuda_graph_set_fill(cuda *c, uintptr_t exec, uintptr_t node,
                            uintptr_t dst, uint32_t value, uint32_t size,
                            uint64_t count) {
  struct cuda_fill_node does = fill_node(dst, value, size, count);
  return (int32_t)IN_CONTEXT(
      c, cuGraphExecMemsetNodeSetParams((CUgraphExec)exec, (CUgraphNode)node,
                                        (const CUDA_MEMSET_NODE_PARAMS *)&does,
                                        context_now(c)));
}

struct cuda_value cuda_function_param(cuda *c, uintptr_t function, size_t i) {
  size_t offset = 0, size = 0;
  cuda_status status = IN_CONTEXT(
      c, cuFuncGetParamInfo((CUfunction)function, i, &offset, &size));
  return given(status, (uintptr_t)(offset << 32 | (size & UINT32_MAX)));
}

struct cuda_value cuda_pointer_attribute(cuda *c, uint32_t attribute,
                                         uintptr_t ptr) {
  unsigned value = 0;
  cuda_status status =
      IN_CONTEXT(c, cuPointerGetAttribute(&value, attribute, (CUdeviceptr)ptr));
  return given(status, value);
}

struct cuda_value cuda_stream_capturing(cuda *c, uintptr_t stream) {
  cuda_enum capturing = cuda_not_capturing;
  cuda_status status =
      IN_CONTEXT(c, cuStreamIsCapturing((CUstream)stream, &capturing));
  return given(status, capturing != cuda_not_capturing);
}

struct cuda_value cuda_capture_mode(cuda *c, uint32_t mode) {
  cuda_enum exchanged = mode;
  cuda_status status =
      IN_CONTEXT(c, cuThreadExchangeStreamCaptureMode(&exchanged));
  return given(status, exchanged);
}

static int32_t failed_at(int i, cuda_status status) {
  return (int32_t)(status >> 16 ? status : blame(i, status));
}

/* A launch into a stream that is captured stays what it is, so that the program's
 * graph holds a kernel that it can look into. */
__attribute__((hot)) static int32_t
graph_launch(uintptr_t table, uintptr_t exec, uintptr_t node,
             uintptr_t function, uint32_t gx, uint32_t gy, uint32_t gz,
             uint32_t bx, uint32_t by, uint32_t bz, uintptr_t stream,
             uintptr_t params, bool set) {
  cuda *c = (cuda *)table;
  int pushed;
  cuda_status status = cuda_enter(c, &pushed);
  if (__builtin_expect(status != cuda_success, 0))
    return (int32_t)status;
  cuda_enum capturing = cuda_not_capturing;
  int row = row_cuStreamIsCapturing;
  status = c->cuStreamIsCapturing((CUstream)stream, &capturing);
  if (__builtin_expect(capturing != cuda_not_capturing, 0)) {
    cuda_leave(c, pushed);
    return -1;
  }
  if (status == cuda_success && set) {
    struct cuda_kernel_node does =
        kernel_node(function, gx, gy, gz, bx, by, bz, 0, params, 0);
    row = row_cuGraphExecKernelNodeSetParams_v2;
    status = c->cuGraphExecKernelNodeSetParams_v2(
        (CUgraphExec)exec, (CUgraphNode)node,
        (const CUDA_KERNEL_NODE_PARAMS *)&does);
  }
  if (status == cuda_success) {
    row = row_cuGraphLaunch;
    status = c->cuGraphLaunch((CUgraphExec)exec, (CUstream)stream);
  }
  cuda_leave(c, pushed);
  return failed_at(row, status);
}

uintptr_t cuda_direct_graph_launch(void) { return (uintptr_t)graph_launch; }
