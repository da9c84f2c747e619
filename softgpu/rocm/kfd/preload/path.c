#include "kfd.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>
#include <sys/xattr.h>

/* The paths that may be the GPUs'. libmgpu_rocm.so says which are. */
static const char *const ours[] = {"/dev/kfd",
                                   "/dev/dri",
                                   "/sys/devices/virtual/kfd",
                                   "/sys/class/kfd",
                                   "/sys/class/drm",
                                   "/sys/dev/char/226:",
                                   "/sys/bus/pci/devices",
                                   "/sys/bus/pci/drivers/amdgpu",
                                   "/sys/devices/pci0000:mgpu"};

/* What the kernel's module says of itself. Programs that list modules are answered without libmgpu_rocm.so. */
static const struct {
  const char *path, *text;
} module[] = {{"/sys/module/amdgpu/initstate", "live\n"},
              {"/sys/module/amdgpu/coresize", "1\n"},
              {"/sys/module/amdgpu/refcnt", "1\n"},
              {"/sys/module/amdgpu/parameters/pcie_p2p", "Y\n"}};

/* Its folders, with the names in each as struct found has them. */
static const struct {
  const char *path, *names;
  size_t size;
} folders[] = {
#define FOLDER(path, names) {path, names, sizeof names}
    FOLDER("/sys/module/amdgpu",
           "\10initstate\0\10coresize\0\10refcnt\0\4holders\0\4parameters"),
    FOLDER("/sys/module/amdgpu/parameters", "\10pcie_p2p"),
    {"/sys/module/amdgpu/holders", "", 0}};

static const char modules[] = "/proc/modules";

/* libdrm's list of names of GPUs. */
static const char names[] = "libdrm/amdgpu.ids";

static bool begins(const char *path, const char *with) {
  return strncmp(path, with, strlen(with)) == 0;
}

static bool may_be_ours(const char *path) {
  for (size_t i = 0; i < sizeof ours / sizeof *ours; i++)
    if (begins(path, ours[i]))
      return true;
  size_t n = strlen(path);
  return n > sizeof names - 1 &&
         strcmp(path + n - (sizeof names - 1), names) == 0;
}

/* The system's list of modules, and amdgpu. */
static char *list_modules(size_t *size) {
  static const char line[] = "amdgpu 1 0 - Live 0x0000000000000000\n";
  size_t room = 1 << 16;
  char *text = malloc(room);
  if (!text)
    return NULL;
  memcpy(text, line, sizeof line - 1);
  *size = sizeof line - 1;
  int fd = syscall(SYS_openat, AT_FDCWD, modules, O_RDONLY | O_CLOEXEC);
  for (ssize_t n; fd >= 0 && (n = read(fd, text + *size, room - *size)) > 0;) {
    *size += n;
    if (*size == room) {
      char *more = realloc(text, room *= 2);
      if (!more)
        break;
      text = more;
    }
  }
  if (fd >= 0)
    close(fd);
  return text;
}

static bool of_module(const char *path, struct found *f) {
  if (strcmp(path, modules) == 0) {
    f->text = list_modules(&f->size);
    f->kind = f->text ? found_file : found_foreign;
  } else if (begins(path, "/sys/module/amdgpu")) {
    f->kind = found_missing;
    for (size_t i = 0; i < sizeof module / sizeof *module; i++)
      if (strcmp(path, module[i].path) == 0) {
        f->kind = found_file;
        f->text = strdup(module[i].text);
        f->size = strlen(module[i].text);
      }
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
      if (strcmp(path, folders[i].path) == 0) {
        f->kind = found_folder;
        f->size = folders[i].size;
        f->text = malloc(f->size + 1);
        if (f->text)
          memcpy(f->text, folders[i].names, f->size);
      }
  } else {
    return false;
  }
  f->path = strdup(path);
  if (f->kind > found_missing && (!f->text || !f->path))
    f->kind = found_missing;
  return true;
}

void look_up(int at, const char *path, bool follow, struct found *f) {
  char joined[PATH_MAX];
  *f = (struct found){.kind = found_foreign};
  if (!path)
    return;
  if (*path != '/' && at != AT_FDCWD) {
    char folder[300];
    if (!named_path(at, folder, sizeof folder) ||
        snprintf(joined, sizeof joined, "%s/%s", folder, path) >= PATH_MAX)
      return;
    path = joined;
  }
  if (of_module(path, f) || !may_be_ours(path))
    return;
  int e = errno;
  const struct library *l = library();
  if (l && l->find((char *)path, follow, f) != 0)
    f->kind = found_foreign;
  errno = e;
}

void found_free(struct found *f) {
  free(f->text);
  free(f->path);
}

