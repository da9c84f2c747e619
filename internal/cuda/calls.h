/* The C functions of the driver: those of table.h, and a few that Go calls directly. Calls
 * are made in the primary context of the calling thread's current device. */
#ifndef MGPU_CUDA_CALLS_H
#define MGPU_CUDA_CALLS_H

#include "context.h"

/* The functions for package gpuapi. */
extern const struct api cuda_api;

/* Must be called before all functions below. */
int32_t cuda_init(table *t);
struct given cuda_version(table *t);

struct given cuda_device_attribute(table *t, int device, uint32_t attribute);

/* A negative opt means the compiler's default. log receives the compiler's messages as a
 * string. */
struct given cuda_compile_ptx(table *t, const char *text, int opt, char *log,
                              size_t log_bytes);

/* A cluster of 0, 0, 0 means no clusters. */
int32_t cuda_launch_with(table *t, uintptr_t function, bool cooperative,
                         uint32_t cx, uint32_t cy, uint32_t cz, uint32_t gx,
                         uint32_t gy, uint32_t gz, uint32_t bx, uint32_t by,
                         uint32_t bz, uint32_t shared, uintptr_t stream,
                         uintptr_t params, uintptr_t extra);

/* Returns parameter i of a function: its offset in the upper 32 bits, its size in the lower
 * ones. */
struct given cuda_function_param(table *t, uintptr_t function, size_t i);

#endif
