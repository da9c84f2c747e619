#include "table.h"

#include <stdlib.h>
#include <string.h>

static const struct row {
  const char *name;
  int required;
  size_t at;
} row[rows] = {
#define required 1
#define optional 0
#define SYMBOL(need, result, name, params) {#name, need, offsetof(hip, name)},
#include "symbols.h"
#undef SYMBOL
#undef required
#undef optional
};

/* What stands in for a missing function: it takes no argument that it would
 * have to know, and the calling convention lets it be called with some. */
static hip_status missing(void) { return hip_not_supported; }

int hip_rows(void) { return rows; }
const char *hip_row_name(int i) {
  return i >= 0 && i < rows ? row[i].name : "hip";
}
int hip_row_required(int i) { return row[i].required; }

/* Tables stay reachable from here: leak checkers don't see Go's memory. */
static hip *tables;

hip *hip_new(void) {
  hip *h = calloc(1, sizeof *h);
  if (h == NULL)
    return NULL;
  for (int i = 0; i < rows; i++)
    hip_set(h, i, (uintptr_t)missing);
  do
    h->next = __atomic_load_n(&tables, __ATOMIC_ACQUIRE);
  while (!__atomic_compare_exchange_n(&tables, &h->next, h, 0, __ATOMIC_RELEASE,
                                      __ATOMIC_RELAXED));
  return h;
}

void hip_set(hip *h, int i, uintptr_t function) {
  memcpy((char *)h + row[i].at, &function, sizeof function);
}

const char *hip_error_name(hip *h, int32_t status) {
  return h->hipGetErrorName((hip_status)status);
}
const char *hip_error_string(hip *h, int32_t status) {
  return h->hipGetErrorString((hip_status)status);
}

struct hip_value hip_runtime_version(hip *h) {
  int version = 0;
  hip_status status = h->hipRuntimeGetVersion(&version);
  return given(status, (uintptr_t)version);
}

struct hip_value hip_device_count(hip *h) {
  int count = 0;
  hip_status status = h->hipGetDeviceCount(&count);
  return given(status, count > 0 ? (uintptr_t)count : 0);
}

int32_t hip_device_name(hip *h, int device, char *name, int bytes) {
  return (int32_t)h->hipDeviceGetName(name, bytes, device);
}

int32_t hip_set_device(hip *h, int device) {
  return (int32_t)h->hipSetDevice(device);
}

struct hip_value hip_get_device(hip *h) {
  int device = 0;
  hip_status status = h->hipGetDevice(&device);
  return given(status, (uintptr_t)device);
}

struct hip_value hip_module_load(hip *h, const void *image) {
  hipModule_t module = NULL;
  hip_status status = h->hipModuleLoadData(&module, image);
  return given(status, (uintptr_t)module);
}

int32_t hip_module_unload(hip *h, uintptr_t module) {
  return (int32_t)h->hipModuleUnload((hipModule_t)module);
}

struct hip_value hip_module_function(hip *h, uintptr_t module, const char *name,
                                     size_t bytes) {
  char *text = malloc(bytes + 1);
  if (text == NULL)
    return given(hip_out_of_memory, 0);
  memcpy(text, name, bytes);
  text[bytes] = 0;
  hipFunction_t function = NULL;
  hip_status status =
      h->hipModuleGetFunction(&function, (hipModule_t)module, text);
  free(text);
  return given(status, (uintptr_t)function);
}

__attribute__((hot)) int32_t hip_launch(hip *h, uintptr_t function, uint32_t gx,
                                        uint32_t gy, uint32_t gz, uint32_t bx,
                                        uint32_t by, uint32_t bz,
                                        uint32_t shared, uintptr_t stream,
                                        uintptr_t params, uintptr_t extra) {
  return (int32_t)h->hipModuleLaunchKernel(
      (hipFunction_t)function, gx, gy, gz, bx, by, bz, shared,
      (hipStream_t)stream, (void **)params, (void **)extra);
}

