#include "kfd.h"

#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sysmacros.h>

#ifndef MFD_CLOEXEC
#define MFD_CLOEXEC 1u
#endif

enum { most_devices = 65 };

static struct {
  struct library calls;
  pid_t opened;  /* process that has calls; 0: none */
  pid_t devices; /* likewise, of the descriptors */
  int fd[most_devices];
  uint32_t minor[most_devices];
  ino_t inode[most_devices];
  int count;
  dev_t memory; /* device number of files in memory, 0 until one was made */
  uint8_t *claims;
} state;

static int
    owner; /* process one of whose threads opens the library; another's: it was forked meanwhile */
static __thread bool opening;

static void lock(void) {
  int me = getpid(), seen;
  while (!__atomic_compare_exchange_n(&owner, &(int){0}, me, false,
                                      __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)) {
    seen = __atomic_load_n(&owner, __ATOMIC_RELAXED);
    if (seen != 0 && seen != me &&
        __atomic_compare_exchange_n(&owner, &seen, me, false, __ATOMIC_ACQUIRE,
                                    __ATOMIC_RELAXED))
      return;
    sched_yield();
  }
}

static void unlock(void) { __atomic_store_n(&owner, 0, __ATOMIC_RELEASE); }

/* Where libmgpu_rocm.so is: beside this library. */
static bool beside(char *path, size_t size) {
  Dl_info at;
  if (!dladdr((void *)beside, &at) || !at.dli_fname)
    return false;
  const char *slash = strrchr(at.dli_fname, '/');
  int folder = slash ? (int)(slash - at.dli_fname + 1) : 0;
  return snprintf(path, size, "%.*slibmgpu_rocm.so", folder, at.dli_fname) <
         (int)size;
}

/* A copy of a file, which the loader takes for another library. The parent's Go runtime has no threads in a
 * child of fork. */
static bool copied(char *path, size_t size) {
  char buffer[1 << 16];
  ssize_t n = -1;
  int from = syscall(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC);
  int to = syscall(SYS_memfd_create, "libmgpu_rocm.so", MFD_CLOEXEC);
  while (from >= 0 && to >= 0 && (n = read(from, buffer, sizeof buffer)) > 0)
    if (write(to, buffer, n) != n)
      break;
  if (from >= 0)
    close(from);
  snprintf(path, size, "/proc/self/fd/%d", to); /* it stays open */
  return n == 0;
}

static bool load(bool again) {
  char path[4096];
  if (!beside(path, sizeof path) || (again && !copied(path, sizeof path)))
    return false;
  void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!handle) {
    fprintf(stderr, "mgpu: no software GPU for ROCm: %s\n", dlerror());
    return false;
  }
  bool all = true;
#define CALL(name, parameters)                                                 \
  *(void **)&state.calls.name = dlsym(handle, "mgpu_kfd_" #name);              \
  all = all && state.calls.name;
  KFD_CALLS(CALL)
#undef CALL
  return all;
}

const struct library *library(void) {
  pid_t me = getpid();
  if (__atomic_load_n(&state.opened, __ATOMIC_ACQUIRE) == me)
    return &state.calls;
  if (opening)
    return NULL;
  opening = true;
  int e = errno;
  lock();
  if (state.opened != me && load(state.opened != 0))
    __atomic_store_n(&state.opened, me, __ATOMIC_RELEASE);
  bool ok = state.opened == me;
  unlock();
  errno = e;
  opening = false;
  return ok ? &state.calls : NULL;
}

const struct library *library_if_open(void) {
  return __atomic_load_n(&state.devices, __ATOMIC_ACQUIRE) == getpid() &&
                 !opening
             ? &state.calls
             : NULL;
}