void describe(const struct found *f, struct stat *s) {
  uint64_t hash = 14695981039346656037u;
  for (const char *c = f->path; *c; c++)
    hash = (hash ^ (unsigned char)*c) * 1099511628211u;
  *s = (struct stat){.st_dev = makedev(0, 21),
                     .st_ino = hash >> 1 | 1,
                     .st_nlink = 1,
                     .st_blksize = 4096};
  switch (f->kind) {
  case found_file:
    s->st_mode = S_IFREG | 0444;
    s->st_size = 4096;
    break;
  case found_folder:
    s->st_mode = S_IFDIR | 0555;
    s->st_nlink = 2;
    break;
  case found_link:
    s->st_mode = S_IFLNK | 0777;
    s->st_size = (off_t)f->size;
    break;
  default:
    s->st_mode = S_IFCHR | 0666;
    s->st_rdev = makedev(f->major, f->minor);
  }
}

/* Returns whether a path is the GPUs', with errno set if there is nothing. */
static bool is_ours(int at, const char *path, bool follow, struct found *f) {
  look_up(at, path, follow, f);
  if (f->kind == found_missing)
    errno = ENOENT;
  return f->kind != found_foreign;
}

/*---- Opening ----------------------------------------------------------------*/

static int open_found(const struct found *f, int flags) {
  const struct library *l;
  switch (f->kind) {
  case found_missing:
    return -1;
  case found_device:
    l = library();
    if (!l || !devices_open(l)) {
      errno = ENODEV;
      return -1;
    }
    return device_open(f->index, flags);
  case found_link:
    errno = ELOOP; /* O_NOFOLLOW */
    return -1;
  case found_folder:
    if ((flags & O_ACCMODE) != O_RDONLY) {
      errno = EISDIR;
      return -1;
    }
    return text_open(f->path, "", 0, flags);
  default:
    if ((flags & O_ACCMODE) != O_RDONLY || flags & O_DIRECTORY) {
      errno = flags & O_DIRECTORY ? ENOTDIR : EACCES;
      return -1;
    }
    return text_open(f->path, f->text, f->size, flags);
  }
}

static int opened(int at, const char *path, int flags, mode_t mode) {
  struct found f;
  if (is_ours(at, path, !(flags & O_NOFOLLOW), &f)) {
    int fd = open_found(&f, flags), e = errno;
    found_free(&f);
    errno = e;
    return fd;
  }
  return syscall(SYS_openat, at, path, flags, mode);
}

#define MODE                                                                   \
  mode_t mode = 0;                                                             \
  if (flags & O_CREAT || (flags & O_TMPFILE) == O_TMPFILE) {                   \
    va_list list;                                                              \
    va_start(list, flags);                                                     \
    mode = va_arg(list, mode_t);                                               \
    va_end(list);                                                              \
  }