int32_t hip_launch_cooperative(hip *h, uintptr_t function, uint32_t gx,
                               uint32_t gy, uint32_t gz, uint32_t bx,
                               uint32_t by, uint32_t bz, uint32_t shared,
                               uintptr_t stream, uintptr_t params) {
  return (int32_t)h->hipModuleLaunchCooperativeKernel(
      (hipFunction_t)function, gx, gy, gz, bx, by, bz, shared,
      (hipStream_t)stream, (void **)params);
}

/* A query's "not ready" is no error, but HIP keeps it as the thread's last one,
 * where a program that asks for errors of its own would find it. */
int32_t hip_queried(hip *h, hip_status status) {
  if (status == hip_not_ready)
    (void)h->hipGetLastError();
  return (int32_t)status;
}

struct hip_value hip_stream_create(hip *h) {
  hipStream_t stream = NULL;
  hip_status status = h->hipStreamCreate(&stream);
  return given(status, (uintptr_t)stream);
}

int32_t hip_stream_destroy(hip *h, uintptr_t stream) {
  return (int32_t)h->hipStreamDestroy((hipStream_t)stream);
}
int32_t hip_stream_synchronize(hip *h, uintptr_t stream) {
  return (int32_t)h->hipStreamSynchronize((hipStream_t)stream);
}
int32_t hip_stream_query(hip *h, uintptr_t stream) {
  return hip_queried(h, h->hipStreamQuery((hipStream_t)stream));
}
int32_t hip_stream_wait_event(hip *h, uintptr_t stream, uintptr_t event) {
  return (int32_t)h->hipStreamWaitEvent((hipStream_t)stream, (hipEvent_t)event,
                                        0);
}

struct hip_value hip_event_create(hip *h) {
  hipEvent_t event = NULL;
  hip_status status =
      h->hipEventCreateWithFlags(&event, hip_event_disable_timing);
  return given(status, (uintptr_t)event);
}

int32_t hip_event_destroy(hip *h, uintptr_t event) {
  return (int32_t)h->hipEventDestroy((hipEvent_t)event);
}
int32_t hip_event_record(hip *h, uintptr_t event, uintptr_t stream) {
  return (int32_t)h->hipEventRecord((hipEvent_t)event, (hipStream_t)stream);
}
int32_t hip_event_synchronize(hip *h, uintptr_t event) {
  return (int32_t)h->hipEventSynchronize((hipEvent_t)event);
}
int32_t hip_event_query(hip *h, uintptr_t event) {
  return hip_queried(h, h->hipEventQuery((hipEvent_t)event));
}

struct hip_value hip_malloc(hip *h, uint64_t bytes) {
  void *ptr = NULL;
  hip_status status = h->hipMalloc(&ptr, bytes);
  return given(status, (uintptr_t)ptr);
}

struct hip_value hip_malloc_managed(hip *h, uint64_t bytes) {
  void *ptr = NULL;
  hip_status status = h->hipMallocManaged(&ptr, bytes, hip_attach_global);
  return given(status, (uintptr_t)ptr);
}

int32_t hip_free(hip *h, uintptr_t ptr) {
  return (int32_t)h->hipFree((void *)ptr);
}

int32_t hip_mem_info(hip *h, uint64_t *available, uint64_t *total) {
  size_t a = 0, t = 0;
  hip_status status = h->hipMemGetInfo(&a, &t);
  *available = a;
  *total = t;
  return (int32_t)status;
}

struct hip_value hip_host_malloc(hip *h, uint64_t bytes) {
  void *ptr = NULL;
  hip_status status = h->hipHostMalloc(&ptr, bytes, hip_host_portable);
  return given(status, (uintptr_t)ptr);
}

int32_t hip_host_free(hip *h, uintptr_t ptr) {
  return (int32_t)h->hipHostFree((void *)ptr);
}

