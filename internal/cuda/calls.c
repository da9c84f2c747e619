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
#define SYMBOL(need, result, name, params) {#name, need, offsetof(cuda, name)},
#include "symbols.h"
#undef SYMBOL
#undef required
#undef optional
};

/* What stands in for a missing function: it takes no argument that it would
 * have to know, and the calling convention lets it be called with some. */
static cuda_status missing(void) { return cuda_not_supported; }

int cuda_rows(void) { return rows; }
const char *cuda_row_name(int i) {
  return i >= 0 && i < rows ? row[i].name : "cuda";
}
int cuda_row_required(int i) { return row[i].required; }

/* Tables stay reachable from here: leak checkers don't see Go's memory. */
static cuda *tables;

cuda *cuda_new(void) {
  cuda *c = calloc(1, sizeof *c);
  if (c == NULL)
    return NULL;
  pthread_mutex_init(&c->retaining, NULL);
  for (int i = 0; i < rows; i++)
    cuda_set(c, i, (uintptr_t)missing);
  do
    c->next = __atomic_load_n(&tables, __ATOMIC_ACQUIRE);
  while (!__atomic_compare_exchange_n(&tables, &c->next, c, 0, __ATOMIC_RELEASE,
                                      __ATOMIC_RELAXED));
  return c;
}

void cuda_set(cuda *c, int i, uintptr_t function) {
  memcpy((char *)c + row[i].at, &function, sizeof function);
}

const char *cuda_error_name(cuda *c, int32_t status) {
  const char *text = NULL;
  return c->cuGetErrorName((cuda_status)status, &text) == cuda_success ? text
                                                                       : NULL;
}

const char *cuda_error_string(cuda *c, int32_t status) {
  const char *text = NULL;
  return c->cuGetErrorString((cuda_status)status, &text) == cuda_success ? text
                                                                         : NULL;
}

int32_t cuda_init(cuda *c) { return (int32_t)c->cuInit(0); }

struct cuda_value cuda_version(cuda *c) {
  int version = 0;
  cuda_status status = c->cuDriverGetVersion(&version);
  return given(status, (uintptr_t)version);
}

struct cuda_value cuda_device_count(cuda *c) {
  int count = 0;
  cuda_status status = c->cuDeviceGetCount(&count);
  if (status != cuda_success || count <= 0)
    return given(status, 0);
  c->primary = calloc((size_t)count, sizeof *c->primary);
  if (c->primary == NULL)
    return given(cuda_out_of_memory, 0);
  c->devices = count;
  return given(status, (uintptr_t)count);
}

int32_t cuda_device_name(cuda *c, int ordinal, char *name, int bytes) {
  CUdevice device = 0;
  cuda_status status = c->cuDeviceGet(&device, ordinal);
  return (int32_t)(status == cuda_success
                       ? c->cuDeviceGetName(name, bytes, device)
                       : status);
}

struct cuda_value cuda_device_attribute(cuda *c, int ordinal,
                                        uint32_t attribute) {
  CUdevice device = 0;
  int value = 0;
  cuda_status status = c->cuDeviceGet(&device, ordinal);
  if (status == cuda_success)
    status = c->cuDeviceGetAttribute(&value, attribute, device);
  return given(status, (uintptr_t)value);
}

/* What the calling thread has chosen, and the context that was made current on
 * it for that. libcuda itself knows no current device. */
static __thread struct {
  const cuda *driver;
  int device;
  CUcontext bound;
} thread __attribute__((tls_model("initial-exec")));

static void adopt(const cuda *c) {
  if (__builtin_expect(thread.driver == c, 1))
    return;
  thread.driver = c;
  thread.device = 0;
  thread.bound = NULL;
}

int32_t cuda_set_device(cuda *c, int device) {
  CUdevice found = 0;
  cuda_status status = c->cuDeviceGet(&found, device);
  if (status != cuda_success)
    return (int32_t)status;
  adopt(c);
  thread.device = device;
  return cuda_success;
}

int cuda_get_device(cuda *c) {
  adopt(c);
  return thread.device;
}

/* The primary context of a device, retained by the first who asks. */
static cuda_status retain(cuda *c, int ordinal, CUcontext *context) {
  *context = __atomic_load_n(&c->primary[ordinal], __ATOMIC_ACQUIRE);
  if (__builtin_expect(*context != NULL, 1))
    return cuda_success;
  pthread_mutex_lock(&c->retaining);
  cuda_status status = cuda_success;
  *context = __atomic_load_n(&c->primary[ordinal], __ATOMIC_RELAXED);
  if (*context == NULL) {
    CUdevice device = 0;
    status = c->cuDeviceGet(&device, ordinal);
    if (status == cuda_success)
      status = blame(row_cuDevicePrimaryCtxRetain,
                     c->cuDevicePrimaryCtxRetain(context, device));
    if (status == cuda_success)
      __atomic_store_n(&c->primary[ordinal], *context, __ATOMIC_RELEASE);
  }
  pthread_mutex_unlock(&c->retaining);
  return status;
}

