/* The C functions of the driver: those of table.h, and a few that Go calls itself. Calls are
 * made in the primary context of the calling thread's current device. */
#ifndef MGPU_CUDA_CALLS_H
#define MGPU_CUDA_CALLS_H

#include "context.h"

/* What package gpuapi calls. */
extern const struct api cuda_api;

/* cuda_init comes before all that is below. */
int32_t cuda_init(table *t);
struct given cuda_version(table *t);

struct given cuda_device_attribute(table *t, int device, uint32_t attribute);

/* opt below 0: the compiler's own default. What the compiler has to say comes as a
 * string in log. */
struct given cuda_compile_ptx(table *t, const char *text, int opt, char *log,
                              size_t log_bytes);

/* A cluster of 0, 0, 0 is none. */
int32_t cuda_launch_with(table *t, uintptr_t function, bool cooperative,
                         uint32_t cx, uint32_t cy, uint32_t cz, uint32_t gx,
                         uint32_t gy, uint32_t gz, uint32_t bx, uint32_t by,
                         uint32_t bz, uint32_t shared, uintptr_t stream,
                         uintptr_t params, uintptr_t extra);

/* Parameter i of a function: its offset above 32 bits of its size. */
struct given cuda_function_param(table *t, uintptr_t function, size_t i);

#endif
