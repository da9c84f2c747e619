/* The C functions behind hip_vendor: call_NAME for each such row of symbols.h, see
 * internal/vendor/table.h. Of them, and of the functions below, Go calls a few itself. */
#ifndef MGPU_HIP_CALLS_H
#define MGPU_HIP_CALLS_H

#include "types.h"

#include "../vendor/table.h"

/* What package vendor calls. */
extern const struct vendor hip_vendor;

/* An attribute of the memory at an address. */
struct given hip_pointer_attribute(table *t, uint32_t attribute, uintptr_t ptr);

#endif