int32_t hip_device_synchronize(hip *h) {
  return (int32_t)h->hipDeviceSynchronize();
}

int32_t hip_memcpy(hip *h, uintptr_t dst, uintptr_t src, uint64_t bytes,
                   uintptr_t stream) {
  return (int32_t)h->hipMemcpyAsync((void *)dst, (const void *)src, bytes,
                                    hip_copy_default, (hipStream_t)stream);
}

int32_t hip_memset32(hip *h, uintptr_t dst, uint32_t value, uint64_t count,
                     uintptr_t stream) {
  return (int32_t)h->hipMemsetD32Async((hipDeviceptr_t)dst, (int)value, count,
                                       (hipStream_t)stream);
}

int32_t hip_memset16(hip *h, uintptr_t dst, uint16_t value, uint64_t count,
                     uintptr_t stream) {
  return (int32_t)h->hipMemsetD16Async((hipDeviceptr_t)dst, value, count,
                                       (hipStream_t)stream);
}

int32_t hip_host_register(hip *h, uintptr_t ptr, uint64_t bytes) {
  return (int32_t)h->hipHostRegister((void *)ptr, bytes, hip_register_default);
}

int32_t hip_host_unregister(hip *h, uintptr_t ptr) {
  return (int32_t)h->hipHostUnregister((void *)ptr);
}

struct hip_value hip_host_device_pointer(hip *h, uintptr_t ptr) {
  void *device = NULL;
  hip_status status = h->hipHostGetDevicePointer(&device, (void *)ptr, 0);
  return given(status, (uintptr_t)device);
}

static int32_t waited(int i, hip_status status) {
  return status == hip_success
             ? 0
             : (int32_t)((unsigned)i << 16 | (status & 0xffff));
}

__attribute__((hot)) static int32_t wait_stream(uintptr_t h, uintptr_t stream,
                                                uintptr_t unused2,
                                                uintptr_t unused3,
                                                uintptr_t unused4) {
  (void)unused2, (void)unused3, (void)unused4;
  return waited(row_hipStreamSynchronize,
                ((hip *)h)->hipStreamSynchronize((hipStream_t)stream));
}

static int32_t wait_event(uintptr_t h, uintptr_t event, uintptr_t unused2,
                          uintptr_t unused3, uintptr_t unused4) {
  (void)unused2, (void)unused3, (void)unused4;
  return waited(row_hipEventSynchronize,
                ((hip *)h)->hipEventSynchronize((hipEvent_t)event));
}

static int32_t wait_copy(uintptr_t h, uintptr_t dst, uintptr_t src,
                         uintptr_t bytes, uintptr_t stream) {
  return waited(row_hipMemcpyAsync,
                (hip_status)hip_memcpy((hip *)h, dst, src, bytes, stream));
}

static int32_t wait_free(uintptr_t h, uintptr_t ptr, uintptr_t unused2,
                         uintptr_t unused3, uintptr_t unused4) {
  (void)unused2, (void)unused3, (void)unused4;
  return waited(row_hipFree, (hip_status)hip_free((hip *)h, ptr));
}

static int32_t wait_device(uintptr_t h, uintptr_t unused1, uintptr_t unused2,
                           uintptr_t unused3, uintptr_t unused4) {
  (void)unused1, (void)unused2, (void)unused3, (void)unused4;
  return waited(row_hipDeviceSynchronize, ((hip *)h)->hipDeviceSynchronize());
}

uintptr_t hip_wait_stream_function(void) { return (uintptr_t)wait_stream; }
uintptr_t hip_wait_event_function(void) { return (uintptr_t)wait_event; }
uintptr_t hip_wait_copy_function(void) { return (uintptr_t)wait_copy; }
uintptr_t hip_wait_free_function(void) { return (uintptr_t)wait_free; }
uintptr_t hip_wait_device_function(void) { return (uintptr_t)wait_device; }
