/* Control calls and mappings. */
#include "kfd.h"

#include <stdarg.h>
#include <sys/ioctl.h>
#include <sys/mman.h>

API int ioctl(int fd, unsigned long request, ...) {
  va_list list;
  va_start(list, request);
  void *arg = va_arg(list, void *);
  va_end(list);
  int type = _IOC_TYPE(request), device = no_device;
  if (type == 'K' || type == 'd')
    device = device_of(fd);
  if (device == no_device)
    return syscall(SYS_ioctl, fd, request, arg);
  const struct library *l = library_if_open();
  int e = errno, error = device == stale_device || !l
                             ? EBADF
                             : l->ioctl(device, request, (uintptr_t)arg);
  errno = error ? error : e;
  return error ? -1 : 0;
}

/* What is not a GPU's is mapped by the system: this is called before any constructor, and by allocators. */
API void *mmap(void *addr, size_t size, int protection, int flags, int fd,
               off_t offset) {
  const struct library *l = NULL;
  uintptr_t at = (uintptr_t)addr;
  int device = no_device, error;
  if (fd >= 0 && !(flags & MAP_ANONYMOUS) && (l = library_if_open()) &&
      in_memory(fd)) {
    device = device_of(fd);
    if (device >= 0 || (device == no_device && is_dmabuf(fd))) {
      error = l->map(device, fd, at, size, protection, flags, offset, &at);
      errno = error ? error : errno;
      return error ? MAP_FAILED : (void *)at;
    }
  } else if (flags & MAP_FIXED && flags & MAP_ANONYMOUS &&
             protection == PROT_NONE && claimed(at, size) &&
             (l = library_if_open())) {
    error = l->unmap(at, size, true);
    errno = error ? error : errno;
    return error ? MAP_FAILED : addr;
  }
  return (void *)syscall(SYS_mmap, addr, size, protection, flags, fd, offset);
}

API void *mmap64(void *addr, size_t size, int protection, int flags, int fd,
                 off64_t offset) __attribute__((alias("mmap")));

API int munmap(void *addr, size_t size) {
  const struct library *l;
  if (!claimed((uintptr_t)addr, size) || !(l = library_if_open()))
    return syscall(SYS_munmap, addr, size);
  int error = l->unmap((uintptr_t)addr, size, false);
  errno = error ? error : errno;
  return error ? -1 : 0;
}
