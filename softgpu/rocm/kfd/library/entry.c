/* The C ABI: one C function per call of libmgpu_kfd.so, in front of its Go export. */

#define _GNU_SOURCE
#include "calls.h"
#include "guest.h"
#include "process.h"

#include <errno.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

#include "_cgo_export.h"

#define API __attribute__((visibility("default")))

/*---- The library as a guest of the process ---------------------------------*/

static __thread bool here; /* the thread can enter Go */

static bool attached(void) { return here; }
static bool attach(void) { return here = true; }
static void detach(void) { here = false; }
static void nothing(void) {}

const struct guest_library guest_library = {
    .name = "libmgpu_rocm",
    .attached = attached,
    .attach = attach,
    .detach = detach,
    .adopted = nothing,
    .forget = detach,
    .start = goStart,
    .end = goEnd,
    .aborts = failures_abort,
};

/* Whether the calling thread may call into Go. A child of fork may not; libmgpu_kfd.so
 * opens another copy of this library there. */
static inline bool enter(const char *call) {
  if (__builtin_expect(here, true))
    return true;
  if (guest_forked())
    return false;
  environment_read();
  return guest_first(call);
}

/*---- Mappings of the Go runtime ---------------------------------------------*/

/* It maps memory by the C library's functions, for which libmgpu_kfd.so stands in, and must not be entered
 * again by these. The linker has them come here. */

void *__wrap_mmap(void *addr, size_t size, int protection, int flags, int fd,
                  off_t offset);
int __wrap_munmap(void *addr, size_t size);

void *__wrap_mmap(void *addr, size_t size, int protection, int flags, int fd,
                  off_t offset) {
  return (void *)syscall(SYS_mmap, addr, size, protection, flags, fd, offset);
}

int __wrap_munmap(void *addr, size_t size) {
  return (int)syscall(SYS_munmap, addr, size);
}

/*---- Calls -----------------------------------------------------------------*/

#define DECLARE(name, parameters) API int32_t mgpu_kfd_##name parameters;
KFD_CALLS(DECLARE)
#undef DECLARE

#define CALL(name, what, parameters, arguments)                                \
  int32_t mgpu_kfd_##name parameters {                                         \
    return enter(what) ? go_##name arguments : ENODEV;                         \
  }

CALL(files, "open of /dev/kfd",
     (int32_t *descriptors, uint32_t *minors, int32_t most, uint8_t *claims),
     (descriptors, minors, most, (uintptr_t)claims))
CALL(find, "open of a GPU's file",
     (char *path, bool follow, struct found *found), (path, follow, found))
CALL(ioctl, "ioctl of a GPU", (int32_t file, uint64_t request, uintptr_t arg),
     (file, request, arg))
CALL(map, "mmap of a GPU's memory",
     (int32_t file, int32_t fd, uintptr_t addr, uint64_t size,
      uint64_t protection, uint64_t flags, uint64_t offset, uintptr_t *at),
     (file, fd, addr, size, protection, flags, offset, at))
CALL(unmap, "munmap of a GPU's memory",
     (uintptr_t addr, uint64_t size, bool reserve), (addr, size, reserve))
CALL(allocated, "hipMalloc", (struct allocation * block), (block))
CALL(released, "hipFree", (uintptr_t address), (address))
CALL(reset, "hipDeviceReset", (int32_t device), (device))
