/* libmgpu_sites.so: preloaded with libmgpu_kfd.so before a HIP program that is checked. It tells that library how
 * much memory the program asks HIP and AMD's runtime for, and where, and what it frees: HIP itself asks for whole
 * pages, and keeps memory after a free. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <execinfo.h>
#include <link.h>
#include <stdio.h>
#include <string.h>

#include "../library/calls.h"

/* libmgpu_rocm.so looks for it. */
extern const char mgpu_sites_preloaded;
const char mgpu_sites_preloaded = 1;

void mgpu_kfd_allocated(struct allocation *block);
void mgpu_kfd_released(uintptr_t address);
void mgpu_kfd_reset(int32_t device);
int hipGetDevice(int *device);

/* Libraries of AMD's that call each other for the program. */
static bool is_runtime(const char *file) {
  static const char *const names[] = {"libamdhip64.so", "libamdocl64.so",
                                      "libhsa-runtime64.so"};
  const char *slash = strrchr(file, '/'), *name = slash ? slash + 1 : file;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strncmp(name, names[i], strlen(names[i])) == 0)
      return true;
  return false;
}

/* The runtime's library number *n among those of the process: its path replaces the number. */
struct search {
  int n;
  char path[4096];
};

static int is_searched(struct dl_phdr_info *object, size_t size, void *state) {
  (void)size;
  struct search *s = state;
  if (!is_runtime(object->dlpi_name) || s->n-- > 0)
    return 0;
  return snprintf(s->path, sizeof s->path, "%s", object->dlpi_name) > 0;
}

/* Finds AMD's function of a name, also where its library was opened for one library alone. */
static void *next_of(const char *name) {
  void *function = dlsym(RTLD_NEXT, name);
  for (int n = 0; function == NULL; n++) {
    struct search s = {.n = n};
    if (!dl_iterate_phdr(is_searched, &s))
      return NULL;
    void *handle = dlopen(s.path, RTLD_LAZY | RTLD_NOLOAD);
    if (handle) {
      function = dlsym(handle, name);
      dlclose(handle);
    }
  }
  return function;
}

/* The result of an expression for a function's address, which is kept. */
#define KEPT(name, expression)                                                 \
  ({                                                                           \
    static __typeof__(&name) kept_;                                            \
    if (kept_ == NULL)                                                         \
      *(void **)&kept_ = expression;                                           \
    kept_;                                                                     \
  })
#define NEXT(name) KEPT(name, next_of(#name))
#define DRIVERS(name) KEPT(name, dlsym(RTLD_DEFAULT, #name))

/* Whether a call comes from the program, and from which file. */
static bool from_program(void *caller, Dl_info *at) {
  return dladdr(caller, at) && at->dli_fname && !is_runtime(at->dli_fname);
}

/* Where the caller of HIP's function returns to: C++ programs call hipMalloc through a
 * template, which is not inlined always. */
static uintptr_t outer_of(void *caller) {
  void *frames[8];
  int n = backtrace(frames, sizeof frames / sizeof *frames);
  for (int i = 0; i + 1 < n; i++)
    if (frames[i] == caller)
      return (uintptr_t)frames[i + 1];
  return 0;
}

static int32_t current_device(void) {
  int device;
  __typeof__(&hipGetDevice) get = NEXT(hipGetDevice);
  return get && get(&device) == 0 ? device : -1;
}

static void note_allocation(void *address, size_t size, const char *call,
                            void *caller, bool hip, bool pooled) {
  __typeof__(&mgpu_kfd_allocated) tell = DRIVERS(mgpu_kfd_allocated);
  Dl_info at;
  if (!tell || !address || size == 0 || !from_program(caller, &at))
    return;
  tell(&(struct allocation){
      .address = (uintptr_t)address,
      .size = size,
      .call = call,
      .file = at.dli_fname,
      .base = (uintptr_t)at.dli_fbase,
      .caller = (uintptr_t)caller,
      .outer = outer_of(caller),
      .device = hip ? current_device() : -1,
      .pooled = pooled,
  });
}

static void note_release(void *address, void *caller) {
  __typeof__(&mgpu_kfd_released) tell = DRIVERS(mgpu_kfd_released);
  Dl_info at;
  if (tell && address && from_program(caller, &at))
    tell((uintptr_t)address);
}

