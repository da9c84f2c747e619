#include "calls.h"

#include <stdlib.h>
#include <string.h>

#include "context.h"

#include "../dl/calls.h"

cuda_status cuda_missing(void) { return cuda_not_supported; }

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

struct given cuda_device_count(table *t) {
  int count = 0;
  cuda_status status = t->cuDeviceGetCount(&count);
  if (status == cuda_success && count > 0) {
    t->primary = calloc((size_t)count, sizeof *t->primary);
    if (t->primary == NULL)
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

struct given cuda_module_load(table *t, const void *image) {
  return call_cuModuleLoadData(t, (uintptr_t)image);
}

struct given cuda_module_function(table *t, uintptr_t module,
                                  const char *name) {
  return call_cuModuleGetFunction(t, module, (uintptr_t)name);
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

struct cuda_memory cuda_memory(table *t) {
  size_t available = 0, total = 0;
  cuda_status status = CALL(t, cuMemGetInfo_v2(&available, &total));
  return (struct cuda_memory){available, total,
                              blame(row_cuMemGetInfo_v2, status)};
}

int32_t cuda_wait_copied(table *t, uintptr_t stream) {
  return blame(row_cuMemcpyAsync,
               CALL(t, cuStreamSynchronize((CUstream)stream)));
}

int32_t cuda_device_synchronize(table *t) {
  return blame(row_cuCtxSynchronize, CALL(t, cuCtxSynchronize()));
}

__attribute__((hot)) int32_t cuda_launch(uintptr_t driver, uintptr_t function,
                                         uint32_t gx, uint32_t gy, uint32_t gz,
                                         uint32_t bx, uint32_t by, uint32_t bz,
                                         uint32_t shared, uintptr_t stream,
                                         uintptr_t params, uintptr_t extra) {
  return call_cuLaunchKernel((table *)driver, function, gx, gy, gz, bx, by, bz,
                             shared, stream, params, extra);
}
