/* Graphs, as calls.h has it for all else. */
#ifndef MGPU_CUDA_GRAPH_H
#define MGPU_CUDA_GRAPH_H

#include <stdbool.h>

#include "calls.h"

struct cuda_value cuda_graph_create(cuda *c);
int32_t cuda_graph_destroy(cuda *c, uintptr_t graph);

/* Nodes; after: an array of n nodes. */
struct cuda_value cuda_graph_kernel(cuda *c, uintptr_t graph,
                                    const uintptr_t *after, size_t n,
                                    uintptr_t function, uint32_t gx,
                                    uint32_t gy, uint32_t gz, uint32_t bx,
                                    uint32_t by, uint32_t bz, uint32_t shared,
                                    uintptr_t params, uintptr_t extra);
struct cuda_value cuda_graph_copy(cuda *c, uintptr_t graph,
                                  const uintptr_t *after, size_t n,
                                  uintptr_t dst, uintptr_t src, uint64_t bytes);
struct cuda_value cuda_graph_fill(cuda *c, uintptr_t graph,
                                  const uintptr_t *after, size_t n,
                                  uintptr_t dst, uint32_t value, uint32_t size,
                                  uint64_t count);
struct cuda_value cuda_graph_empty(cuda *c, uintptr_t graph,
                                   const uintptr_t *after, size_t n);

struct cuda_value cuda_graph_instantiate(cuda *c, uintptr_t graph);
int32_t cuda_graph_launch(cuda *c, uintptr_t exec, uintptr_t stream);
int32_t cuda_graph_exec_destroy(cuda *c, uintptr_t exec);

int32_t cuda_graph_set_kernel(cuda *c, uintptr_t exec, uintptr_t node,
                              uintptr_t function, uint32_t gx, uint32_t gy,
                              uint32_t gz, uint32_t bx, uint32_t by,
                              uint32_t bz, uint32_t shared, uintptr_t params,
                              uintptr_t extra);
int32_t cuda_graph_set_copy(cuda *c, uintptr_t exec, uintptr_t node,
                            uintptr_t dst, uintptr_t src, uint64_t bytes);
int32_t cuda_graph_set_fill(cuda *c, uintptr_t exec, uintptr_t node,
                            uintptr_t dst, uint32_t value, uint32_t size,
                            uint64_t count);

/* Parameter i of a function: its offset above 32 bits of its size. */
struct cuda_value cuda_function_param(cuda *c, uintptr_t function, size_t i);

/* An attribute of the memory at an address. */
struct cuda_value cuda_pointer_attribute(cuda *c, uint32_t attribute,
                                         uintptr_t ptr);

/* What cuStreamIsCapturing says. */
struct cuda_value cuda_stream_capturing(cuda *c, uintptr_t stream);

/* Sets the calling thread's capture mode, and gives the one before. */
struct cuda_value cuda_capture_mode(cuda *c, uint32_t mode);

/* Address of driver.DirectCalls' GraphLaunch. */
uintptr_t cuda_direct_graph_launch(void);

#endif
