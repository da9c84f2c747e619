/* Preloaded, claims that the machine has the kernel's GPU driver: AMD's tools look
 * whether /dev/kfd can be opened, and newer ones whether the module is live. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

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

static FILE *open_file(const char *call, const char *path, const char *mode) {
  if (strcmp(path, "/sys/module/amdgpu/initstate") == 0) {
    int fd = memfd_create("initstate", 0);
    return pwrite(fd, "live\n", 5, 0) == 5 ? fdopen(fd, "r") : NULL;
  }
  FILE *(*next)(const char *, const char *);
  *(void **)&next = dlsym(RTLD_NEXT, call);
  return next(path, mode);
}

FILE *fopen(const char *path, const char *mode) {
  return open_file("fopen", path, mode);
}

FILE *fopen64(const char *path, const char *mode) {
  return open_file("fopen64", path, mode);
}
