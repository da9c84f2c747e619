/* Graphs, as calls.h has it for all else. */
#ifndef MGPU_CUDA_GRAPH_H
#define MGPU_CUDA_GRAPH_H

#include "calls.h"

/* Nodes; after: an array of n nodes. */
struct given cuda_graph_kernel(table *t, uintptr_t graph,
                               const uintptr_t *after, size_t n,
                               uintptr_t function, uint32_t gx, uint32_t gy,
                               uint32_t gz, uint32_t bx, uint32_t by,
                               uint32_t bz, uint32_t shared, uintptr_t params,
                               uintptr_t extra);
struct given cuda_graph_copy(table *t, uintptr_t graph, const uintptr_t *after,
                             size_t n, uintptr_t dst, uintptr_t src,
                             uint64_t bytes);
struct given cuda_graph_fill(table *t, uintptr_t graph, const uintptr_t *after,
                             size_t n, uintptr_t dst, uint32_t value,
                             uint32_t size, uint64_t count);
struct given cuda_graph_empty(table *t, uintptr_t graph, const uintptr_t *after,
                              size_t n);

int32_t cuda_graph_set_kernel(table *t, uintptr_t exec, uintptr_t node,
                              uintptr_t function, uint32_t gx, uint32_t gy,
                              uint32_t gz, uint32_t bx, uint32_t by,
                              uint32_t bz, uint32_t shared, uintptr_t params,
                              uintptr_t extra);
int32_t cuda_graph_set_copy(table *t, uintptr_t exec, uintptr_t node,
                            uintptr_t dst, uintptr_t src, uint64_t bytes);
int32_t cuda_graph_set_fill(table *t, uintptr_t exec, uintptr_t node,
                            uintptr_t dst, uint32_t value, uint32_t size,
                            uint64_t count);

/* Parameter i of a function: its offset above 32 bits of its size. */
struct given cuda_function_param(table *t, uintptr_t function, size_t i);

/* An attribute of the memory at an address. */
struct given cuda_pointer_attribute(table *t, uint32_t attribute,
                                    uintptr_t ptr);

/* What cuStreamIsCapturing says. */
struct given cuda_stream_capturing(table *t, uintptr_t stream);

/* Sets the calling thread's capture mode, and gives the one before. */
struct given cuda_capture_mode(table *t, uint32_t mode);

/* driver.DirectCalls' GraphLaunch. */
int32_t cuda_graph_launch(uintptr_t driver, uintptr_t exec, uintptr_t node,
                          uintptr_t function, uint32_t gx, uint32_t gy,
                          uint32_t gz, uint32_t bx, uint32_t by, uint32_t bz,
                          uintptr_t stream, uintptr_t params, bool set);

#endif
