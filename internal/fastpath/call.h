/* What C and the Go exports hand to each other. */
#ifndef MGPU_FASTPATH_CALL_H
#define MGPU_FASTPATH_CALL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "layout.h"
#include "thread.h"
#include "mgpu_runtime.h"

#endif
