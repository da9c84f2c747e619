/* Structs that entry.c and the Go exports pass to each other. */
#ifndef MGPU_FASTPATH_CALL_H
#define MGPU_FASTPATH_CALL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "layout.h"
#include "thread.h"
#include "mgpu_runtime.h"

/* A region that a thread has begun, filled by goGraphBegin. */
struct region {
  uintptr_t id;     /* of the recording; 0: none began */
  bool records;     /* calls are recorded; otherwise made, and noted */
  uintptr_t replay; /* struct replay that its calls follow; 0: none */
};

#endif
