/* What Go calls: each function makes one call of libcuda through a table, in the
 * primary context of the calling thread's current device. Handles are integers on
 * this side, so that no Go pointer check takes them for pointers, and what a call
 * gives comes back by value, so that nothing escapes to Go's heap. Statuses are
 * libcuda's; where making the context current has failed, the row of the call to
 * blame is above its 16 bits. Every function may be called from any thread. */
#ifndef MGPU_CUDA_CALLS_H
#define MGPU_CUDA_CALLS_H

#include "types.h"

/* One open CUDA driver. Tables are never freed. */
typedef struct cuda cuda;

/* What a call came to, and what it gave: zero where it failed. */
struct cuda_value {
  uintptr_t value;
  int32_t status;
};

/* The rows of symbols.h. */
int cuda_rows(void);
const char *cuda_row_name(int row);
int cuda_row_required(int row);

/* A table in which every function is missing, and a function for one of its
 * rows; no call is made before the last is set. */
cuda *cuda_new(void);
void cuda_set(cuda *c, int row, uintptr_t function);

/* NULL where libcuda knows no name. */
const char *cuda_error_name(cuda *c, int32_t status);
const char *cuda_error_string(cuda *c, int32_t status);

/* cuda_init comes before everything below, cuda_device_count second. */
int32_t cuda_init(cuda *c);
struct cuda_value cuda_version(cuda *c);
struct cuda_value cuda_device_count(cuda *c);
int32_t cuda_device_name(cuda *c, int device, char *name, int bytes);
struct cuda_value cuda_device_attribute(cuda *c, int device,
                                        uint32_t attribute);

/* The calling thread's current device, 0 to begin with. */
int32_t cuda_set_device(cuda *c, int device);
int cuda_get_device(cuda *c);

struct cuda_value cuda_module_load(cuda *c, const void *image);
int32_t cuda_module_unload(cuda *c, uintptr_t module);
/* name need not end in a NUL, and may hold none. */
struct cuda_value cuda_module_function(cuda *c, uintptr_t module,
                                       const char *name, size_t bytes);
/* text need not end in a NUL. opt below 0: the compiler's own default. What the
 * compiler has to say comes as a string in log. */
struct cuda_value cuda_module_compile(cuda *c, const char *text, size_t bytes,
                                      int opt, char *log, size_t log_bytes);

struct cuda_value cuda_function_attribute(cuda *c, uint32_t attribute,
                                          uintptr_t function);
int32_t cuda_set_function_attribute(cuda *c, uintptr_t function,
                                    uint32_t attribute, int value);

int32_t cuda_launch(cuda *c, uintptr_t function, uint32_t gx, uint32_t gy,
                    uint32_t gz, uint32_t bx, uint32_t by, uint32_t bz,
                    uint32_t shared, uintptr_t stream, uintptr_t params,
                    uintptr_t extra);
int32_t cuda_launch_cooperative(cuda *c, uintptr_t function, uint32_t gx,
                                uint32_t gy, uint32_t gz, uint32_t bx,
                                uint32_t by, uint32_t bz, uint32_t shared,
                                uintptr_t stream, uintptr_t params);
/* A cluster of 0, 0, 0 is none. */
int32_t cuda_launch_with(cuda *c, uintptr_t function, int cooperative,
                         uint32_t cx, uint32_t cy, uint32_t cz, uint32_t gx,
                         uint32_t gy, uint32_t gz, uint32_t bx, uint32_t by,
                         uint32_t bz, uint32_t shared, uintptr_t stream,
                         uintptr_t params, uintptr_t extra);

struct cuda_value cuda_stream_create(cuda *c);
int32_t cuda_stream_destroy(cuda *c, uintptr_t stream);
int32_t cuda_stream_synchronize(cuda *c, uintptr_t stream);
int32_t cuda_stream_query(cuda *c, uintptr_t stream);
int32_t cuda_stream_wait_event(cuda *c, uintptr_t stream, uintptr_t event);

struct cuda_value cuda_event_create(cuda *c);
int32_t cuda_event_destroy(cuda *c, uintptr_t event);
int32_t cuda_event_record(cuda *c, uintptr_t event, uintptr_t stream);
int32_t cuda_event_synchronize(cuda *c, uintptr_t event);
int32_t cuda_event_query(cuda *c, uintptr_t event);

struct cuda_value cuda_malloc(cuda *c, uint64_t bytes);
struct cuda_value cuda_malloc_managed(cuda *c, uint64_t bytes);
int32_t cuda_free(cuda *c, uintptr_t ptr);
int32_t cuda_mem_info(cuda *c, uint64_t *available, uint64_t *total);
struct cuda_value cuda_host_malloc(cuda *c, uint64_t bytes);
int32_t cuda_host_free(cuda *c, uintptr_t ptr);
int32_t cuda_device_synchronize(cuda *c);
int32_t cuda_memcpy(cuda *c, uintptr_t dst, uintptr_t src, uint64_t bytes,
                    uintptr_t stream);
int32_t cuda_memset32(cuda *c, uintptr_t dst, uint32_t value, uint64_t count,
                      uintptr_t stream);
int32_t cuda_memset16(cuda *c, uintptr_t dst, uint16_t value, uint64_t count,
                      uintptr_t stream);
int32_t cuda_host_register(cuda *c, uintptr_t ptr, uint64_t bytes);
int32_t cuda_host_unregister(cuda *c, uintptr_t ptr);
struct cuda_value cuda_host_device_pointer(cuda *c, uintptr_t ptr);

int32_t cuda_encode_tiled(cuda *c, uintptr_t map, uint32_t type, uint32_t rank,
                          uintptr_t address, uintptr_t dims, uintptr_t strides,
                          uintptr_t box, uintptr_t element_strides,
                          uint32_t interleave, uint32_t swizzle,
                          uint32_t promotion, uint32_t fill);

/* Addresses of the waits that C makes by itself, in the form of
 * driver.Blocking's function: (table, handle, 0, 0, 0), or the arguments of the
 * call behind the table. What they return is the row
 * of the call that failed above 16 bits of its status. */
uintptr_t cuda_wait_stream_function(void);
uintptr_t cuda_wait_event_function(void);
uintptr_t cuda_wait_copy_function(void);
uintptr_t cuda_wait_free_function(void);
uintptr_t cuda_wait_device_function(void);

#endif
