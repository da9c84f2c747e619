/* Memory of heaps: device memory shared by the driver's IPC handles or, on the software GPU,
 * shared memory of the kernel that is registered. */
#define _GNU_SOURCE
#include "symmetric.h"

#include "mgpu_runtime.h"

#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* hipIpcMemHandle_t and CUipcMemHandle, which are passed by value. */
struct handle {
  unsigned char bytes[64];
};

enum { LAZY_PEER_ACCESS = 1 };

/* The vendor's functions. */
static struct {
  const char *file, *get_name, *open_name, *close_name;
  int (*get)(struct handle *out, void *base);
  int (*open)(void **out, struct handle handle, unsigned flags);
  int (*close)(void *base);
} vendors[] = {
    {"libamdhip64.so", "hipIpcGetMemHandle", "hipIpcOpenMemHandle",
     "hipIpcCloseMemHandle", NULL, NULL, NULL},
    {"libcuda.so", "cuIpcGetMemHandle", "cuIpcOpenMemHandle_v2",
     "cuIpcCloseMemHandle", NULL, NULL, NULL},
};

struct search {
  const char *file;
  void *library;
};

/* Opens the loaded library with a given name; its path is the runtime's choice. */
static int open_if_named(struct dl_phdr_info *info, size_t size, void *data) {
  (void)size;
  struct search *s = data;
  const char *base = strrchr(info->dlpi_name, '/');
  base = base ? base + 1 : info->dlpi_name;
  if (strncmp(base, s->file, strlen(s->file)) == 0)
    s->library = dlopen(info->dlpi_name, RTLD_NOW | RTLD_NOLOAD);
  return s->library != NULL;
}

static int vendor_of(const char *driver) {
  return strcmp(driver, "hip") == 0 ? 0 : strcmp(driver, "cuda") == 0 ? 1 : -1;
}

/* The vendor's library in the process, or NULL. */
static void *library_of(int which) {
  struct search s = {vendors[which].file, NULL};
  dl_iterate_phdr(open_if_named, &s);
  return s.library;
}

void *vendor_function(const char *driver, const char *of_hip,
                      const char *of_cuda) {
  int which = vendor_of(driver);
  void *library = which < 0 ? NULL : library_of(which);
  if (!library)
    return NULL;
  void *function = dlsym(library, which == 0 ? of_hip : of_cuda);
  dlclose(library); /* the runtime keeps its driver's library loaded */
  return function;
}

static bool find_vendor(const char *call, int which) {
  if (vendors[which].close)
    return true;
  void *library = library_of(which);
  if (!library)
    return fail(call, "%s is not in the process", vendors[which].file);
  *(void **)&vendors[which].get = dlsym(library, vendors[which].get_name);
  *(void **)&vendors[which].open = dlsym(library, vendors[which].open_name);
  *(void **)&vendors[which].close = dlsym(library, vendors[which].close_name);
  if (vendors[which].get && vendors[which].open && vendors[which].close)
    return true;
  vendors[which].close = NULL;
  return fail(call, "%s has no %s, %s or %s", vendors[which].file,
              vendors[which].get_name, vendors[which].open_name,
              vendors[which].close_name);
}

/* Registers host memory with the runtime. Returns false after printing the reason. */
static bool registered(void *base, uint64_t bytes) {
  mgpuxTakeError(NULL, 0);
  mgpuMemHostRegister(base, bytes);
  return mgpuxTakeError(NULL, 0) == mgpux_ok;
}

static char *map_shared(const char *call, int fd, uint64_t bytes) {
  void *base = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (base == MAP_FAILED) {
    fail(call, "%llu bytes of shared memory can't be mapped: %s",
         (unsigned long long)bytes, strerror(errno));
    return NULL;
  }
  if (!registered(base, bytes)) {
    munmap(base, bytes);
    return NULL;
  }
  return base;
}

bool heap_make(struct heap *h, const char *call, uint64_t bytes) {
  *h = (struct heap){.fd = -1, .shared.bytes = bytes};
  if (mgpuxGetDeviceCount() < 1)
    return false; /* which has been printed */
  struct mgpux_stats stats;
  mgpuxGetStats(&stats, sizeof stats);
  memcpy(h->shared.driver, stats.driver, sizeof h->shared.driver);
  if (strcmp(stats.driver, "soft") == 0) {
    h->fd = memfd_create("mgpu symmetric heap", MFD_CLOEXEC);
    if (h->fd < 0 || ftruncate(h->fd, (off_t)bytes) != 0)
      return fail(call, "no shared memory of %llu bytes: %s",
                  (unsigned long long)bytes, strerror(errno));
    h->base = map_shared(call, h->fd, bytes);
    return h->base != NULL;
  }
  int which = vendor_of(stats.driver);
  if (which < 0)
    return fail(call,
                "the driver %s has no memory that other processes can map",
                stats.driver);
  h->base = mgpuMemAlloc(bytes, NULL, 0);
  if (!h->base || !find_vendor(call, which))
    return false;
  struct handle handle;
  int status = vendors[which].get(&handle, h->base);
  if (status != 0)
    return fail(call, "%s: status %d", vendors[which].get_name, status);
  memcpy(h->shared.handle, &handle, sizeof handle);
  return true;
}

char *heap_map(const struct heap *mine, const char *call,
               const struct shared *theirs, int fd) {
  if (memcmp(mine->shared.driver, theirs->driver, sizeof theirs->driver) != 0 ||
      mine->shared.bytes != theirs->bytes) {
    fail(call,
         "heaps differ: %llu bytes of driver %s here, %llu of driver %.15s in "
         "another rank",
         (unsigned long long)mine->shared.bytes, mine->shared.driver,
         (unsigned long long)theirs->bytes, theirs->driver);
    return NULL;
  }
  if (fd >= 0)
    return map_shared(call, fd, theirs->bytes);
  int which = vendor_of(theirs->driver);
  struct handle handle;
  memcpy(&handle, theirs->handle, sizeof handle);
  void *base = NULL;
  int status = vendors[which].open(&base, handle, LAZY_PEER_ACCESS);
  if (status != 0) {
    fail(call, "%s: status %d", vendors[which].open_name, status);
    return NULL;
  }
  return base;
}

void heap_unmap(const struct heap *mine, char *base) {
  if (!base)
    return;
  int which = vendor_of(mine->shared.driver);
  if (which >= 0) {
    vendors[which].close(base);
    return;
  }
  mgpuMemHostUnregister(base);
  munmap(base, mine->shared.bytes);
}

void heap_free(struct heap *h) {
  if (h->base && h->fd < 0)
    mgpuMemFree(h->base, NULL);
  else if (h->base)
    heap_unmap(h, h->base);
  if (h->fd >= 0)
    close(h->fd);
  *h = (struct heap){.fd = -1};
}