/* A function of AMD's that returns 0 for success, and what is done after that. */
#define CALL(name, parameters, arguments, after)                               \
  int name parameters;                                                         \
  int name parameters {                                                        \
    __typeof__(&name) next = NEXT(name);                                       \
    if (next == NULL)                                                          \
      return 999; /* hipErrorUnknown */                                        \
    int error = next arguments;                                                \
    if (error == 0)                                                            \
      after;                                                                   \
    return error;                                                              \
  }

#define NOTE(name, address, size, hip, pooled)                                 \
  note_allocation(address, size, name, __builtin_return_address(0), hip, pooled)

#define ALLOCATES(name, parameters, arguments, size)                           \
  CALL(name, parameters, arguments, NOTE(#name, *address, size, true, false))
#define ALLOCATES_FROM_POOL(name, parameters, arguments)                       \
  CALL(name, parameters, arguments, NOTE(#name, *address, size, true, true))
#define ALLOCATES_BY_HSA(name, parameters, arguments)                          \
  CALL(name, parameters, arguments, NOTE(#name, *address, size, false, false))
#define FREES(name, parameters, arguments)                                     \
  CALL(name, parameters, arguments,                                            \
       note_release(address, __builtin_return_address(0)))

ALLOCATES(hipMalloc, (void **address, size_t size), (address, size), size)
ALLOCATES(hipMallocManaged, (void **address, size_t size, unsigned flags),
          (address, size, flags), size)
ALLOCATES(hipExtMallocWithFlags, (void **address, size_t size, unsigned flags),
          (address, size, flags), size)
ALLOCATES(hipHostMalloc, (void **address, size_t size, unsigned flags),
          (address, size, flags), size)
ALLOCATES(hipHostAlloc, (void **address, size_t size, unsigned flags),
          (address, size, flags), size)
ALLOCATES(hipMallocHost, (void **address, size_t size), (address, size), size)
ALLOCATES(hipMemAllocHost, (void **address, size_t size), (address, size), size)
ALLOCATES(hipMallocPitch,
          (void **address, size_t *pitch, size_t width, size_t height),
          (address, pitch, width, height), *pitch *height)
ALLOCATES(hipMemAllocPitch,
          (void **address, size_t *pitch, size_t width, size_t height,
           unsigned element),
          (address, pitch, width, height, element), *pitch *height)

ALLOCATES_FROM_POOL(hipMallocAsync, (void **address, size_t size, void *stream),
                    (address, size, stream))
ALLOCATES_FROM_POOL(hipMallocFromPoolAsync,
                    (void **address, size_t size, void *pool, void *stream),
                    (address, size, pool, stream))

FREES(hipFree, (void *address), (address))
FREES(hipFreeAsync, (void *address, void *stream), (address, stream))
FREES(hipHostFree, (void *address), (address))
FREES(hipFreeHost, (void *address), (address))

struct pitched {
  void *address;
  size_t pitch, width, height;
};
struct extent {
  size_t width, height, depth;
};
CALL(hipMalloc3D, (struct pitched * block, struct extent extent),
     (block, extent),
     NOTE("hipMalloc3D", block->address,
          block->pitch *extent.height *extent.depth, true, false))

ALLOCATES_BY_HSA(hsa_amd_memory_pool_allocate,
                 (uint64_t pool, size_t size, uint32_t flags, void **address),
                 (pool, size, flags, address))
ALLOCATES_BY_HSA(hsa_memory_allocate,
                 (uint64_t region, size_t size, void **address),
                 (region, size, address))
FREES(hsa_amd_memory_pool_free, (void *address), (address))
FREES(hsa_memory_free, (void *address), (address))

/* It frees the memory of the current device. */
int hipDeviceReset(void);
int hipDeviceReset(void) {
  __typeof__(&hipDeviceReset) next = NEXT(hipDeviceReset);
  __typeof__(&mgpu_kfd_reset) tell = DRIVERS(mgpu_kfd_reset);
  if (next == NULL)
    return 999; /* hipErrorUnknown */
  int32_t device = current_device();
  int error = next();
  if (error == 0 && tell && device >= 0)
    tell(device);
  return error;
}