/* Makes the context of the thread's device current. It stays so afterwards if
 * the thread had none, or one that was bound here; a context that the program
 * has made current comes back with leave. */
cuda_status cuda_enter(cuda *c, int *pushed) {
  *pushed = 0;
  adopt(c);
  CUcontext wanted = NULL, now = NULL;
  cuda_status status = retain(c, thread.device, &wanted);
  if (status != cuda_success)
    return status;
  status = c->cuCtxGetCurrent(&now);
  if (__builtin_expect(status == cuda_success && now == wanted, 1))
    return cuda_success;
  if (status != cuda_success)
    return blame(row_cuCtxGetCurrent, status);
  if (now != NULL && now != thread.bound) {
    *pushed = 1;
    return blame(row_cuCtxPushCurrent_v2, c->cuCtxPushCurrent_v2(wanted));
  }
  status = c->cuCtxSetCurrent(wanted);
  if (status == cuda_success)
    thread.bound = wanted;
  return blame(row_cuCtxSetCurrent, status);
}

void cuda_leave(cuda *c, int pushed) {
  CUcontext popped;
  if (__builtin_expect(pushed, 0))
    (void)c->cuCtxPopCurrent_v2(&popped);
}

struct cuda_value cuda_module_load(cuda *c, const void *image) {
  CUmodule module = NULL;
  cuda_status status = IN_CONTEXT(c, cuModuleLoadData(&module, image));
  return given(status, (uintptr_t)module);
}

int32_t cuda_module_unload(cuda *c, uintptr_t module) {
  return (int32_t)IN_CONTEXT(c, cuModuleUnload((CUmodule)module));
}

/* A copy of text that ends in a NUL. */
static char *terminated(const char *text, size_t bytes) {
  char *copy = malloc(bytes + 1);
  if (copy == NULL)
    return NULL;
  memcpy(copy, text, bytes);
  copy[bytes] = 0;
  return copy;
}

struct cuda_value cuda_module_function(cuda *c, uintptr_t module,
                                       const char *name, size_t bytes) {
  char *text = terminated(name, bytes);
  if (text == NULL)
    return given(cuda_out_of_memory, 0);
  CUfunction function = NULL;
  cuda_status status =
      IN_CONTEXT(c, cuModuleGetFunction(&function, (CUmodule)module, text));
  free(text);
  return given(status, (uintptr_t)function);
}

struct cuda_value cuda_module_compile(cuda *c, const char *text, size_t bytes,
                                      int opt, char *log, size_t log_bytes) {
  log[0] = 0;
  char *source = terminated(text, bytes);
  if (source == NULL)
    return given(cuda_out_of_memory, 0);
  cuda_enum options[] = {cuda_jit_error_log, cuda_jit_error_log_bytes,
                         cuda_jit_optimization_level};
  void *values[] = {log, (void *)log_bytes, (void *)(uintptr_t)opt};
  CUmodule module = NULL;
  cuda_status status = IN_CONTEXT(
      c, cuModuleLoadDataEx(&module, source, opt < 0 ? 2 : 3, options, values));
  free(source);
  return given(status, (uintptr_t)module);
}

struct cuda_value cuda_function_attribute(cuda *c, uint32_t attribute,
                                          uintptr_t function) {
  int value = 0;
  cuda_status status = IN_CONTEXT(
      c, cuFuncGetAttribute(&value, attribute, (CUfunction)function));
  return given(status, (uintptr_t)value);
}

int32_t cuda_set_function_attribute(cuda *c, uintptr_t function,
                                    uint32_t attribute, int value) {
  return (int32_t)IN_CONTEXT(
      c, cuFuncSetAttribute((CUfunction)function, attribute, value));
}

__attribute__((hot)) int32_t cuda_launch(cuda *c, uintptr_t function,
                                         uint32_t gx, uint32_t gy, uint32_t gz,
                                         uint32_t bx, uint32_t by, uint32_t bz,
                                         uint32_t shared, uintptr_t stream,
                                         uintptr_t params, uintptr_t extra) {
  return (int32_t)IN_CONTEXT(
      c, cuLaunchKernel((CUfunction)function, gx, gy, gz, bx, by, bz, shared,
                        (CUstream)stream, (void **)params, (void **)extra));
}

