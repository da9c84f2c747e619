/* Preloaded, claims that the machine has the kernel's GPU driver: AMD's tools look
 * whether /dev/kfd can be opened. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdarg.h>
#include <string.h>

int open(const char *path, int flags, ...) {
  static int (*next)(const char *, int, ...);
  va_list more;
  va_start(more, flags);
  mode_t mode = flags & O_CREAT ? va_arg(more, mode_t) : 0;
  va_end(more);
  if (next == NULL)
    *(void **)&next = dlsym(RTLD_NEXT, "open");
  return next(strcmp(path, "/dev/kfd") == 0 ? "/dev/null" : path, flags, mode);
}
