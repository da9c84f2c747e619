/* Graphs: the members of struct vendor of the same names. */
#ifndef MGPU_CUDA_GRAPH_H
#define MGPU_CUDA_GRAPH_H

#include "calls.h"

struct given cuda_graph_kernel(table *t NODE_PARAMETERS, struct kernel does);
struct given cuda_graph_copy(table *t NODE_PARAMETERS, uintptr_t dst,
                             uintptr_t src, uintptr_t bytes);
struct given cuda_graph_fill(table *t NODE_PARAMETERS, uintptr_t dst,
                             uintptr_t value, uintptr_t size, uintptr_t n);
struct given cuda_graph_empty(table *t NODE_PARAMETERS);

int32_t cuda_graph_set_kernel(table *t, uintptr_t exec, uintptr_t node,
                              struct kernel does);
int32_t cuda_graph_set_copy(table *t, uintptr_t exec, uintptr_t node,
                            uintptr_t dst, uintptr_t src, uintptr_t bytes);
int32_t cuda_graph_set_fill(table *t, uintptr_t exec, uintptr_t node,
                            uintptr_t dst, uintptr_t value, uintptr_t size,
                            uintptr_t n);

int32_t cuda_launch_node(uintptr_t driver, uintptr_t exec, uintptr_t node,
                         uintptr_t function, uint32_t gx, uint32_t gy,
                         uint32_t gz, uint32_t bx, uint32_t by, uint32_t bz,
                         uintptr_t stream, uintptr_t params, bool set);

#endif
