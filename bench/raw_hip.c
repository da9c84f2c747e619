/* libamdhip64.so, opened at run time. */

#include "raw.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include <mgpu_runtime.h>
#include "../internal/hip/types.h"

static struct {
#define SYMBOL(need, result, name, params) result(*name) params;
#include "../internal/hip/symbols.h"
#undef SYMBOL
} hip;

/* The driver's own pool, where it has one. */
static hip_status (*pool_alloc)(void **, size_t, hipStream_t);
static hip_status (*pool_free)(void *, hipStream_t);

/* Captures. */
static hip_status (*begin_capture)(hipStream_t, unsigned mode);
static hip_status (*end_capture)(hipStream_t, void **graph);
static hip_status (*instantiate)(void **exec, void *graph, unsigned long long);
static hip_status (*exec_update)(void *exec, void *graph, void **node,
                                 unsigned *result);

static void must(hip_status status, const char *call) {
  if (status == hip_success)
    return;
  fprintf(stderr, "bench: '%s' failed with '%s'\n", call,
          hip.hipGetErrorName(status));
  exit(1);
}
#define MUST(name, ...) must(hip.name(__VA_ARGS__), #name)

static const char *const libraries[] = {"libamdhip64.so.7", "libamdhip64.so.6",
                                        "libamdhip64.so.5", "libamdhip64.so"};

const char *raw_open(void) {
  const char *library = getenv("MGPU_HIP_LIBRARY");
  void *handle = library ? dlopen(library, RTLD_NOW | RTLD_LOCAL) : NULL;
  for (size_t i = 0; handle == NULL && i < sizeof libraries / sizeof *libraries;
       i++)
    handle = dlopen(libraries[i], RTLD_NOW | RTLD_LOCAL);
  if (handle == NULL)
    return dlerror();
#define SYMBOL(need, result, name, params)                                     \
  *(void **)&hip.name = dlsym(handle, #name);
#include "../internal/hip/symbols.h"
#undef SYMBOL
  *(void **)&pool_alloc = dlsym(handle, "hipMallocAsync");
  *(void **)&pool_free = dlsym(handle, "hipFreeAsync");
  *(void **)&begin_capture = dlsym(handle, "hipStreamBeginCapture");
  *(void **)&end_capture = dlsym(handle, "hipStreamEndCapture");
  *(void **)&instantiate = dlsym(handle, "hipGraphInstantiateWithFlags");
  *(void **)&exec_update = dlsym(handle, "hipGraphExecUpdate");
  if (hip.hipGetDeviceCount == NULL || hip.hipHostGetDevicePointer == NULL)
    return "it is not a HIP library";
  int count = 0;
  if (hip.hipGetDeviceCount(&count) != hip_success || count == 0)
    return "it has no device";
  return NULL;
}

void raw_describe(FILE *out) {
  char name[128] = "a HIP device";
  int version = 0;
  if (hip.hipDeviceGetName)
    MUST(hipDeviceGetName, name, sizeof name - 1, 0);
  if (hip.hipRuntimeGetVersion)
    MUST(hipRuntimeGetVersion, &version);
  fprintf(out, "%s, HIP %d", name, version);
}

void raw_bind(void) { MUST(hipSetDevice, 0); }

double raw_ticks_per_us(void) { return 0; }

void *raw_module(const void *image) {
  hipModule_t m = NULL;
  MUST(hipModuleLoadData, &m, image);
  return m;
}

void *raw_function(void *module, const char *name) {
  hipFunction_t f = NULL;
  MUST(hipModuleGetFunction, &f, module, name);
  return f;
}

void *raw_stream(void) {
  hipStream_t s = NULL;
  MUST(hipStreamCreate, &s);
  return s;
}

void raw_stream_destroy(void *stream) { MUST(hipStreamDestroy, stream); }

void raw_stream_synchronize(void *stream) {
  MUST(hipStreamSynchronize, stream);
}

void raw_launch(void *function, void *stream, void **params) {
  MUST(hipModuleLaunchKernel, function, 1, 1, 1, 1, 1, 1, 0, stream, params,
       NULL);
}

void raw_launch_blocks(void *function, const unsigned blocks[3],
                       const unsigned threads[3], void *stream, void **params) {
  MUST(hipModuleLaunchKernel, function, blocks[0], blocks[1], blocks[2],
       threads[0], threads[1], threads[2], 0, stream, params, NULL);
}

void *raw_event(void) {
  hipEvent_t e = NULL;
  MUST(hipEventCreateWithFlags, &e, hip_event_disable_timing);
  return e;
}

void raw_event_record(void *event, void *stream) {
  MUST(hipEventRecord, event, stream);
}

void raw_stream_wait(void *stream, void *event) {
  MUST(hipStreamWaitEvent, stream, event, 0);
}

void raw_capture(void *stream) {
  enum { thread_local = 1 };
  must(begin_capture(stream, thread_local), "hipStreamBeginCapture");
}

void *raw_captured(void *stream, void *exec) {
  void *graph = NULL, *made = exec;
  must(end_capture(stream, &graph), "hipStreamEndCapture");
  if (exec == NULL) {
    must(instantiate(&made, graph, 0), "hipGraphInstantiateWithFlags");
  } else {
    void *node = NULL;
    unsigned result = 0;
    must(exec_update(exec, graph, &node, &result), "hipGraphExecUpdate");
  }
  MUST(hipGraphDestroy, graph);
  return made;
}

void raw_graph_launch(void *exec, void *stream) {
  MUST(hipGraphLaunch, exec, stream);
}

void *raw_alloc(size_t bytes) {
  void *p = NULL;
  MUST(hipMalloc, &p, bytes);
  return p;
}

void raw_free(void *device) { MUST(hipFree, device); }

void *raw_pool_alloc(size_t bytes, void *stream) {
  void *p = NULL;
  if (pool_alloc && pool_free)
    must(pool_alloc(&p, bytes, stream), "hipMallocAsync");
  return p;
}

void raw_pool_free(void *device, void *stream) {
  must(pool_free(device, stream), "hipFreeAsync");
}

void raw_copy(void *dst, const void *src, size_t bytes, void *stream) {
  MUST(hipMemcpyAsync, dst, src, bytes, hip_copy_default, stream);
}

void *runtime_module(const void *image) {
  return mgpuModuleLoad((void *)image, 0);
}
