/* Graphs, as calls.h has it for all else. */
#ifndef MGPU_HIP_GRAPH_H
#define MGPU_HIP_GRAPH_H

#include <stdbool.h>

#include "calls.h"

struct hip_value hip_graph_create(hip *h);
int32_t hip_graph_destroy(hip *h, uintptr_t graph);

/* Nodes; after: an array of n nodes. */
struct hip_value hip_graph_kernel(hip *h, uintptr_t graph,
                                  const uintptr_t *after, size_t n,
                                  uintptr_t function, uint32_t gx, uint32_t gy,
                                  uint32_t gz, uint32_t bx, uint32_t by,
                                  uint32_t bz, uint32_t shared,
                                  uintptr_t params, uintptr_t extra);
struct hip_value hip_graph_copy(hip *h, uintptr_t graph, const uintptr_t *after,
                                size_t n, uintptr_t dst, uintptr_t src,
                                uint64_t bytes);
struct hip_value hip_graph_fill(hip *h, uintptr_t graph, const uintptr_t *after,
                                size_t n, uintptr_t dst, uint32_t value,
                                uint32_t size, uint64_t count);
struct hip_value hip_graph_empty(hip *h, uintptr_t graph,
                                 const uintptr_t *after, size_t n);

struct hip_value hip_graph_instantiate(hip *h, uintptr_t graph);
int32_t hip_graph_launch(hip *h, uintptr_t exec, uintptr_t stream);
int32_t hip_graph_exec_destroy(hip *h, uintptr_t exec);

int32_t hip_graph_set_kernel(hip *h, uintptr_t exec, uintptr_t node,
                             uintptr_t function, uint32_t gx, uint32_t gy,
                             uint32_t gz, uint32_t bx, uint32_t by, uint32_t bz,
                             uint32_t shared, uintptr_t params,
                             uintptr_t extra);
int32_t hip_graph_set_copy(hip *h, uintptr_t exec, uintptr_t node,
                           uintptr_t dst, uintptr_t src, uint64_t bytes);
int32_t hip_graph_set_fill(hip *h, uintptr_t exec, uintptr_t node,
                           uintptr_t dst, uint32_t value, uint32_t size,
                           uint64_t count);

/* An attribute of the memory at an address. */
struct hip_value hip_pointer_attribute(hip *h, uint32_t attribute,
                                       uintptr_t ptr);

/* What hipStreamIsCapturing says. */
struct hip_value hip_stream_capturing(hip *h, uintptr_t stream);

/* Sets the calling thread's capture mode, and gives the one before. */
struct hip_value hip_capture_mode(hip *h, uint32_t mode);

/* Address of driver.DirectCalls' GraphLaunch. */
uintptr_t hip_direct_graph_launch(void);

#endif
