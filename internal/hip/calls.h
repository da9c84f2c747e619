/* What Go calls: call_NAME for each such row of symbols.h, see internal/dl/table.h,
 * and the functions below. */
#ifndef MGPU_HIP_CALLS_H
#define MGPU_HIP_CALLS_H

#include "types.h"

#include "../dl/table.h"

/* What stands in for a function that the library lacks. */
hip_status hip_missing(void);

const char *hip_error_name(table *t, hip_status status);
const char *hip_error_string(table *t, hip_status status);

/* False where HIP knows no name. */
bool hip_device_name(table *t, int device, char *name, int bytes);

struct given hip_module_load(table *t, const void *image);
struct given hip_module_function(table *t, uintptr_t module, const char *name);

struct hip_memory {
  uint64_t available, total;
  int32_t status;
};
struct hip_memory hip_memory(table *t);

int32_t hip_wait_copied(table *t, uintptr_t stream);
int32_t hip_device_synchronize(table *t);
int32_t hip_copy(table *t, uintptr_t dst, uintptr_t src, uintptr_t bytes,
                 uintptr_t stream);

/* driver.DirectCalls' LaunchKernel. */
int32_t hip_launch(uintptr_t driver, uintptr_t function, uint32_t gx,
                   uint32_t gy, uint32_t gz, uint32_t bx, uint32_t by,
                   uint32_t bz, uint32_t shared, uintptr_t stream,
                   uintptr_t params, uintptr_t extra);

#endif
