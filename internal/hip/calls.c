#include "calls.h"

static hip_status missing(void) { return hip_not_supported; }

static bool keeps_errors(table *t) {
  return (void *)t->hipPeekAtLastError != (void *)missing;
}

hip_status hip_last_error(table *t) {
  return keeps_errors(t) ? t->hipPeekAtLastError() : hip_success;
}

/* Restores the thread's last error after a query. HIP 5 stores the result of the latest call
 * as the last error, and the program's latest call was another, successful one. HIP 7 stores
 * the latest failure, but never "not ready"; if the program had a failure before the query,
 * it must still find a failure. */
hip_status hip_answered(table *t, hip_status before, hip_status status) {
  bool kept = !keeps_errors(t) || t->hipPeekAtLastError() == status;
  if (kept && (before == hip_success || status == hip_not_ready))
    (void)t->hipGetLastError();
  return status;
}

const char *hip_error_name(table *t, hip_status status) {
  return t->hipGetErrorName(status);
}

const char *hip_error_string(table *t, hip_status status) {
  return t->hipGetErrorString(status);
}

bool hip_device_name(table *t, int device, char *name, int bytes) {
  return t->hipDeviceGetName(name, bytes, device) == hip_success;
}

struct memory hip_mem_info(table *t) {
  size_t available = 0, total = 0;
  hip_status status = ASK(t, hipMemGetInfo(&available, &total));
  return (struct memory){available, total, blame(row_hipMemGetInfo, status)};
}

struct extent hip_extent(table *t, uintptr_t address) {
  hipDeviceptr_t base = NULL;
  size_t bytes = 0;
  hip_status status =
      ASK(t, hipMemGetAddressRange(&base, &bytes, (hipDeviceptr_t)address));
  return (struct extent){(uintptr_t)base, bytes,
                         blame(row_hipMemGetAddressRange, status)};
}

int32_t hip_device_synchronize(table *t) {
  return blame(row_hipDeviceSynchronize, t->hipDeviceSynchronize());
}

int32_t hip_copy(table *t, uintptr_t dst, uintptr_t src, uintptr_t bytes,
                 uintptr_t stream) {
  return call_hipMemcpyAsync(t, dst, src, bytes, hip_copy_default, stream);
}

/* HIP finds no kernel in a module that is gone. A module without a known kernel counts as
 * present. */
struct given hip_module_has(table *t, uintptr_t module, uintptr_t name) {
  hipFunction_t function = NULL;
  const char *kernel = (const char *)name;
  hip_status status =
      ASK(t, hipModuleGetFunction(&function, (hipModule_t)module, kernel));
  return given(hip_success, status != hip_invalid_handle &&
                                (status != hip_not_found || *kernel == 0));
}

static struct given pointer_attribute(table *t, uint32_t attribute,
                                      uintptr_t ptr) {
  unsigned value = 0;
  hip_status status =
      ASK(t, hipPointerGetAttribute(&value, attribute, (hipDeviceptr_t)ptr));
  return given(blame(row_hipPointerGetAttribute, status), value);
}

/* Returns the place of memory that HIP has allocated or registered and that is not managed.
 * Since HIP 6 the numbers of the memory types are greater by one. */
static struct given place_by_type(table *t, uintptr_t ptr) {
  enum {
    unregistered,
    host,
    device,
    managed,
    unified_before = 4,
    unified = 11
  };
  struct given type = pointer_attribute(t, hip_pointer_type, ptr);
  if (type.status != hip_success)
    return type;
  switch (type.value + (t->state.version < first_renumbered)) {
  case unregistered:
    return given(hip_success, place_pageable);
  case device:
    return given(hip_success, place_device_only);
  case host:
  case managed:
  case unified_before:
  case unified:
    return given(hip_success, place_shared);
  }
  return given(blame(row_hipPointerGetAttribute, hip_not_supported), 0);
}

/* hipPointerGetAttribute fails for memory that HIP does not know. If a thread's last error
 * is its last failure, this failure replaces the program's. hipDrvPointerGetAttributes
 * succeeds for every address. */
struct given hip_place(table *t, uintptr_t ptr) {
  unsigned mapped = 0, managed = 0;
  hip_enum attributes[] = {hip_pointer_mapped, hip_pointer_managed};
  void *values[] = {&mapped, &managed};
  hip_status status = ASK(t, hipDrvPointerGetAttributes(2, attributes, values,
                                                        (hipDeviceptr_t)ptr));
  if (status != hip_success) {
    /* Before 6.2, HIP takes a pointer to pageable memory for a hipArray when it is asked for
     * the memory's type, and reads what the pointer points to. Every release can be asked
     * whether such memory is managed. */
    struct given asked = pointer_attribute(t, hip_pointer_managed, ptr);
    if ((asked.status & 0xffff) == hip_invalid_value)
      return given(hip_success, place_pageable);
    if (asked.status != hip_success)
      return asked;
    managed = (unsigned)asked.value;
    mapped = 1;
  }
  if ((uint8_t)managed)
    return given(hip_success, place_shared);
  return (uint8_t)mapped ? place_by_type(t, ptr)
                         : given(hip_success, place_pageable);
}

