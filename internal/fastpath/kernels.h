/* How often each kernel was launched in each shape, if calls are timed. */
#ifndef MGPU_FASTPATH_KERNELS_H
#define MGPU_FASTPATH_KERNELS_H

#include <stdbool.h>
#include <stdint.h>

#include "launch.h"

/* Launches of one kernel in one shape by one thread. Only that thread writes. */
struct kernel_row {
  struct kernel_row *next; /* next of all rows */
  struct kernel_row *same; /* next of the thread's rows in the same bucket */
  uintptr_t function;      /* 0: all kernels and shapes without a row */
  struct dim3 grid, block;
  uint64_t launches, by_graph; /* by_graph: of these by one-node graphs */
};

/* Counts a launch by the calling thread. */
void kernels_count(const struct launch *l, bool by_graph);

/* Returns the first of all rows, linked by next. */
struct kernel_row *kernels_all(void);

#endif
