/* What C and the Go exports hand to each other. */
#ifndef MGPU_FASTPATH_CALL_H
#define MGPU_FASTPATH_CALL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "thread.h"
#include "mgpu_runtime.h"

/* mgpu.Launch; layout.go has Go compare the layouts. */
struct launch {
  uintptr_t function;
  int64_t cluster[3], grid[3], block[3];
  int32_t shared;
  uintptr_t stream;
  uintptr_t params, extra;
};

/* mgpu.Wait: a driver call that may block, which C makes outside Go. Seen from
 * Go's scheduler a call that blocks inside Go returns 15 us late. */
struct wait {
  uintptr_t fn;
  uintptr_t arg[5];
  uintptr_t handle;
  uint64_t count;
  int64_t start;
  uintptr_t row;
  uintptr_t record;
  uintptr_t submission;
};

#endif