#define ALIAS(type, name, of, ...)                                             \
  API type name(__VA_ARGS__) __attribute__((alias(#of)));

API int open(const char *path, int flags, ...) {
  MODE return opened(AT_FDCWD, path, flags, mode);
}
ALIAS(int, open64, open, const char *path, int flags, ...)

API int openat(int at, const char *path, int flags, ...) {
  MODE return opened(at, path, flags, mode);
}
ALIAS(int, openat64, openat, int at, const char *path, int flags, ...)

API int __open_2(const char *path, int flags);
API int __open_2(const char *path, int flags) {
  return opened(AT_FDCWD, path, flags, 0);
}
ALIAS(int, __open64_2, __open_2, const char *path, int flags)
API int __openat_2(int at, const char *path, int flags);
API int __openat_2(int at, const char *path, int flags) {
  return opened(at, path, flags, 0);
}
ALIAS(int, __openat64_2, __openat_2, int at, const char *path, int flags)

static FILE *stream(const char *path, const char *mode) {
  struct found f;
  if (!is_ours(AT_FDCWD, path, true, &f))
    return NULL;
  int flags = *mode == 'r' && !strchr(mode, '+') ? O_RDONLY : O_RDWR;
  int fd = open_found(&f, flags | (strchr(mode, 'e') ? O_CLOEXEC : 0)),
      e = errno;
  found_free(&f);
  FILE *file = fd < 0 ? NULL : fdopen(fd, mode);
  errno = fd < 0 ? e : errno;
  if (fd >= 0 && !file)
    close(fd);
  return file;
}

/* Whether fopen has to answer for a path: most are not looked up twice. */
static bool streams(const char *path) {
  return path && (may_be_ours(path) || strcmp(path, modules) == 0 ||
                  begins(path, "/sys/module/amdgpu"));
}

API FILE *fopen(const char *path, const char *mode) {
  if (streams(path)) {
    errno = 0;
    FILE *file = stream(path, mode);
    if (file || errno)
      return file;
  }
  return NEXT(fopen)(path, mode);
}

API FILE *fopen64(const char *path, const char *mode) {
  if (streams(path)) {
    errno = 0;
    FILE *file = stream(path, mode);
    if (file || errno)
      return file;
  }
  return NEXT(fopen64)(path, mode);
}

/*---- Looking ----------------------------------------------------------------*/

static int access_of(int at, const char *path, int mode, int flags) {
  struct found f;
  if (!is_ours(at, path, !(flags & AT_SYMLINK_NOFOLLOW), &f))
    return syscall(SYS_faccessat, at, path, mode);
  int kind = f.kind;
  found_free(&f);
  if (kind == found_missing) {
    errno = ENOENT;
    return -1;
  }
  if ((mode & W_OK && kind != found_device) ||
      (mode & X_OK && kind != found_folder)) {
    errno = EACCES;
    return -1;
  }
  return 0;
}

API int access(const char *path, int mode) {
  return access_of(AT_FDCWD, path, mode, 0);
}
API int euidaccess(const char *path, int mode) {
  return access_of(AT_FDCWD, path, mode, 0);
}
ALIAS(int, eaccess, euidaccess, const char *path, int mode)
API int faccessat(int at, const char *path, int mode, int flags) {
  return access_of(at, path, mode, flags);
}

/* Corrects the system's result for a descriptor: devices and folders are files in memory. */
static void correct(int fd, struct stat *s) {
  char path[300];
  struct found f = {.kind = found_foreign};
  int e = errno, device = device_of(fd);
  if (device >= 0) {
    s->st_mode = S_IFCHR | 0666;
    s->st_size = 0;
    s->st_rdev = device_number(device);
  } else if (S_ISREG(s->st_mode) && named_path(fd, path, sizeof path)) {
    look_up(AT_FDCWD, path, true, &f);
    if (f.kind == found_file || f.kind == found_folder)
      describe(&f, s);
    if (f.kind != found_foreign)
      found_free(&f);
  }
  errno = e;
}

static int stat_of(int at, const char *path, struct stat *s, int flags) {
  struct found f;
  if (path && !*path && flags & AT_EMPTY_PATH) {
    int r = syscall(SYS_newfstatat, at, path, s, flags);
    if (r == 0)
      correct(at, s);
    return r;
  }
  if (!is_ours(at, path, !(flags & AT_SYMLINK_NOFOLLOW), &f))
    return syscall(SYS_newfstatat, at, path, s, flags);
  bool there = f.kind != found_missing;
  if (there)
    describe(&f, s);
  found_free(&f);
  errno = there ? errno : ENOENT;
  return there ? 0 : -1;
}

static int fstat_of(int fd, struct stat *s) {
  int r = syscall(SYS_fstat, fd, s);
  if (r == 0 && in_memory(fd))
    correct(fd, s);
  return r;
}

/* struct stat and struct stat64 are one on machines of 64 bits. */
#define STAT(suffix, type)                                                     \
  API int stat##suffix(const char *path, struct type *s) {                     \
    return stat_of(AT_FDCWD, path, (struct stat *)s, 0);                       \
  }                                                                            \
  API int lstat##suffix(const char *path, struct type *s) {                    \
    return stat_of(AT_FDCWD, path, (struct stat *)s, AT_SYMLINK_NOFOLLOW);     \
  }                                                                            \
  API int fstat##suffix(int fd, struct type *s) {                              \
    return fstat_of(fd, (struct stat *)s);                                     \
  }                                                                            \
  API int fstatat##suffix(int at, const char *path, struct type *s,            \
                          int flags) {                                         \
    return stat_of(at, path, (struct stat *)s, flags);                         \
  }                                                                            \
  /* Programs that were built against a glibc before 2.33. */                  \
  API int __xstat##suffix(int version, const char *path, struct type *s);      \
  API int __xstat##suffix(int version, const char *path, struct type *s) {     \
    (void)version;                                                             \
    return stat_of(AT_FDCWD, path, (struct stat *)s, 0);                       \
  }                                                                            \
  API int __lxstat##suffix(int version, const char *path, struct type *s);     \
  API int __lxstat##suffix(int version, const char *path, struct type *s) {    \
    (void)version;                                                             \
    return stat_of(AT_FDCWD, path, (struct stat *)s, AT_SYMLINK_NOFOLLOW);     \
  }                                                                            \
  API int __fxstat##suffix(int version, int fd, struct type *s);               \
  API int __fxstat##suffix(int version, int fd, struct type *s) {              \
    (void)version;                                                             \
    return fstat_of(fd, (struct stat *)s);                                     \
  }                                                                            \
  API int __fxstatat##suffix(int version, int at, const char *path,            \
                             struct type *s, int flags);                       \
  API int __fxstatat##suffix(int version, int at, const char *path,            \
                             struct type *s, int flags) {                      \
    (void)version;                                                             \
    return stat_of(at, path, (struct stat *)s, flags);                         \
  }