int32_t cuda_launch_cooperative(cuda *c, uintptr_t function, uint32_t gx,
                                uint32_t gy, uint32_t gz, uint32_t bx,
                                uint32_t by, uint32_t bz, uint32_t shared,
                                uintptr_t stream, uintptr_t params) {
  return (int32_t)IN_CONTEXT(
      c, cuLaunchCooperativeKernel((CUfunction)function, gx, gy, gz, bx, by, bz,
                                   shared, (CUstream)stream, (void **)params));
}

int32_t cuda_launch_with(cuda *c, uintptr_t function, int cooperative,
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
  return (int32_t)IN_CONTEXT(
      c, cuLaunchKernelEx((const CUlaunchConfig *)&config, (CUfunction)function,
                          (void **)params, (void **)extra));
}

struct cuda_value cuda_stream_create(cuda *c) {
  CUstream stream = NULL;
  cuda_status status =
      IN_CONTEXT(c, cuStreamCreate(&stream, cuda_stream_non_blocking));
  return given(status, (uintptr_t)stream);
}

int32_t cuda_stream_destroy(cuda *c, uintptr_t stream) {
  return (int32_t)IN_CONTEXT(c, cuStreamDestroy_v2((CUstream)stream));
}
int32_t cuda_stream_synchronize(cuda *c, uintptr_t stream) {
  return (int32_t)IN_CONTEXT(c, cuStreamSynchronize((CUstream)stream));
}
int32_t cuda_stream_query(cuda *c, uintptr_t stream) {
  return (int32_t)IN_CONTEXT(c, cuStreamQuery((CUstream)stream));
}
int32_t cuda_stream_wait_event(cuda *c, uintptr_t stream, uintptr_t event) {
  return (int32_t)IN_CONTEXT(
      c, cuStreamWaitEvent((CUstream)stream, (CUevent)event, 0));
}

struct cuda_value cuda_event_create(cuda *c) {
  CUevent event = NULL;
  cuda_status status =
      IN_CONTEXT(c, cuEventCreate(&event, cuda_event_disable_timing));
  return given(status, (uintptr_t)event);
}

int32_t cuda_event_destroy(cuda *c, uintptr_t event) {
  return (int32_t)IN_CONTEXT(c, cuEventDestroy_v2((CUevent)event));
}
int32_t cuda_event_record(cuda *c, uintptr_t event, uintptr_t stream) {
  return (int32_t)IN_CONTEXT(c,
                             cuEventRecord((CUevent)event, (CUstream)stream));
}
int32_t cuda_event_synchronize(cuda *c, uintptr_t event) {
  return (int32_t)IN_CONTEXT(c, cuEventSynchronize((CUevent)event));
}
int32_t cuda_event_query(cuda *c, uintptr_t event) {
  return (int32_t)IN_CONTEXT(c, cuEventQuery((CUevent)event));
}

struct cuda_value cuda_malloc(cuda *c, uint64_t bytes) {
  CUdeviceptr ptr = 0;
  cuda_status status = IN_CONTEXT(c, cuMemAlloc_v2(&ptr, bytes));
  return given(status, (uintptr_t)ptr);
}

struct cuda_value cuda_malloc_managed(cuda *c, uint64_t bytes) {
  CUdeviceptr ptr = 0;
  cuda_status status =
      IN_CONTEXT(c, cuMemAllocManaged(&ptr, bytes, cuda_attach_global));
  return given(status, (uintptr_t)ptr);
}

int32_t cuda_free(cuda *c, uintptr_t ptr) {
  return (int32_t)IN_CONTEXT(c, cuMemFree_v2(ptr));
}

int32_t cuda_mem_info(cuda *c, uint64_t *available, uint64_t *total) {
  size_t a = 0, t = 0;
  cuda_status status = IN_CONTEXT(c, cuMemGetInfo_v2(&a, &t));
  *available = a;
  *total = t;
  return (int32_t)status;
}

struct cuda_value cuda_host_malloc(cuda *c, uint64_t bytes) {
  void *ptr = NULL;
  cuda_status status = IN_CONTEXT(
      c, cuMemHostAlloc(&ptr, bytes, cuda_host_portable | cuda_host_devicemap));
  return given(status, (uintptr_t)ptr);
}

int32_t cuda_host_free(cuda *c, uintptr_t ptr) {
  return (int32_t)IN_CONTEXT(c, cuMemFreeHost((void *)ptr));
}

int32_t cuda_device_synchronize(cuda *c) {
  return (int32_t)IN_CONTEXT(c, cuCtxSynchronize());
}

