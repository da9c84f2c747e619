/* Graphs, as calls.h has it for all else. */
#ifndef MGPU_HIP_GRAPH_H
#define MGPU_HIP_GRAPH_H

#include "calls.h"

/* Nodes; after: an array of n nodes. */
struct given hip_graph_kernel(table *t, uintptr_t graph, const uintptr_t *after,
                              size_t n, uintptr_t function, uint32_t gx,
                              uint32_t gy, uint32_t gz, uint32_t bx,
                              uint32_t by, uint32_t bz, uint32_t shared,
                              uintptr_t params, uintptr_t extra);
struct given hip_graph_copy(table *t, uintptr_t graph, const uintptr_t *after,
                            size_t n, uintptr_t dst, uintptr_t src,
                            uint64_t bytes);
struct given hip_graph_fill(table *t, uintptr_t graph, const uintptr_t *after,
                            size_t n, uintptr_t dst, uint32_t value,
                            uint32_t size, uint64_t count);
struct given hip_graph_empty(table *t, uintptr_t graph, const uintptr_t *after,
                             size_t n);

int32_t hip_graph_set_kernel(table *t, uintptr_t exec, uintptr_t node,
                             uintptr_t function, uint32_t gx, uint32_t gy,
                             uint32_t gz, uint32_t bx, uint32_t by, uint32_t bz,
                             uint32_t shared, uintptr_t params,
                             uintptr_t extra);
int32_t hip_graph_set_fill(table *t, uintptr_t exec, uintptr_t node,
                           uintptr_t dst, uint32_t value, uint32_t size,
                           uint64_t count);

/* An attribute of the memory at an address. */
struct given hip_pointer_attribute(table *t, uint32_t attribute, uintptr_t ptr);

/* What hipStreamIsCapturing says. */
struct given hip_stream_capturing(table *t, uintptr_t stream);

/* Sets the calling thread's capture mode, and gives the one before. */
struct given hip_capture_mode(table *t, uint32_t mode);

/* driver.DirectCalls' GraphLaunch. */
int32_t hip_graph_launch(uintptr_t driver, uintptr_t exec, uintptr_t node,
                         uintptr_t function, uint32_t gx, uint32_t gy,
                         uint32_t gz, uint32_t bx, uint32_t by, uint32_t bz,
                         uintptr_t stream, uintptr_t params, bool set);

#endif
