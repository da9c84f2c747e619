/* mgpu's functions, each of them that of one of two libraries: so one process measures
 * both, in turns. OTHER and LIBRARY in the environment name their files. */

#include "work.h"

#include <mgpu_runtime.h>

#include <dlfcn.h>
#include <stdlib.h>

#define FUNCTIONS(F)                                                           \
  F(void *, mgpuModuleLoad, (void *data, size_t size), (data, size))           \
  F(void *, mgpuModuleLoadJIT, (void *data, int32_t opt, size_t size),         \
    (data, opt, size))                                                         \
  F(void, mgpuModuleUnload, (void *module), (module))                          \
  F(void *, mgpuModuleGetFunction, (void *module, const char *function),       \
    (module, function))                                                        \
  F(void, mgpuLaunchKernel,                                                    \
    (void *f, intptr_t gx, intptr_t gy, intptr_t gz, intptr_t bx, intptr_t by, \
     intptr_t bz, int32_t shared, void *stream, void **params, void **extra,   \
     size_t count),                                                            \
    (f, gx, gy, gz, bx, by, bz, shared, stream, params, extra, count))         \
  F(void *, mgpuStreamCreate, (void), ())                                      \
  F(void, mgpuStreamDestroy, (void *stream), (stream))                         \
  F(void, mgpuStreamSynchronize, (void *stream), (stream))                     \
  F(void, mgpuStreamWaitEvent, (void *stream, void *event), (stream, event))   \
  F(void *, mgpuEventCreate, (void), ())                                       \
  F(void, mgpuEventDestroy, (void *event), (event))                            \
  F(void, mgpuEventSynchronize, (void *event), (event))                        \
  F(void, mgpuEventRecord, (void *event, void *stream), (event, stream))       \
  F(void *, mgpuMemAlloc, (uint64_t bytes, void *stream, uint8_t shared),      \
    (bytes, stream, shared))                                                   \
  F(void, mgpuMemFree, (void *ptr, void *stream), (ptr, stream))               \
  F(void, mgpuMemcpy, (void *dst, void *src, size_t bytes, void *stream),      \
    (dst, src, bytes, stream))                                                 \
  F(int32_t, mgpuxGraphBegin, (uint64_t key), (key))                           \
  F(int32_t, mgpuxGraphEnd, (void), ())                                        \
  F(void, mgpuxGraphLaunch, (uint64_t key, void *stream), (key, stream))

static struct functions {
#define POINTER(result, name, params, args) result(*name) params;
  FUNCTIONS(POINTER)
} libraries[whos], *chosen = &libraries[library];

#define CALL(result, name, params, args)                                       \
  result name params { return chosen->name args; }
FUNCTIONS(CALL)

static void open_library(struct functions *f, const char *path) {
  void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (handle == NULL) {
    fprintf(stderr, "work: %s\n", dlerror());
    exit(1);
  }
#define FIND(result, name, params, args)                                       \
  *(void **)&f->name = dlsym(handle, #name);
  FUNCTIONS(FIND)
}

/* Lowered code loads its modules before main. */
__attribute__((constructor(101))) static void open_libraries(void) {
  open_library(&libraries[other], getenv("OTHER"));
  open_library(&libraries[library], getenv("LIBRARY"));
}

void *other_mgpuModuleLoad(void *data, size_t size) {
  return libraries[other].mgpuModuleLoad(data, size);
}

void *other_mgpuModuleLoadJIT(void *data, int32_t opt, size_t size) {
  return libraries[other].mgpuModuleLoadJIT(data, opt, size);
}

/* Threads come here at once: nothing is written where nothing changes. */
void forward_to(enum who w) {
  if (chosen != &libraries[w])
    chosen = &libraries[w];
}
