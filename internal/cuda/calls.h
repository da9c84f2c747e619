/* What Go calls: call_NAME for each such row of symbols.h, see internal/dl/table.h,
 * and the functions below. Calls are made in the primary context of the calling
 * thread's current device. */
#ifndef MGPU_CUDA_CALLS_H
#define MGPU_CUDA_CALLS_H

#include "types.h"

/* By device: the primary context, NULL until it is retained, which is once. */
#define STATE CUcontext *primary;
#include "../dl/table.h"

/* What stands in for a function that the driver lacks. */
cuda_status cuda_missing(void);

/* NULL where libcuda knows no name. */
const char *cuda_error_name(table *t, cuda_status status);
const char *cuda_error_string(table *t, cuda_status status);

/* cuda_init comes before all that is below, cuda_device_count second. */
int32_t cuda_init(table *t);
struct given cuda_version(table *t);
struct given cuda_device_count(table *t);

/* False where libcuda knows no name. */
bool cuda_device_name(table *t, int device, char *name, int bytes);
struct given cuda_device_attribute(table *t, int device, uint32_t attribute);

/* The calling thread's current device, 0 to begin with. */
int32_t cuda_set_device(table *t, int device);
int cuda_get_device(table *t);

struct given cuda_module_load(table *t, const void *image);
struct given cuda_module_function(table *t, uintptr_t module, const char *name);
/* opt below 0: the compiler's own default. What the compiler has to say comes as a
 * string in log. */
struct given cuda_module_compile(table *t, const char *text, int opt, char *log,
                                 size_t log_bytes);

/* A cluster of 0, 0, 0 is none. */
int32_t cuda_launch_with(table *t, uintptr_t function, bool cooperative,
                         uint32_t cx, uint32_t cy, uint32_t cz, uint32_t gx,
                         uint32_t gy, uint32_t gz, uint32_t bx, uint32_t by,
                         uint32_t bz, uint32_t shared, uintptr_t stream,
                         uintptr_t params, uintptr_t extra);

struct cuda_memory {
  uint64_t available, total;
  int32_t status;
};
struct cuda_memory cuda_memory(table *t);

int32_t cuda_wait_copied(table *t, uintptr_t stream);
int32_t cuda_device_synchronize(table *t);

/* driver.DirectCalls' LaunchKernel. */
int32_t cuda_launch(uintptr_t driver, uintptr_t function, uint32_t gx,
                    uint32_t gy, uint32_t gz, uint32_t bx, uint32_t by,
                    uint32_t bz, uint32_t shared, uintptr_t stream,
                    uintptr_t params, uintptr_t extra);

#endif
