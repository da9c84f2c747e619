#include "calls.h"

#include <stdlib.h>
#include <string.h>

#include "context.h"
#include "graph.h"

#define CALL_ROW(t, row, call) CALL(t, call)
#include "../gpuapi/calls.h"

static cuda_status missing(void) { return cuda_not_supported; }

static const char *error_name(table *t, cuda_status status) {
  const char *text = NULL;
  return t->cuGetErrorName(status, &text) == cuda_success ? text : NULL;
}

static const char *error_string(table *t, cuda_status status) {
  const char *text = NULL;
  return t->cuGetErrorString(status, &text) == cuda_success ? text : NULL;
}

int32_t cuda_init(table *t) { return blame(row_cuInit, t->cuInit(0)); }

struct given cuda_version(table *t) {
  int version = 0;
  cuda_status status = t->cuDriverGetVersion(&version);
  return given(blame(row_cuDriverGetVersion, status), (uintptr_t)version);
}

/* The first call after cuda_init. */
static struct given device_count(table *t) {
  int count = 0;
  cuda_status status = t->cuDeviceGetCount(&count);
  if (status == cuda_success && count > 0) {
    t->primary = calloc((size_t)count, sizeof *t->primary);
    if (t->primary == NULL)
      status = cuda_out_of_memory;
  }
  return given(blame(row_cuDeviceGetCount, status), (uintptr_t)count);
}

