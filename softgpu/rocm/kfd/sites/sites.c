/* libmgpu_sites.so: preloaded with libmgpu_kfd.so before a HIP program whose kernels are
 * checked. It tells that library how much memory the program asks HIP for, and where: HIP itself asks for
 * whole pages. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <execinfo.h>
#include <stddef.h>
#include <stdint.h>

typedef void (*allocated)(void *address, size_t size, const char *call,
                          const char *file, uintptr_t base, uintptr_t caller,
                          uintptr_t outer);

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

static void tell(void *address, size_t size, const char *call, void *caller) {
  static allocated told;
  if (told == NULL)
    *(void **)&told = dlsym(RTLD_DEFAULT, "mgpu_kfd_allocated");
  Dl_info at;
  if (told == NULL || address == NULL || size == 0 || !dladdr(caller, &at))
    return;
  told(address, size, call, at.dli_fname, (uintptr_t)at.dli_fbase,
       (uintptr_t)caller, outer_of(caller));
}

/* One of HIP's functions whose first parameters are where to store the address, and the
 * size. */
#define CALL(name, parameters, arguments)                                      \
  int name parameters;                                                         \
  int name parameters {                                                        \
    static int(*next) parameters;                                              \
    if (next == NULL)                                                          \
      *(void **)&next = dlsym(RTLD_NEXT, #name);                               \
    if (next == NULL)                                                          \
      return 999; /* hipErrorUnknown */                                        \
    int error = next arguments;                                                \
    if (error == 0)                                                            \
      tell(*address, size, #name, __builtin_return_address(0));                \
    return error;                                                              \
  }

CALL(hipMalloc, (void **address, size_t size), (address, size))
CALL(hipMallocManaged, (void **address, size_t size, unsigned flags),
     (address, size, flags))
CALL(hipHostMalloc, (void **address, size_t size, unsigned flags),
     (address, size, flags))
CALL(hipExtMallocWithFlags, (void **address, size_t size, unsigned flags),
     (address, size, flags))
