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

/* A launch with clusters of workgroups. */
int32_t hip_launch_clusters(table *t, uintptr_t function, uint32_t cx,
                            uint32_t cy, uint32_t cz, uint32_t gx, uint32_t gy,
                            uint32_t gz, uint32_t bx, uint32_t by, uint32_t bz,
                            uint32_t shared, uintptr_t stream, uintptr_t params,
                            uintptr_t extra);

#endif