bool devices_open(const struct library *l) {
  pid_t me = getpid();
  if (__atomic_load_n(&state.devices, __ATOMIC_ACQUIRE) == me)
    return true;
  lock();
  if (state.devices != me) {
    int32_t list[most_devices];
    uint8_t *claims = (uint8_t *)syscall(
        SYS_mmap, NULL, (size_t)claims_size, PROT_READ | PROT_WRITE,
        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (claims != MAP_FAILED &&
        l->files(list, state.minor, most_devices, claims) == 0) {
      struct stat s;
      state.claims = claims;
      for (state.count = 0;
           state.count < most_devices && list[state.count] >= 0;
           state.count++) {
        syscall(SYS_fstat, list[state.count], &s);
        state.fd[state.count] = list[state.count];
        state.inode[state.count] = s.st_ino;
        state.memory = s.st_dev;
      }
      __atomic_store_n(&state.devices, me, __ATOMIC_RELEASE);
    }
  }
  unlock();
  return state.devices == me;
}

int device_open(int index, int flags) {
  if (index >= state.count) {
    errno = ENXIO;
    return -1;
  }
  return fcntl(state.fd[index], flags & O_CLOEXEC ? F_DUPFD_CLOEXEC : F_DUPFD,
               3);
}

int device_of(int fd) {
  struct stat s;
  if (!state.devices || fd < 0 || syscall(SYS_fstat, fd, &s) != 0 ||
      s.st_dev != state.memory)
    return no_device;
  for (int i = 0; i < state.count; i++)
    if (s.st_ino == state.inode[i])
      return state.devices == getpid() ? i : stale_device;
  return no_device;
}

dev_t device_number(int index) {
  return makedev(index == 0 ? control_major : render_major, state.minor[index]);
}

bool in_memory(int fd) {
  struct stat s;
  return state.memory && fd >= 0 && syscall(SYS_fstat, fd, &s) == 0 &&
         s.st_dev == state.memory;
}

bool claimed(uintptr_t addr, size_t size) {
  uint8_t *claims = state.claims;
  if (!claims || size == 0 || addr >> 47 || (addr + size - 1) >> 47)
    return false;
  for (uintptr_t part = addr >> claim_bits;
       part <= (addr + size - 1) >> claim_bits; part++)
    if (__atomic_load_n(&claims[part], __ATOMIC_ACQUIRE))
      return true;
  return false;
}

/* Names of files in memory begin so. */
static const char mark[] = "mgpu:";

int text_open(const char *path, const char *text, size_t size, int flags) {
  char name[250];
  struct stat s;
  snprintf(name, sizeof name, "%s%s", mark, path);
  int fd = syscall(SYS_memfd_create, name, flags & O_CLOEXEC ? MFD_CLOEXEC : 0);
  if (fd < 0)
    return -1;
  if (syscall(SYS_pwrite64, fd, text, size, 0) != (ssize_t)size ||
      syscall(SYS_fstat, fd, &s) != 0) {
    close(fd);
    errno = ENOMEM;
    return -1;
  }
  state.memory = s.st_dev;
  return fd;
}

/* What the system calls a file in memory, after its "/memfd:". */
static bool memory_name(int fd, char *name, size_t size) {
  char at[32], link[320];
  static const char begin[] = "/memfd:", end[] = " (deleted)";
  if (!in_memory(fd))
    return false;
  snprintf(at, sizeof at, "/proc/self/fd/%d", fd);
  ssize_t n = syscall(SYS_readlinkat, AT_FDCWD, at, link, sizeof link - 1);
  if (n < (ssize_t)(sizeof begin + sizeof end - 2) ||
      memcmp(link, begin, sizeof begin - 1) != 0)
    return false;
  link[n - (ssize_t)(sizeof end - 1)] = 0;
  return snprintf(name, size, "%s", link + sizeof begin - 1) < (int)size;
}

bool named_path(int fd, char *path, size_t size) {
  char name[320];
  return memory_name(fd, name, sizeof name) &&
         strncmp(name, mark, sizeof mark - 1) == 0 &&
         snprintf(path, size, "%s", name + sizeof mark - 1) < (int)size;
}

bool is_dmabuf(int fd) {
  static const char begin[] = "mgpu-dmabuf:";
  char name[320];
  return memory_name(fd, name, sizeof name) &&
         strncmp(name, begin, sizeof begin - 1) == 0;
}

/* For libmgpu_sites.so, which can't know the library that a child of fork has. */
#define PASS(name, parameter, argument)                                        \
  API void mgpu_kfd_##name(parameter);                                         \
  void mgpu_kfd_##name(parameter) {                                            \
    const struct library *l = library_if_open();                               \
    if (l)                                                                     \
      l->name(argument);                                                       \
  }

PASS(allocated, struct allocation *block, block)
PASS(released, uintptr_t address, address)
PASS(reset, int32_t device, device)
