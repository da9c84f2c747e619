/* The C functions of the driver: call_NAME for each such row of symbols.h, see
 * internal/vendor/table.h, and the functions below. */
#ifndef MGPU_HIP_CALLS_H
#define MGPU_HIP_CALLS_H

#include "types.h"

#include "../vendor/table.h"

/* What package vendor calls. */
extern const struct vendor hip_vendor;

/* An attribute of the memory at an address. */
struct given hip_pointer_attribute(table *t, uint32_t attribute, uintptr_t ptr);

#endif