STAT(, stat)
STAT(64, stat64)

#pragma GCC diagnostic ignored "-Wnonnull-compare"

API int statx(int at, const char *restrict path, int flags, unsigned mask,
              struct statx *restrict x) {
  struct stat s;
  bool empty = path && !*path && flags & AT_EMPTY_PATH;
  struct found f = {.kind = found_foreign};
  if (empty ? !in_memory(at)
            : !is_ours(at, path, !(flags & AT_SYMLINK_NOFOLLOW), &f))
    return syscall(SYS_statx, at, path, flags, mask, x);
  found_free(&f);
  if (stat_of(at, path, &s, flags & (AT_SYMLINK_NOFOLLOW | AT_EMPTY_PATH)) != 0)
    return -1;
  *x = (struct statx){.stx_mask = STATX_BASIC_STATS,
                      .stx_blksize = s.st_blksize,
                      .stx_nlink = s.st_nlink,
                      .stx_mode = s.st_mode,
                      .stx_ino = s.st_ino,
                      .stx_size = s.st_size,
                      .stx_rdev_major = major(s.st_rdev),
                      .stx_rdev_minor = minor(s.st_rdev),
                      .stx_dev_major = major(s.st_dev),
                      .stx_dev_minor = minor(s.st_dev)};
  return 0;
}

/*---- Links ------------------------------------------------------------------*/

static ssize_t readlink_of(int at, const char *path, char *buffer,
                           size_t size) {
  struct found f;
  if (!is_ours(at, path, false, &f))
    return syscall(SYS_readlinkat, at, path, buffer, size);
  ssize_t n = -1;
  if (f.kind == found_link) {
    n = f.size < size ? (ssize_t)f.size : (ssize_t)size;
    memcpy(buffer, f.text, n);
  } else {
    errno = f.kind == found_missing ? ENOENT : EINVAL;
  }
  int e = errno;
  found_free(&f);
  errno = e;
  return n;
}

API ssize_t readlink(const char *restrict path, char *restrict buffer,
                     size_t size) {
  return readlink_of(AT_FDCWD, path, buffer, size);
}
API ssize_t readlinkat(int at, const char *restrict path, char *restrict buffer,
                       size_t size) {
  return readlink_of(at, path, buffer, size);
}
API ssize_t __readlink_chk(const char *path, char *buffer, size_t size,
                           size_t room);
API ssize_t __readlink_chk(const char *path, char *buffer, size_t size,
                           size_t room) {
  return readlink_of(AT_FDCWD, path, buffer, size < room ? size : room);
}
API ssize_t __readlinkat_chk(int at, const char *path, char *buffer,
                             size_t size, size_t room);
API ssize_t __readlinkat_chk(int at, const char *path, char *buffer,
                             size_t size, size_t room) {
  return readlink_of(at, path, buffer, size < room ? size : room);
}

/* The path without links, of the GPUs' paths. NULL with errno 0: it is none of theirs. */
static char *resolved(const char *path, char *result) {
  struct found f;
  errno = 0;
  if (!is_ours(AT_FDCWD, path, true, &f))
    return errno = 0, NULL;
  char *r = NULL;
  if (f.kind != found_missing && strlen(f.path) < PATH_MAX)
    r = result ? strcpy(result, f.path) : strdup(f.path);
  found_free(&f);
  errno = r ? 0 : ENOENT;
  return r;
}

API char *realpath(const char *restrict path, char *restrict result) {
  char *r = resolved(path, result);
  return r || errno ? r : NEXT(realpath)(path, result);
}
API char *__realpath_chk(const char *path, char *result, size_t room);
API char *__realpath_chk(const char *path, char *result, size_t room) {
  (void)room;
  return realpath(path, result);
}
API char *canonicalize_file_name(const char *path) {
  return realpath(path, NULL);
}

/*---- Attributes: there are none ---------------------------------------------*/

static bool has_none(const char *path, bool follow) {
  struct found f;
  if (!is_ours(AT_FDCWD, path, follow, &f))
    return false;
  errno = f.kind == found_missing ? ENOENT : ENODATA;
  int e = errno;
  found_free(&f);
  errno = e;
  return true;
}

API ssize_t getxattr(const char *path, const char *name, void *value,
                     size_t size) {
  return has_none(path, true) ? -1
                              : syscall(SYS_getxattr, path, name, value, size);
}
API ssize_t lgetxattr(const char *path, const char *name, void *value,
                      size_t size) {
  return has_none(path, false)
             ? -1
             : syscall(SYS_lgetxattr, path, name, value, size);
}
