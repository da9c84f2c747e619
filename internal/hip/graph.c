#include "graph.h"

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

struct given hip_graph_kernel(table *t, uintptr_t graph, const uintptr_t *after,
                              size_t n, uintptr_t function, uint32_t gx,
                              uint32_t gy, uint32_t gz, uint32_t bx,
                              uint32_t by, uint32_t bz, uint32_t shared,
                              uintptr_t params, uintptr_t extra) {
  struct hip_kernel_node does =
      kernel_node(function, gx, gy, gz, bx, by, bz, shared, params, extra);
  return call_hipGraphAddKernelNode(t, graph, (uintptr_t)after, n,
                                    (uintptr_t)&does);
}

struct given hip_graph_copy(table *t, uintptr_t graph, const uintptr_t *after,
                            size_t n, uintptr_t dst, uintptr_t src,
                            uint64_t bytes) {
  return call_hipGraphAddMemcpyNode1D(t, graph, (uintptr_t)after, n, dst, src,
                                      bytes, hip_copy_default);
}

struct given hip_graph_fill(table *t, uintptr_t graph, const uintptr_t *after,
                            size_t n, uintptr_t dst, uint32_t value,
                            uint32_t size, uint64_t count) {
  struct hip_fill_node does = fill_node(dst, value, size, count);
  return call_hipGraphAddMemsetNode(t, graph, (uintptr_t)after, n,
                                    (uintptr_t)&does);
}

struct given hip_graph_empty(table *t, uintptr_t graph, const uintptr_t *after,
                             size_t n) {
  return call_hipGraphAddEmptyNode(t, graph, (uintptr_t)after, n);
}

int32_t hip_graph_set_kernel(table *t, uintptr_t exec, uintptr_t node,
                             uintptr_t function, uint32_t gx, uint32_t gy,
                             uint32_t gz, uint32_t bx, uint32_t by, uint32_t bz,
                             uint32_t shared, uintptr_t params,
                             uintptr_t extra) {
  struct hip_kernel_node does =
      kernel_node(function, gx, gy, gz, bx, by, bz, shared, params, extra);
  return call_hipGraphExecKernelNodeSetParams(t, exec, node, (uintptr_t)&does);
}

int32_t hip_graph_set_fill(table *t, uintptr_t exec, uintptr_t node,
                           uintptr_t dst, uint32_t value, uint32_t size,
                           uint64_t count) {
  struct hip_fill_node does = fill_node(dst, value, size, count);
  return call_hipGraphExecMemsetNodeSetParams(t, exec, node, (uintptr_t)&does);
}

/* That memory is none of HIP's is an answer, which HIP keeps as the thread's last
 * error. */
struct given hip_pointer_attribute(table *t, uint32_t attribute,
                                   uintptr_t ptr) {
  unsigned value = 0;
  hip_status status =
      t->hipPointerGetAttribute(&value, attribute, (hipDeviceptr_t)ptr);
  if (status != hip_success)
    (void)t->hipGetLastError();
  return given(blame(row_hipPointerGetAttribute, status), value);
}

struct given hip_stream_capturing(table *t, uintptr_t stream) {
  hip_enum capturing = hip_not_capturing;
  hip_status status = t->hipStreamIsCapturing((hipStream_t)stream, &capturing);
  return given(blame(row_hipStreamIsCapturing, status),
               capturing != hip_not_capturing);
}

struct given hip_capture_mode(table *t, uint32_t mode) {
  hip_enum exchanged = mode;
  hip_status status = t->hipThreadExchangeStreamCaptureMode(&exchanged);
  return given(blame(row_hipThreadExchangeStreamCaptureMode, status),
               exchanged);
}

/* A launch into a stream that is captured stays what it is, so that the program's
 * graph holds a kernel that it can look into. */
__attribute__((hot)) int32_t hip_graph_launch(
    uintptr_t driver, uintptr_t exec, uintptr_t node, uintptr_t function,
    uint32_t gx, uint32_t gy, uint32_t gz, uint32_t bx, uint32_t by,
    uint32_t bz, uintptr_t stream, uintptr_t params, bool set) {
  table *t = (table *)driver;
  struct given capturing = hip_stream_capturing(t, stream);
  int32_t status = capturing.status;
  if (capturing.value)
    return -1;
  if (status == 0 && set)
    status = hip_graph_set_kernel(t, exec, node, function, gx, gy, gz, bx, by,
                                  bz, 0, params, 0);
  if (status == 0)
    status = call_hipGraphLaunch(t, exec, stream);
  return status;
}
