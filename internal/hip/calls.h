/* What Go calls: each function makes one HIP call through a table. Handles are
 * integers on this side, so that no Go pointer check takes them for pointers,
 * and what a call gives comes back by value, so that nothing escapes to Go's heap.
 * Statuses are HIP's. Every function may be called from any thread. */
#ifndef MGPU_HIP_CALLS_H
#define MGPU_HIP_CALLS_H

#include "types.h"

/* One open HIP library. Tables are never freed. */
typedef struct hip hip;

/* What a call came to, and what it gave: zero where it failed. */
struct hip_value {
  uintptr_t value;
  int32_t status;
};

/* The rows of symbols.h. */
int hip_rows(void);
const char *hip_row_name(int row);
int hip_row_required(int row);

/* A table in which every function is missing, and a function for one of its
 * rows; no call is made before the last is set. */
hip *hip_new(void);
void hip_set(hip *h, int row, uintptr_t function);

const char *hip_error_name(hip *h, int32_t status);
const char *hip_error_string(hip *h, int32_t status);

struct hip_value hip_runtime_version(hip *h);
struct hip_value hip_device_count(hip *h);
int32_t hip_device_name(hip *h, int device, char *name, int bytes);
int32_t hip_set_device(hip *h, int device);
struct hip_value hip_get_device(hip *h);

/* name need not end in a NUL, and may hold none. */
struct hip_value hip_module_load(hip *h, const void *image);
int32_t hip_module_unload(hip *h, uintptr_t module);
struct hip_value hip_module_function(hip *h, uintptr_t module, const char *name,
                                     size_t bytes);

/* extra is ignored by cooperative launches: HIP has no place for it. */
int32_t hip_launch(hip *h, uintptr_t function, uint32_t gx, uint32_t gy,
                   uint32_t gz, uint32_t bx, uint32_t by, uint32_t bz,
                   uint32_t shared, uintptr_t stream, uintptr_t params,
                   uintptr_t extra);
int32_t hip_launch_cooperative(hip *h, uintptr_t function, uint32_t gx,
                               uint32_t gy, uint32_t gz, uint32_t bx,
                               uint32_t by, uint32_t bz, uint32_t shared,
                               uintptr_t stream, uintptr_t params);

struct hip_value hip_stream_create(hip *h);
int32_t hip_stream_destroy(hip *h, uintptr_t stream);
int32_t hip_stream_synchronize(hip *h, uintptr_t stream);
int32_t hip_stream_query(hip *h, uintptr_t stream);
int32_t hip_stream_wait_event(hip *h, uintptr_t stream, uintptr_t event);

struct hip_value hip_event_create(hip *h);
int32_t hip_event_destroy(hip *h, uintptr_t event);
int32_t hip_event_record(hip *h, uintptr_t event, uintptr_t stream);
int32_t hip_event_synchronize(hip *h, uintptr_t event);
int32_t hip_event_query(hip *h, uintptr_t event);

struct hip_value hip_malloc(hip *h, uint64_t bytes);
struct hip_value hip_malloc_managed(hip *h, uint64_t bytes);
int32_t hip_free(hip *h, uintptr_t ptr);
int32_t hip_mem_info(hip *h, uint64_t *available, uint64_t *total);
struct hip_value hip_host_malloc(hip *h, uint64_t bytes);
int32_t hip_host_free(hip *h, uintptr_t ptr);
int32_t hip_device_synchronize(hip *h);
int32_t hip_memcpy(hip *h, uintptr_t dst, uintptr_t src, uint64_t bytes,
                   uintptr_t stream);
int32_t hip_memset32(hip *h, uintptr_t dst, uint32_t value, uint64_t count,
                     uintptr_t stream);
int32_t hip_memset16(hip *h, uintptr_t dst, uint16_t value, uint64_t count,
                     uintptr_t stream);
int32_t hip_host_register(hip *h, uintptr_t ptr, uint64_t bytes);
int32_t hip_host_unregister(hip *h, uintptr_t ptr);
struct hip_value hip_host_device_pointer(hip *h, uintptr_t ptr);

/* Addresses of the waits that C makes by itself, in the form of
 * driver.Blocking's function: (table, handle, 0, 0, 0), or the arguments of the
 * call behind the table. What they return is the row
 * of the HIP call that was made above 16 bits of its status. */
uintptr_t hip_wait_stream_function(void);
uintptr_t hip_wait_event_function(void);
uintptr_t hip_wait_copy_function(void);
uintptr_t hip_wait_free_function(void);
uintptr_t hip_wait_device_function(void);

#endif
