#include "context.h"

#include <string.h>

static struct cuda_kernel_node kernel_node(struct kernel k) {
  return (struct cuda_kernel_node){(CUfunction)k.function,
                                   k.grid[0],
                                   k.grid[1],
                                   k.grid[2],
                                   k.block[0],
                                   k.block[1],
                                   k.block[2],
                                   k.shared,
                                   (void **)k.params,
                                   (void **)k.extra,
                                   NULL,
                                   NULL};
}

/* The directions of copies are unspecified, as in copies on streams: libcuda derives them
 * from the addresses. */
static struct cuda_copy_node copy_node(uintptr_t dst, uintptr_t src,
                                       uintptr_t bytes) {
  struct cuda_copy_node node;
  memset(&node, 0, sizeof node);
  node.from.type = node.to.type = cuda_memory_unified;
  node.from.device = src;
  node.to.device = dst;
  node.width = bytes;
  node.height = node.depth = 1;
  return node;
}

/* A fill of one row of n elements. */
static struct cuda_fill_node fill_node(uintptr_t dst, uintptr_t value,
                                       uintptr_t size, uintptr_t n) {
  return (struct cuda_fill_node){dst, 0, (unsigned)value, (unsigned)size, n, 1};
}

/* Returns the context of the calling thread's device. The context must be current. */
static CUcontext context_now(table *t) {
  CUcontext context = NULL;
  (void)t->cuCtxGetCurrent(&context);
  return context;
}

struct given cuda_graph_kernel(table *t, uintptr_t graph,
                               const uintptr_t *after, size_t count,
                               struct kernel does) {
  struct cuda_kernel_node node = kernel_node(does);
  return call_cuGraphAddKernelNode_v2(t, graph, (uintptr_t)after, count,
                                      (uintptr_t)&node);
}

struct given cuda_graph_copy(table *t, uintptr_t graph, const uintptr_t *after,
                             size_t count, uintptr_t dst, uintptr_t src,
                             uintptr_t bytes) {
  struct cuda_copy_node does = copy_node(dst, src, bytes);
  CUgraphNode node = NULL;
  cuda_status status =
      CALL(t, cuGraphAddMemcpyNode(
                  &node, (CUgraph)graph, (const CUgraphNode *)after, count,
                  (const CUDA_MEMCPY3D *)&does, context_now(t)));
  return given(blame(row_cuGraphAddMemcpyNode, status), (uintptr_t)node);
}

struct given cuda_graph_fill(table *t, uintptr_t graph, const uintptr_t *after,
                             size_t count, uintptr_t dst, uintptr_t value,
                             uintptr_t size, uintptr_t n) {
  struct cuda_fill_node does = fill_node(dst, value, size, n);
  CUgraphNode node = NULL;
  cuda_status status =
      CALL(t, cuGraphAddMemsetNode(
                  &node, (CUgraph)graph, (const CUgraphNode *)after, count,
                  (const CUDA_MEMSET_NODE_PARAMS *)&does, context_now(t)));
  return given(blame(row_cuGraphAddMemsetNode, status), (uintptr_t)node);
}

struct given cuda_graph_empty(table *t, uintptr_t graph, const uintptr_t *after,
                              size_t count) {
  return call_cuGraphAddEmptyNode(t, graph, (uintptr_t)after, count);
}

int32_t cuda_graph_set_kernel(table *t, uintptr_t exec, uintptr_t node,
                              struct kernel does) {
  struct cuda_kernel_node set = kernel_node(does);
  return call_cuGraphExecKernelNodeSetParams_v2(t, exec, node, (uintptr_t)&set);
}

int32_t cuda_graph_set_copy(table *t, uintptr_t exec, uintptr_t node,
                            uintptr_t dst, uintptr_t src, uintptr_t bytes) {
  struct cuda_copy_node does = copy_node(dst, src, bytes);
  return blame(row_cuGraphExecMemcpyNodeSetParams,
               CALL(t, cuGraphExecMemcpyNodeSetParams(
                           (CUgraphExec)exec, (CUgraphNode)node,
                           (const CUDA_MEMCPY3D *)&does, context_now(t))));
}

int32_t cuda_graph_set_fill(table *t, uintptr_t exec, uintptr_t node,
                            uintptr_t dst, uintptr_t value, uintptr_t size,
                            uintptr_t n) {
  struct cuda_fill_node does = fill_node(dst, value, size, n);
  return blame(
      row_cuGraphExecMemsetNodeSetParams,
      CALL(t, cuGraphExecMemsetNodeSetParams(
                  (CUgraphExec)exec, (CUgraphNode)node,
                  (const CUDA_MEMSET_NODE_PARAMS *)&does, context_now(t))));
}

/* A launch into a captured stream stays a launch, so that the program's graph has a kernel
 * node. */
__attribute__((hot)) int32_t cuda_launch_node(
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
    struct cuda_kernel_node does = kernel_node(
        (struct kernel){function, {gx, gy, gz}, {bx, by, bz}, 0, params, 0});
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
