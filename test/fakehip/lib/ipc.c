/* Memory that processes lend each other. A block that is lent becomes shared memory where it is; who opens it has a
 * block of its own with the same bytes. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "memory.h"
#include "real.h"

/* Contents of a handle. */
struct lent {
  char magic[16];
  int process, descriptor;
  uint64_t size;
};

static const char magic[16] = "fakehip ipc";

_Static_assert(sizeof(struct lent) <= sizeof(hipIpcMemHandle_t), "handle");

static bool map_over(struct block *b, int fd) {
  return mmap(b->host, b->size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED,
              fd, 0) != MAP_FAILED;
}

/* Returns the block that begins at p, with a reference. */
static struct block *begins(void *p) {
  struct block *b = memory_at((uint64_t)(uintptr_t)p);
  if (!b || (b->address == (uint64_t)(uintptr_t)p && b->place == place_device))
    return b;
  memory_release(b);
  return NULL;
}

hipError_t real_hipIpcGetMemHandle(hipIpcMemHandle_t *handle, void *p) {
  struct block *b = handle ? begins(p) : NULL;
  if (!b)
    return hipErrorInvalidValue;
  int fd = memfd_create("fakehip", MFD_CLOEXEC);
  bool shared = fd >= 0 &&
                pwrite(fd, b->host, b->size, 0) == (ssize_t)b->size &&
                map_over(b, fd);
  struct lent l = {.process = (int)getpid(), .descriptor = fd, .size = b->size};
  memory_release(b);
  if (!shared) {
    if (fd >= 0)
      close(fd);
    return hipErrorOutOfMemory;
  }
  memcpy(l.magic, magic, sizeof l.magic);
  memset(handle, 0, sizeof *handle);
  memcpy(handle, &l, sizeof l);
  return hipSuccess;
}

hipError_t real_hipIpcOpenMemHandle(void **p, hipIpcMemHandle_t handle,
                                    unsigned flags) {
  struct lent l;
  memcpy(&l, &handle, sizeof l);
  /* As in HIP, a process can't open its own handle, and the one flag is required. */
  if (!p || flags != 1 || memcmp(l.magic, magic, sizeof magic) != 0 ||
      l.process == (int)getpid())
    return hipErrorInvalidValue;
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/fd/%d", l.process, l.descriptor);
  int fd = open(path, O_RDWR | O_CLOEXEC);
  if (fd < 0)
    return hipErrorInvalidValue;
  hipError_t e = real_hipMalloc(p, l.size);
  if (e == hipSuccess) {
    struct block *b = begins(*p);
    if (!b || !map_over(b, fd))
      e = hipErrorOutOfMemory;
    if (b)
      memory_release(b);
  }
  close(fd);
  return e;
}

hipError_t real_hipIpcCloseMemHandle(void *p) { return real_hipFree(p); }
