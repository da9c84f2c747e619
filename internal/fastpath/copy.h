/* Copies and fills without entering Go. */
#ifndef MGPU_FASTPATH_COPY_H
#define MGPU_FASTPATH_COPY_H

#include <stdbool.h>
#include <stdint.h>

#include "thread.h"

/* Make a call of the ABI. Return false if Go has to make it. */
bool copy_memory(uintptr_t dst, uintptr_t src, uint64_t bytes,
                 uintptr_t stream);
bool copy_value(enum call call, uintptr_t dst, uint32_t value, uint64_t count,
                uintptr_t stream);

#endif
