#include "calls.h"

/* A query's "not ready" is no error, but HIP keeps it as the thread's last one,
 * where a program that asks for errors of its own would find it. */
static inline hip_status answered(table *t, hip_status status) {
  if (__builtin_expect(status == hip_not_ready, 0))
    (void)t->hipGetLastError();
  return status;
}

#define CALL(t, call) answered((t), (t)->call)
#include "../dl/calls.h"

hip_status hip_missing(void) { return hip_not_supported; }

const char *hip_error_name(table *t, hip_status status) {
  return t->hipGetErrorName(status);
}

const char *hip_error_string(table *t, hip_status status) {
  return t->hipGetErrorString(status);
}

bool hip_device_name(table *t, int device, char *name, int bytes) {
  return t->hipDeviceGetName(name, bytes, device) == hip_success;
}

struct given hip_module_load(table *t, const void *image) {
  return call_hipModuleLoadData(t, (uintptr_t)image);
}

struct given hip_module_function(table *t, uintptr_t module, const char *name) {
  return call_hipModuleGetFunction(t, module, (uintptr_t)name);
}

struct hip_memory hip_memory(table *t) {
  size_t available = 0, total = 0;
  hip_status status = t->hipMemGetInfo(&available, &total);
  return (struct hip_memory){available, total,
                             blame(row_hipMemGetInfo, status)};
}

int32_t hip_wait_copied(table *t, uintptr_t stream) {
  return blame(row_hipMemcpyAsync,
               t->hipStreamSynchronize((hipStream_t)stream));
}

int32_t hip_device_synchronize(table *t) {
  return blame(row_hipDeviceSynchronize, t->hipDeviceSynchronize());
}

int32_t hip_copy(table *t, uintptr_t dst, uintptr_t src, uintptr_t bytes,
                 uintptr_t stream) {
  return call_hipMemcpyAsync(t, dst, src, bytes, hip_copy_default, stream);
}

__attribute__((hot)) int32_t hip_launch(uintptr_t driver, uintptr_t function,
                                        uint32_t gx, uint32_t gy, uint32_t gz,
                                        uint32_t bx, uint32_t by, uint32_t bz,
                                        uint32_t shared, uintptr_t stream,
                                        uintptr_t params, uintptr_t extra) {
  return call_hipModuleLaunchKernel((table *)driver, function, gx, gy, gz, bx,
                                    by, bz, shared, stream, params, extra);
}
