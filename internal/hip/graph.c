#include "graph.h"

#include "table.h"

struct hip_value hip_graph_create(hip *h) {
  hipGraph_t graph = NULL;
  hip_status status = h->hipGraphCreate(&graph, 0);
  return given(status, (uintptr_t)graph);
}

int32_t hip_graph_destroy(hip *h, uintptr_t graph) {
  return (int32_t)h->hipGraphDestroy((hipGraph_t)graph);
}

static struct hip_kernel_node kernel_node(uintptr_t function, uint32_t gx,
                                          uint32_t gy, uint32_t gz, uint32_t bx,
                                          uint32_t by, uint32_t bz,
                                          uint32_t shared, uintptr_t params,
                                          uintptr_t extra) {
  return (struct hip_kernel_node){{bx, by, bz},     (void **)extra,
                                  (void *)function, {gx, gy, gz},
                                  (void **)params,  shared};
}

/* A fill of one row. */
static struct hip_fill_node fill_node(uintptr_t dst, uint32_t value,
                                      uint32_t size, uint64_t count) {
  return (struct hip_fill_node){(void *)dst,  size,  1,
                                count * size, value, count};
}

struct hip_value hip_graph_kernel(hip *h, uintptr_t graph,
                                  const uintptr_t *after, size_t n,
                                  uintptr_t function, uint32_t gx, uint32_t gy,
                                  uint32_t gz, uint32_t bx, uint32_t by,
                                  uint32_t bz, uint32_t shared,
                                  uintptr_t params, uintptr_t extra) {
  struct hip_kernel_node does =
      kernel_node(function, gx, gy, gz, bx, by, bz, shared, params, extra);
  hipGraphNode_t node = NULL;
  hip_status status = h->hipGraphAddKernelNode(
      &node, (hipGraph_t)graph, (const hipGraphNode_t *)after, n,
      (const hipKernelNodeParams *)&does);
  return given(status, (uintptr_t)node);
}

struct hip_value hip_graph_copy(hip *h, uintptr_t graph, const uintptr_t *after,
                                size_t n, uintptr_t dst, uintptr_t src,
                                uint64_t bytes) {
  hipGraphNode_t node = NULL;
  hip_status status = h->hipGraphAddMemcpyNode1D(
      &node, (hipGraph_t)graph, (const hipGraphNode_t *)after, n, (void *)dst,
      (const void *)src, bytes, hip_copy_default);
  return given(status, (uintptr_t)node);
}

struct hip_value hip_graph_fill(hip *h, uintptr_t graph, const uintptr_t *after,
                                size_t n, uintptr_t dst, uint32_t value,
                                uint32_t size, uint64_t count) {
  struct hip_fill_node does = fill_node(dst, value, size, count);
  hipGraphNode_t node = NULL;
  hip_status status = h->hipGraphAddMemsetNode(&node, (hipGraph_t)graph,
                                               (const hipGraphNode_t *)after, n,
                                               (const hipMemsetParams *)&does);
  return given(status, (uintptr_t)node);
}

struct hip_value hip_graph_empty(hip *h, uintptr_t graph,
                                 const uintptr_t *after, size_t n) {
  hipGraphNode_t node = NULL;
  hip_status status = h->hipGraphAddEmptyNode(&node, (hipGraph_t)graph,
                                              (const hipGraphNode_t *)after, n);
  return given(status, (uintptr_t)node);
}

struct hip_value hip_graph_instantiate(hip *h, uintptr_t graph) {
  hipGraphExec_t exec = NULL;
  hip_status status =
      h->hipGraphInstantiateWithFlags(&exec, (hipGraph_t)graph, 0);
  return given(status, (uintptr_t)exec);
}

int32_t hip_graph_launch(hip *h, uintptr_t exec, uintptr_t stream) {
  return (int32_t)h->hipGraphLaunch((hipGraphExec_t)exec, (hipStream_t)stream);
}

int32_t hip_graph_exec_destroy(hip *h, uintptr_t exec) {
  return (int32_t)h->hipGraphExecDestroy((hipGraphExec_t)exec);
}