int32_t cuda_memcpy(cuda *c, uintptr_t dst, uintptr_t src, uint64_t bytes,
                    uintptr_t stream) {
  return (int32_t)IN_CONTEXT(c,
                             cuMemcpyAsync(dst, src, bytes, (CUstream)stream));
}
int32_t cuda_memset32(cuda *c, uintptr_t dst, uint32_t value, uint64_t count,
                      uintptr_t stream) {
  return (int32_t)IN_CONTEXT(
      c, cuMemsetD32Async(dst, value, count, (CUstream)stream));
}
int32_t cuda_memset16(cuda *c, uintptr_t dst, uint16_t value, uint64_t count,
                      uintptr_t stream) {
  return (int32_t)IN_CONTEXT(
      c, cuMemsetD16Async(dst, value, count, (CUstream)stream));
}

int32_t cuda_host_register(cuda *c, uintptr_t ptr, uint64_t bytes) {
  return (int32_t)IN_CONTEXT(
      c,
      cuMemHostRegister_v2((void *)ptr, bytes,
                           cuda_register_portable | cuda_register_devicemap));
}
int32_t cuda_host_unregister(cuda *c, uintptr_t ptr) {
  return (int32_t)IN_CONTEXT(c, cuMemHostUnregister((void *)ptr));
}

struct cuda_value cuda_host_device_pointer(cuda *c, uintptr_t ptr) {
  CUdeviceptr device = 0;
  cuda_status status =
      IN_CONTEXT(c, cuMemHostGetDevicePointer_v2(&device, (void *)ptr, 0));
  return given(status, (uintptr_t)device);
}

int32_t cuda_encode_tiled(cuda *c, uintptr_t map, uint32_t type, uint32_t rank,
                          uintptr_t address, uintptr_t dims, uintptr_t strides,
                          uintptr_t box, uintptr_t element_strides,
                          uint32_t interleave, uint32_t swizzle,
                          uint32_t promotion, uint32_t fill) {
  return (int32_t)IN_CONTEXT(
      c, cuTensorMapEncodeTiled(
             (CUtensorMap *)map, type, rank, (void *)address,
             (const uint64_t *)dims, (const uint64_t *)strides,
             (const uint32_t *)box, (const uint32_t *)element_strides,
             interleave, swizzle, promotion, fill));
}

static int32_t waited(int i, cuda_status status) {
  return (int32_t)(status >> 16 ? status : blame(i, status));
}

__attribute__((hot)) static int32_t wait_stream(uintptr_t c, uintptr_t stream,
                                                uintptr_t unused2,
                                                uintptr_t unused3,
                                                uintptr_t unused4) {
  (void)unused2, (void)unused3, (void)unused4;
  return waited(row_cuStreamSynchronize,
                IN_CONTEXT((cuda *)c, cuStreamSynchronize((CUstream)stream)));
}

static int32_t wait_event(uintptr_t c, uintptr_t event, uintptr_t unused2,
                          uintptr_t unused3, uintptr_t unused4) {
  (void)unused2, (void)unused3, (void)unused4;
  return waited(row_cuEventSynchronize,
                IN_CONTEXT((cuda *)c, cuEventSynchronize((CUevent)event)));
}

static int32_t wait_copy(uintptr_t c, uintptr_t dst, uintptr_t src,
                         uintptr_t bytes, uintptr_t stream) {
  return waited(row_cuMemcpyAsync,
                (cuda_status)cuda_memcpy((cuda *)c, dst, src, bytes, stream));
}

static int32_t wait_free(uintptr_t c, uintptr_t ptr, uintptr_t unused2,
                         uintptr_t unused3, uintptr_t unused4) {
  (void)unused2, (void)unused3, (void)unused4;
  return waited(row_cuMemFree_v2, (cuda_status)cuda_free((cuda *)c, ptr));
}

static int32_t wait_device(uintptr_t c, uintptr_t unused1, uintptr_t unused2,
                           uintptr_t unused3, uintptr_t unused4) {
  (void)unused1, (void)unused2, (void)unused3, (void)unused4;
  return waited(row_cuCtxSynchronize,
                IN_CONTEXT((cuda *)c, cuCtxSynchronize()));
}

uintptr_t cuda_wait_stream_function(void) { return (uintptr_t)wait_stream; }
uintptr_t cuda_wait_event_function(void) { return (uintptr_t)wait_event; }
uintptr_t cuda_wait_copy_function(void) { return (uintptr_t)wait_copy; }
uintptr_t cuda_wait_free_function(void) { return (uintptr_t)wait_free; }
uintptr_t cuda_wait_device_function(void) { return (uintptr_t)wait_device; }