/* Attribute 4 of a launch; headers of HIP before 7.2 have no name for it. */
enum { cluster_dimension = 4 };

int32_t hip_launch_clusters(table *t, uintptr_t function, uint32_t cx,
                            uint32_t cy, uint32_t cz, uint32_t gx, uint32_t gy,
                            uint32_t gz, uint32_t bx, uint32_t by, uint32_t bz,
                            uint32_t shared, uintptr_t stream, uintptr_t params,
                            uintptr_t extra) {
  struct hip_launch_attribute cluster = {.id = cluster_dimension,
                                         .value.cluster = {cx, cy, cz}};
  struct hip_launch_config config = {
      .grid = {gx, gy, gz},
      .block = {bx, by, bz},
      .shared = shared,
      .stream = (hipStream_t)stream,
      .attributes = &cluster,
      .count = 1,
  };
  return call_hipDrvLaunchKernelEx(t, (uintptr_t)&config, function, params,
                                   extra);
}

struct given hip_event_elapsed(table *t, uintptr_t from, uintptr_t to) {
  float ms = 0;
  hip_status status =
      ASK(t, hipEventElapsedTime(&ms, (hipEvent_t)from, (hipEvent_t)to));
  return given(blame(row_hipEventElapsedTime, status),
               (uintptr_t)(int64_t)((double)ms * 1e6));
}

/* When a capture ends, HIP before 6 accesses the streams that have joined it, destroyed or
 * not. So only the stream on which the capture was begun may be destroyed during the
 * capture. */
struct given hip_end_capture(table *t, uintptr_t stream) {
  hipGraph_t captured = NULL;
  hip_status status =
      ASK(t, hipStreamEndCapture((hipStream_t)stream, &captured));
  if (status == hip_success && captured != NULL)
    (void)t->hipGraphDestroy(captured);
  return given(hip_success, status == hip_capture_unmatched);
}

/* Calls a function that the library uses for nothing else, so that all calls of hipMalloc
 * are made for the program. */
struct given hip_canary_alloc(table *t, uintptr_t bytes) {
  void *p = NULL;
  hip_status status = ASK(t, hipExtMallocWithFlags(&p, bytes, 0));
  return given(blame(row_hipExtMallocWithFlags, status), (uintptr_t)p);
}

/* HIP 5 stores the result of the latest call as the thread's last error. A failure here is
 * cleared. A success replaces the last error, where the program would find the result of
 * hipMalloc, which its call makes. */
struct given hip_memory_number(table *t, uintptr_t ptr) {
  uint64_t id = 0;
  hip_status status = t->hipPointerGetAttribute(&id, hip_pointer_buffer_id,
                                                (hipDeviceptr_t)ptr);
  if (__builtin_expect(status != hip_success, 0))
    (void)t->hipGetLastError();
  return given(blame(row_hipPointerGetAttribute, status), id);
}

struct given hip_capture_mode(table *t, uintptr_t mode) {
  hip_enum exchanged = (hip_enum)mode;
  hip_status status = ASK(t, hipThreadExchangeStreamCaptureMode(&exchanged));
  return given(blame(row_hipThreadExchangeStreamCaptureMode, status),
               exchanged);
}

/* HIP does not compile PTX. */
struct given hip_module_compile(table *t, uintptr_t source, uintptr_t opt) {
  (void)t, (void)source, (void)opt;
  return given(blame(row_hipModuleLoadData, hip_not_supported), 0);
}

__attribute__((hot)) int32_t hip_launch(uintptr_t driver, uintptr_t function,
                                        uint32_t gx, uint32_t gy, uint32_t gz,
                                        uint32_t bx, uint32_t by, uint32_t bz,
                                        uint32_t shared, uintptr_t stream,
                                        uintptr_t params, uintptr_t extra) {
  table *t = (table *)driver;
  hip_status status = t->hipModuleLaunchKernel(
      (hipFunction_t)function, gx, gy, gz, bx, by, bz, shared,
      (hipStream_t)stream, (void **)params, (void **)extra);
  return blame(row_hipModuleLaunchKernel, status);
}

const struct api hip_api = {
    .symbols = hip_symbols,
    .rows = rows,
    .missing = missing,
    .bytes = sizeof(table),
    .calls = &hip_calls,
    .row = &hip_rows,
    .flags = {.event = hip_event_disable_timing,
              .managed = hip_attach_global,
              .registered = hip_register_default},
    .status = {.no_device = hip_no_device,
               .invalid_device = hip_invalid_device,
               .invalid_value = hip_invalid_value,
               .invalid_image = hip_invalid_image,
               .not_found = hip_not_found},
};
