#include "calls.h"

static struct hip_kernel_node kernel_node(struct kernel k) {
  return (struct hip_kernel_node){{k.block[0], k.block[1], k.block[2]},
                                  (void **)k.extra,
                                  (void *)k.function,
                                  {k.grid[0], k.grid[1], k.grid[2]},
                                  (void **)k.params,
                                  k.shared};
}

/* A fill of one row. */
static struct hip_fill_node fill_node(uintptr_t dst, uintptr_t value,
                                      uintptr_t size, uintptr_t n) {
  return (struct hip_fill_node){(void *)dst, (unsigned)size,  1,
                                n * size,    (unsigned)value, n};
}

struct given hip_graph_kernel(table *t, uintptr_t graph, const uintptr_t *after,
                              size_t count, struct kernel does) {
  struct hip_kernel_node node = kernel_node(does);
  return call_hipGraphAddKernelNode(t, graph, (uintptr_t)after, count,
                                    (uintptr_t)&node);
}

struct given hip_graph_copy(table *t, uintptr_t graph, const uintptr_t *after,
                            size_t count, uintptr_t dst, uintptr_t src,
                            uintptr_t bytes) {
  return call_hipGraphAddMemcpyNode1D(t, graph, (uintptr_t)after, count, dst,
                                      src, bytes, hip_copy_default);
}

struct given hip_graph_fill(table *t, uintptr_t graph, const uintptr_t *after,
                            size_t count, uintptr_t dst, uintptr_t value,
                            uintptr_t size, uintptr_t n) {
  struct hip_fill_node node = fill_node(dst, value, size, n);
  return call_hipGraphAddMemsetNode(t, graph, (uintptr_t)after, count,
                                    (uintptr_t)&node);
}

struct given hip_graph_empty(table *t, uintptr_t graph, const uintptr_t *after,
                             size_t count) {
  return call_hipGraphAddEmptyNode(t, graph, (uintptr_t)after, count);
}

int32_t hip_graph_set_kernel(table *t, uintptr_t exec, uintptr_t node,
                             struct kernel does) {
  struct hip_kernel_node set = kernel_node(does);
  return call_hipGraphExecKernelNodeSetParams(t, exec, node, (uintptr_t)&set);
}

int32_t hip_graph_set_copy(table *t, uintptr_t exec, uintptr_t node,
                           uintptr_t dst, uintptr_t src, uintptr_t bytes) {
  return call_hipGraphExecMemcpyNodeSetParams1D(t, exec, node, dst, src, bytes,
                                                hip_copy_default);
}

int32_t hip_graph_set_fill(table *t, uintptr_t exec, uintptr_t node,
                           uintptr_t dst, uintptr_t value, uintptr_t size,
                           uintptr_t n) {
  struct hip_fill_node set = fill_node(dst, value, size, n);
  return call_hipGraphExecMemsetNodeSetParams(t, exec, node, (uintptr_t)&set);
}

static struct given captured(hip_status status, hip_enum capturing) {
  return given(blame(row_hipStreamIsCapturing, status),
               capturing != hip_not_capturing);
}

/* An error if the stream was destroyed: the program may have done that by itself. */
struct given hip_stream_capturing(table *t, uintptr_t stream) {
  hipStream_t s = (hipStream_t)stream;
  hip_enum capturing = hip_not_capturing;
  hip_status status = t->state.version < first_unchecked
                          ? ASK(t, hipStreamIsCapturing(s, &capturing))
                          : ASK(t, hipStreamGetCaptureInfo_v2(
                                       s, &capturing, NULL, NULL, NULL, NULL));
  return captured(status, capturing);
}

/* A launch into a captured stream stays a launch, so that the program's graph has a kernel
 * node. */
__attribute__((hot)) int32_t hip_launch_node(
    uintptr_t driver, uintptr_t exec, uintptr_t node, uintptr_t function,
    uint32_t gx, uint32_t gy, uint32_t gz, uint32_t bx, uint32_t by,
    uint32_t bz, uintptr_t stream, uintptr_t params, bool set) {
  table *t = (table *)driver;
  hip_enum found = hip_not_capturing;
  /* ASK is not used: a failure is the launch's failure. */
  hip_status asked = t->hipStreamIsCapturing((hipStream_t)stream, &found);
  struct given capturing = captured(asked, found);
  int32_t status = capturing.status;
  if (capturing.value)
    return -1;
  if (status == 0 && set)
    status = hip_graph_set_kernel(
        t, exec, node,
        (struct kernel){function, {gx, gy, gz}, {bx, by, bz}, 0, params, 0});
  if (status == 0)
    status = call_hipGraphLaunch(t, exec, stream);
  return status;
}