static bool device_name(table *t, int ordinal, char *name, int bytes) {
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

struct given cuda_module_compile(table *t, const char *text, int opt, char *log,
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

/* CUDA knows its modules: what a live one lacks is not found. */
static struct given module_has(table *t, uintptr_t module, uintptr_t name) {
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

static struct given place(table *t, uintptr_t ptr) {
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

static struct memory mem_info(table *t) {
  size_t available = 0, total = 0;
  cuda_status status = CALL(t, cuMemGetInfo_v2(&available, &total));
  return (struct memory){available, total, blame(row_cuMemGetInfo_v2, status)};
}

static struct extent extent(table *t, uintptr_t address) {
  CUdeviceptr base = 0;
  size_t bytes = 0;
  cuda_status status =
      CALL(t, cuMemGetAddressRange_v2(&base, &bytes, (CUdeviceptr)address));
  return (struct extent){(uintptr_t)base, bytes,
                         blame(row_cuMemGetAddressRange_v2, status)};
}

static int32_t device_synchronize(table *t) {
  return blame(row_cuCtxSynchronize, CALL(t, cuCtxSynchronize()));
}

/* A stream that is not ordered with the null stream. */
static struct given stream_create(table *t) {
  return call_cuStreamCreate(t, cuda_stream_non_blocking);
}

static struct given stream_capturing(table *t, uintptr_t stream) {
  cuda_enum capturing = cuda_not_capturing;
  cuda_status status =
      CALL(t, cuStreamIsCapturing((CUstream)stream, &capturing));
  return given(blame(row_cuStreamIsCapturing, status),
               capturing != cuda_not_capturing);
}

/* Destroying a stream ends its capture; one that has joined another's may go before that
 * ends. */
static struct given end_capture(table *t, uintptr_t stream) {
  (void)t, (void)stream;
  return given(cuda_success, 0);
}

/* By a function that the library calls for nothing else: cuMemAlloc's calls are the
 * program's. */
static struct given canary_alloc(table *t, uintptr_t bytes) {
  CUdeviceptr p = 0;
  size_t pitch = 0;
  cuda_status status = CALL(t, cuMemAllocPitch_v2(&p, &pitch, bytes, 1, 4));
  return given(blame(row_cuMemAllocPitch_v2, status), (uintptr_t)p);
}

/* Addresses are of the process: no context has to be current. */
static struct given memory_number(table *t, uintptr_t ptr) {
  uint64_t id = 0;
  cuda_status status =
      t->cuPointerGetAttribute(&id, cuda_pointer_buffer_id, (CUdeviceptr)ptr);
  return given(blame(row_cuPointerGetAttribute, status), id);
}

static struct given event_elapsed(table *t, uintptr_t from, uintptr_t to) {
  float ms = 0;
  cuda_status status =
      CALL(t, cuEventElapsedTime(&ms, (CUevent)from, (CUevent)to));
  return given(blame(row_cuEventElapsedTime, status),
               (uintptr_t)(int64_t)((double)ms * 1e6));
}

static struct given capture_mode(table *t, uintptr_t mode) {
  cuda_enum exchanged = (cuda_enum)mode;
  cuda_status status = CALL(t, cuThreadExchangeStreamCaptureMode(&exchanged));
  return given(blame(row_cuThreadExchangeStreamCaptureMode, status), exchanged);
}

/* What the compiler has to say is Go's to ask for: see cuda_module_compile. */
static struct given module_compile(table *t, uintptr_t source, uintptr_t opt) {
  char log[4096];
  return cuda_module_compile(t, (const char *)source, (int)opt, log,
                             sizeof log);
}

__attribute__((hot)) static int32_t
launch(uintptr_t driver, uintptr_t function, uint32_t gx, uint32_t gy,
       uint32_t gz, uint32_t bx, uint32_t by, uint32_t bz, uint32_t shared,
       uintptr_t stream, uintptr_t params, uintptr_t extra) {
  return call_cuLaunchKernel((table *)driver, function, gx, gy, gz, bx, by, bz,
                             shared, stream, params, extra);
}

const struct vendor cuda_vendor = {
#include "../gpuapi/entries.h"
    .missing = missing,
    .error_name = error_name,
    .error_string = error_string,
    .device_count = {device_count, row_cuDeviceGetCount},
    .device_name = device_name,
    .device_set = {cuda_device_set, row_cuDeviceGet},
    .device_get = {cuda_device_get, row_cuDeviceGet},
    .device_synchronize = {device_synchronize, row_cuCtxSynchronize},
    .mem_info = {mem_info, row_cuMemGetInfo_v2},
    .extent = {extent, row_cuMemGetAddressRange_v2},
    .stream_create = {stream_create, row_cuStreamCreate},
    .event_elapsed = {event_elapsed, row_cuEventElapsedTime},
    .stream_capturing = {stream_capturing, row_cuStreamIsCapturing},
    .end_capture = {end_capture, row_cuStreamIsCapturing},
    .canary_alloc = {canary_alloc, row_cuMemAllocPitch_v2},
    .memory_number = {memory_number, row_cuPointerGetAttribute},
    .capture_mode = {capture_mode, row_cuThreadExchangeStreamCaptureMode},
    .module_has = {module_has, row_cuModuleGetFunction},
    .place = {place, row_cuPointerGetAttribute},
    .launch = launch,
    .module_compile = module_compile,
    .graph_kernel = {cuda_graph_kernel, row_cuGraphAddKernelNode_v2},
    .graph_copy = {cuda_graph_copy, row_cuGraphAddMemcpyNode},
    .graph_fill = {cuda_graph_fill, row_cuGraphAddMemsetNode},
    .graph_empty = {cuda_graph_empty, row_cuGraphAddEmptyNode},
    .graph_set_kernel = {cuda_graph_set_kernel,
                         row_cuGraphExecKernelNodeSetParams_v2},
    .graph_set_copy = {cuda_graph_set_copy, row_cuGraphExecMemcpyNodeSetParams},
    .graph_set_fill = {cuda_graph_set_fill, row_cuGraphExecMemsetNodeSetParams},
    .launch_node = cuda_launch_node,
    .flags = {.event = cuda_event_disable_timing,
              .managed = cuda_attach_global,
              .registered = cuda_register_portable | cuda_register_devicemap},
    .status = {.no_device = cuda_no_device,
               .invalid_device = cuda_invalid_device,
               .invalid_value = cuda_invalid_value,
               .invalid_image = cuda_invalid_image,
               .not_found = cuda_not_found},
};
