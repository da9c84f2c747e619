/* libcuda.so.1, opened at run time. */

#include "raw.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include <mgpu_runtime.h>
#include "../internal/cuda/types.h"

static struct {
#define SYMBOL(need, result, name, params) result(*name) params;
#include "../internal/cuda/symbols.h"
#undef SYMBOL
} cu;

static CUcontext context;

/* The driver's own pool, where it has one. */
static cuda_status (*pool_alloc)(CUdeviceptr *, size_t, CUstream);
static cuda_status (*pool_free)(CUdeviceptr, CUstream);
static cuda_status (*pool_default)(void **pool, CUdevice);
static cuda_status (*pool_attribute)(void *pool, cuda_enum, void *value);

/* Captures. */
static cuda_status (*begin_capture)(CUstream, cuda_enum mode);
static cuda_status (*end_capture)(CUstream, CUgraph *);
static cuda_status (*exec_update)(CUgraphExec, CUgraph, void *result);

static void must(cuda_status status, const char *call) {
  if (status == cuda_success)
    return;
  const char *name = "?";
  cu.cuGetErrorName(status, &name);
  fprintf(stderr, "bench: '%s' failed with '%s'\n", call, name);
  exit(1);
}
#define MUST(name, ...) must(cu.name(__VA_ARGS__), #name)

const char *raw_open(void) {
  const char *library = getenv("MGPU_CUDA_LIBRARY");
  void *handle =
      dlopen(library ? library : "libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  if (handle == NULL)
    return dlerror();
#define SYMBOL(need, result, name, params)                                     \
  *(void **)&cu.name = dlsym(handle, #name);
#include "../internal/cuda/symbols.h"
#undef SYMBOL
  *(void **)&pool_alloc = dlsym(handle, "cuMemAllocAsync");
  *(void **)&pool_free = dlsym(handle, "cuMemFreeAsync");
  *(void **)&pool_default = dlsym(handle, "cuDeviceGetDefaultMemPool");
  *(void **)&pool_attribute = dlsym(handle, "cuMemPoolSetAttribute");
  *(void **)&begin_capture = dlsym(handle, "cuStreamBeginCapture_v2");
  *(void **)&end_capture = dlsym(handle, "cuStreamEndCapture");
  *(void **)&exec_update = dlsym(handle, "cuGraphExecUpdate_v2");
  if (cu.cuInit == NULL || cu.cuMemHostGetDevicePointer_v2 == NULL)
    return "it is not a CUDA driver";
  if (cu.cuInit(0) != cuda_success)
    return "cuInit failed";
  int count = 0;
  if (cu.cuDeviceGetCount(&count) != cuda_success || count == 0)
    return "it has no device";
  CUdevice device = 0;
  MUST(cuDeviceGet, &device, 0);
  MUST(cuDevicePrimaryCtxRetain, &context, device);
  void *pool = NULL;
  if (pool_default && pool_attribute &&
      pool_default(&pool, device) == cuda_success) {
    enum { release_threshold = 4 };
    uint64_t all =
        UINT64_MAX; /* keep everything, as a careful user of it does */
    pool_attribute(pool, release_threshold, &all);
  }
  return NULL;
}

void raw_describe(FILE *out) {
  char name[128] = "";
  int version = 0, major = 0, minor = 0;
  MUST(cuDeviceGetName, name, sizeof name - 1, 0);
  MUST(cuDriverGetVersion, &version);
  MUST(cuDeviceGetAttribute, &major, cuda_device_major, 0);
  MUST(cuDeviceGetAttribute, &minor, cuda_device_minor, 0);
  fprintf(out, "%s (sm_%d%d), CUDA %d.%d", name, major, minor, version / 1000,
          version % 1000 / 10);
}

void raw_bind(void) { MUST(cuCtxSetCurrent, context); }

double raw_ticks_per_us(void) { return 1000; }

void *raw_module(const void *image) {
  CUmodule m = NULL;
  MUST(cuModuleLoadData, &m, image);
  return m;
}

void *raw_function(void *module, const char *name) {
  CUfunction f = NULL;
  MUST(cuModuleGetFunction, &f, module, name);
  return f;
}

void *raw_stream(void) {
  CUstream s = NULL;
  MUST(cuStreamCreate, &s, cuda_stream_non_blocking);
  return s;
}

void raw_stream_destroy(void *stream) { MUST(cuStreamDestroy_v2, stream); }

void raw_stream_synchronize(void *stream) { MUST(cuStreamSynchronize, stream); }

void raw_launch(void *function, void *stream, void **params) {
  MUST(cuLaunchKernel, function, 1, 1, 1, 1, 1, 1, 0, stream, params, NULL);
}

void raw_launch_blocks(void *function, const unsigned blocks[3],
                       const unsigned threads[3], void *stream, void **params) {
  MUST(cuLaunchKernel, function, blocks[0], blocks[1], blocks[2], threads[0],
       threads[1], threads[2], 0, stream, params, NULL);
}

void *raw_event(void) {
  CUevent e = NULL;
  MUST(cuEventCreate, &e, cuda_event_disable_timing);
  return e;
}

void raw_event_record(void *event, void *stream) {
  MUST(cuEventRecord, event, stream);
}

void raw_stream_wait(void *stream, void *event) {
  MUST(cuStreamWaitEvent, stream, event, 0);
}

void raw_capture(void *stream) {
  enum { thread_local = 1 };
  must(begin_capture(stream, thread_local), "cuStreamBeginCapture");
}

void *raw_captured(void *stream, void *exec) {
  CUgraph graph = NULL;
  CUgraphExec made = exec;
  must(end_capture(stream, &graph), "cuStreamEndCapture");
  if (exec == NULL) {
    MUST(cuGraphInstantiateWithFlags, &made, graph, 0);
  } else {
    char result[64];
    must(exec_update(exec, graph, result), "cuGraphExecUpdate");
  }
  MUST(cuGraphDestroy, graph);
  return made;
}

void raw_graph_launch(void *exec, void *stream) {
  MUST(cuGraphLaunch, exec, stream);
}

void *raw_alloc(size_t bytes) {
  CUdeviceptr p = 0;
  MUST(cuMemAlloc_v2, &p, bytes);
  return (void *)p;
}

void raw_free(void *device) { MUST(cuMemFree_v2, (CUdeviceptr)device); }

void *raw_pool_alloc(size_t bytes, void *stream) {
  CUdeviceptr p = 0;
  if (pool_alloc && pool_free)
    must(pool_alloc(&p, bytes, stream), "cuMemAllocAsync");
  return (void *)p;
}

void raw_pool_free(void *device, void *stream) {
  must(pool_free((CUdeviceptr)device, stream), "cuMemFreeAsync");
}

void raw_copy(void *dst, const void *src, size_t bytes, void *stream) {
  MUST(cuMemcpyAsync, (CUdeviceptr)dst, (CUdeviceptr)src, bytes, stream);
}

void *runtime_module(const void *image) {
  return mgpuModuleLoadJIT((void *)image, 2, 0);
}