int32_t hip_graph_set_kernel(hip *h, uintptr_t exec, uintptr_t node,
                             uintptr_t function, uint32_t gx, uint32_t gy,
                             uint32_t gz, uint32_t bx, uint32_t by, uint32_t bz,
                             uint32_t shared, uintptr_t params,
                             uintptr_t extra) {
  struct hip_kernel_node does =
      kernel_node(function, gx, gy, gz, bx, by, bz, shared, params, extra);
  return (int32_t)h->hipGraphExecKernelNodeSetParams(
      (hipGraphExec_t)exec, (hipGraphNode_t)node,
      (const hipKernelNodeParams *)&does);
}

int32_t hip_graph_set_copy(hip *h, uintptr_t exec, uintptr_t node,
                           uintptr_t dst, uintptr_t src, uint64_t bytes) {
  return (int32_t)h->hipGraphExecMemcpyNodeSetParams1D(
      (hipGraphExec_t)exec, (hipGraphNode_t)node, (void *)dst,
      (const void *)src, bytes, hip_copy_default);
}

int32_t hip_graph_set_fill(hip *h, uintptr_t exec, uintptr_t node,
                           uintptr_t dst, uint32_t value, uint32_t size,
                           uint64_t count) {
  struct hip_fill_node does = fill_node(dst, value, size, count);
  return (int32_t)h->hipGraphExecMemsetNodeSetParams(
      (hipGraphExec_t)exec, (hipGraphNode_t)node,
      (const hipMemsetParams *)&does);
}

/* That memory is none of HIP's is an answer, which HIP keeps as the thread's last
 * error. */
struct hip_value hip_pointer_attribute(hip *h, uint32_t attribute,
                                       uintptr_t ptr) {
  unsigned value = 0;
  hip_status status =
      h->hipPointerGetAttribute(&value, attribute, (hipDeviceptr_t)ptr);
  if (status != hip_success)
    (void)h->hipGetLastError();
  return given(status, value);
}

struct hip_value hip_stream_capturing(hip *h, uintptr_t stream) {
  hip_enum capturing = hip_not_capturing;
  hip_status status = h->hipStreamIsCapturing((hipStream_t)stream, &capturing);
  return given(status, capturing != hip_not_capturing);
}

struct hip_value hip_capture_mode(hip *h, uint32_t mode) {
  hip_enum exchanged = mode;
  hip_status status = h->hipThreadExchangeStreamCaptureMode(&exchanged);
  return given(status, exchanged);
}

static int32_t failed_at(int i, hip_status status) {
  return status == hip_success
             ? 0
             : (int32_t)((unsigned)i << 16 | (status & 0xffff));
}

/* A launch into a stream that is captured stays what it is, so that the program's
 * graph holds a kernel that it can look into. */
__attribute__((hot)) static int32_t
graph_launch(uintptr_t table, uintptr_t exec, uintptr_t node,
             uintptr_t function, uint32_t gx, uint32_t gy, uint32_t gz,
             uint32_t bx, uint32_t by, uint32_t bz, uintptr_t stream,
             uintptr_t params, bool set) {
  hip *h = (hip *)table;
  hip_enum capturing = hip_not_capturing;
  hip_status status = h->hipStreamIsCapturing((hipStream_t)stream, &capturing);
  if (status != hip_success)
    return failed_at(row_hipStreamIsCapturing, status);
  if (capturing != hip_not_capturing)
    return -1;
  if (set) {
    status = (hip_status)hip_graph_set_kernel(h, exec, node, function, gx, gy,
                                              gz, bx, by, bz, 0, params, 0);
    if (status != hip_success)
      return failed_at(row_hipGraphExecKernelNodeSetParams, status);
  }
  return failed_at(row_hipGraphLaunch, h->hipGraphLaunch((hipGraphExec_t)exec,
                                                         (hipStream_t)stream));
}

uintptr_t hip_direct_graph_launch(void) { return (uintptr_t)graph_launch; }
