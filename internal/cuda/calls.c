#include "calls.h"

#include <stdlib.h>
#include <string.h>

static cuda_status missing(void) { return cuda_not_supported; }

const char *cuda_error_name(table *t, cuda_status status) {
  const char *text = NULL;
  return t->cuGetErrorName(status, &text) == cuda_success ? text : NULL;
}

const char *cuda_error_string(table *t, cuda_status status) {
  const char *text = NULL;
  return t->cuGetErrorString(status, &text) == cuda_success ? text : NULL;
}

int32_t cuda_init(table *t) { return blame(row_cuInit, t->cuInit(0)); }

struct given cuda_version(table *t) {
  int version = 0;
  cuda_status status = t->cuDriverGetVersion(&version);
  return given(blame(row_cuDriverGetVersion, status), (uintptr_t)version);
}

/* Must come right after cuda_init. */
struct given cuda_device_count(table *t) {
  int count = 0;
  cuda_status status = t->cuDeviceGetCount(&count);
  if (status == cuda_success && count > 0) {
    t->state.primary = calloc((size_t)count, sizeof *t->state.primary);
    if (t->state.primary == NULL)
      status = cuda_out_of_memory;
  }
  return given(blame(row_cuDeviceGetCount, status), (uintptr_t)count);
}

bool cuda_device_name(table *t, int ordinal, char *name, int bytes) {
  CUdevice device = 0;
  return t->cuDeviceGet(&device, ordinal) == cuda_success &&
         t->cuDeviceGetName(name, bytes, device) == cuda_success;
}

struct given cuda_device_attribute(table *t, int ordinal, uint32_t attribute) {
  CUdevice device = 0;
  int value = 0;
  cuda_status status = t->cuDeviceGet(&device, ordinal);
  if (status == cuda_success)
    status = t->cuDeviceGetAttribute(&value, attribute, device);
  return given(blame(row_cuDeviceGetAttribute, status), (uintptr_t)value);
}

struct given cuda_compile_ptx(table *t, const char *text, int opt, char *log,
                              size_t log_bytes) {
  log[0] = 0;
  cuda_enum options[] = {cuda_jit_error_log, cuda_jit_error_log_bytes,
                         cuda_jit_optimization_level};
  void *values[] = {log, (void *)log_bytes, (void *)(uintptr_t)opt};
  return call_cuModuleLoadDataEx(t, (uintptr_t)text, opt < 0 ? 2 : 3,
                                 (uintptr_t)options, (uintptr_t)values);
}

int32_t cuda_launch_with(table *t, uintptr_t function, bool cooperative,
                         uint32_t cx, uint32_t cy, uint32_t cz, uint32_t gx,
                         uint32_t gy, uint32_t gz, uint32_t bx, uint32_t by,
                         uint32_t bz, uint32_t shared, uintptr_t stream,
                         uintptr_t params, uintptr_t extra) {
  struct cuda_launch_attribute attributes[3];
  memset(attributes, 0, sizeof attributes);
  unsigned count = 0;
  if (cx | cy | cz) {
    attributes[count].id = cuda_launch_cluster_attribute;
    attributes[count].value.dim.x = cx;
    attributes[count].value.dim.y = cy;
    attributes[count++].value.dim.z = cz;
    attributes[count].id = cuda_launch_policy_attribute;
    attributes[count++].value.number = cuda_policy_spread;
  }
  if (cooperative) {
    attributes[count].id = cuda_launch_cooperative_attribute;
    attributes[count++].value.number = 1;
  }
  struct cuda_launch_config config = {
      gx, gy, gz, bx, by, bz, shared, (CUstream)stream, attributes, count};
  return call_cuLaunchKernelEx(t, (uintptr_t)&config, function, params, extra);
}

struct given cuda_function_param(table *t, uintptr_t function, size_t i) {
  size_t offset = 0, size = 0;
  cuda_status status =
      CALL(t, cuFuncGetParamInfo((CUfunction)function, i, &offset, &size));
  return given(blame(row_cuFuncGetParamInfo, status),
               (uintptr_t)(offset << 32 | (size & UINT32_MAX)));
}

/* A module that exists but lacks the kernel gives another error than invalid handle. */
struct given cuda_module_has(table *t, uintptr_t module, uintptr_t name) {
  CUfunction function = NULL;
  cuda_status status = CALL(
      t, cuModuleGetFunction(&function, (CUmodule)module, (const char *)name));
  return given(cuda_success, status != cuda_invalid_handle);
}

static struct given pointer_attribute(table *t, uint32_t attribute,
                                      uintptr_t ptr) {
  unsigned value = 0;
  cuda_status status =
      CALL(t, cuPointerGetAttribute(&value, attribute, (CUdeviceptr)ptr));
  return given(blame(row_cuPointerGetAttribute, status), value);
}

struct given cuda_place(table *t, uintptr_t ptr) {
  struct given type = pointer_attribute(t, cuda_pointer_type, ptr);
  if ((type.status & 0xffff) == cuda_invalid_value)
    return given(cuda_success, place_pageable);
  if (type.status != cuda_success)
    return type;
  if (type.value == cuda_memory_host)
    return given(cuda_success, place_shared);
  struct given managed = pointer_attribute(t, cuda_pointer_managed, ptr);
  return given(cuda_success,
               managed.status == cuda_success && (uint8_t)managed.value != 0
                   ? place_shared
                   : place_device_only);
}

struct memory cuda_mem_info(table *t) {
  size_t available = 0, total = 0;
  cuda_status status = CALL(t, cuMemGetInfo_v2(&available, &total));
  return (struct memory){available, total, blame(row_cuMemGetInfo_v2, status)};
}

struct extent cuda_extent(table *t, uintptr_t address) {
  CUdeviceptr base = 0;
  size_t bytes = 0;
  cuda_status status =
      CALL(t, cuMemGetAddressRange_v2(&base, &bytes, (CUdeviceptr)address));
  return (struct extent){(uintptr_t)base, bytes,
                         blame(row_cuMemGetAddressRange_v2, status)};
}

int32_t cuda_device_synchronize(table *t) {
  return blame(row_cuCtxSynchronize, CALL(t, cuCtxSynchronize()));
}

/* Creates a stream that is not ordered with the null stream. */
struct given cuda_stream_create(table *t) {
  return call_cuStreamCreate(t, cuda_stream_non_blocking);
}

struct given cuda_stream_capturing(table *t, uintptr_t stream) {
  cuda_enum capturing = cuda_not_capturing;
  cuda_status status =
      CALL(t, cuStreamIsCapturing((CUstream)stream, &capturing));
  return given(blame(row_cuStreamIsCapturing, status),
               capturing != cuda_not_capturing);
}

/* Does nothing: the destruction of a stream ends its capture, and a stream that has joined
 * another's capture may be destroyed before that capture ends. */
struct given cuda_end_capture(table *t, uintptr_t stream) {
  (void)t, (void)stream;
  return given(cuda_success, 0);
}

/* Calls a function that the library uses for nothing else, so that all calls of cuMemAlloc are
 * made for the program. */
struct given cuda_canary_alloc(table *t, uintptr_t bytes) {
  CUdeviceptr p = 0;
  size_t pitch = 0;
  cuda_status status = CALL(t, cuMemAllocPitch_v2(&p, &pitch, bytes, 1, 4));
  return given(blame(row_cuMemAllocPitch_v2, status), (uintptr_t)p);
}

/* Needs no current context, since addresses are unique in the process. */
struct given cuda_memory_number(table *t, uintptr_t ptr) {
  uint64_t id = 0;
  cuda_status status =
      t->cuPointerGetAttribute(&id, cuda_pointer_buffer_id, (CUdeviceptr)ptr);
  return given(blame(row_cuPointerGetAttribute, status), id);
}

struct given cuda_event_elapsed(table *t, uintptr_t from, uintptr_t to) {
  float ms = 0;
  cuda_status status =
      CALL(t, cuEventElapsedTime(&ms, (CUevent)from, (CUevent)to));
  return given(blame(row_cuEventElapsedTime, status),
               (uintptr_t)(int64_t)((double)ms * 1e6));
}

struct given cuda_capture_mode(table *t, uintptr_t mode) {
  cuda_enum exchanged = (cuda_enum)mode;
  cuda_status status = CALL(t, cuThreadExchangeStreamCaptureMode(&exchanged));
  return given(blame(row_cuThreadExchangeStreamCaptureMode, status), exchanged);
}

/* Drops the compiler's log, which Go gets by another call of cuda_compile_ptx. */
struct given cuda_module_compile(table *t, uintptr_t source, uintptr_t opt) {
  char log[4096];
  return cuda_compile_ptx(t, (const char *)source, (int)opt, log, sizeof log);
}

__attribute__((hot)) int32_t cuda_launch(uintptr_t driver, uintptr_t function,
                                         uint32_t gx, uint32_t gy, uint32_t gz,
                                         uint32_t bx, uint32_t by, uint32_t bz,
                                         uint32_t shared, uintptr_t stream,
                                         uintptr_t params, uintptr_t extra) {
  table *t = (table *)driver;
  cuda_status status = CALL(
      t, cuLaunchKernel((CUfunction)function, gx, gy, gz, bx, by, bz, shared,
                        (CUstream)stream, (void **)params, (void **)extra));
  return blame(row_cuLaunchKernel, status);
}

const struct api cuda_api = {
    .symbols = cuda_symbols,
    .rows = rows,
    .missing = missing,
    .bytes = sizeof(table),
    .calls = &cuda_calls,
    .row = &cuda_rows,
    .flags = {.event = cuda_event_disable_timing,
              .managed = cuda_attach_global,
              .registered = cuda_register_portable | cuda_register_devicemap},
    .status = {.no_device = cuda_no_device,
               .invalid_device = cuda_invalid_device,
               .invalid_value = cuda_invalid_value,
               .invalid_image = cuda_invalid_image,
               .not_found = cuda_not_found},
};
