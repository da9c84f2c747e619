#define _GNU_SOURCE
#include "memory.h"

#include <stdlib.h>
#include <sys/mman.h>

#include "blocks.h"
#include "capture.h"
#include "device.h"
#include "host.h"
#include "option.h"
#include "real.h"
#include "stream.h"
#include "violation.h"

static const uint64_t granule = 4096;
static uint64_t capacity;
static _Atomic uint64_t in_use[most_devices];

void memory_configure(void) {
  capacity = option_number("FAKEHIP_MEMORY", (uint64_t)4 << 30);
}

void memory_release(struct block *b) {
  if (atomic_fetch_sub(&b->references, 1) != 1)
    return;
  if (b->host && b->place != place_registered && b->place != place_variable)
    munmap(b->host, b->size);
  usages_clear(&b->usages);
  pthread_mutex_destroy(&b->lock);
  free(b);
}

static struct block *block_new(enum place place, struct device *d,
                               uint64_t size, enum function maker) {
  struct block *b = calloc(1, sizeof *b);
  if (!b)
    return NULL;
  atomic_init(&b->references, 1);
  b->place = place;
  b->device = d->number;
  b->size = size;
  b->maker = maker;
  b->made_by = call_count(maker);
  pthread_mutex_init(&b->lock, NULL);
  return b;
}

/* Reserves bytes of a device's memory. */
static bool charge(struct device *d, uint64_t bytes) {
  uint64_t used = atomic_load(&in_use[d->number]);
  do {
    if (bytes > capacity || used > capacity - bytes)
      return false;
  } while (
      !atomic_compare_exchange_weak(&in_use[d->number], &used, used + bytes));
  return true;
}

static bool find_room(struct block *b) {
  void *p = mmap(NULL, b->size, PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (p == MAP_FAILED)
    return false;
  b->host = p;
  if (b->place == place_device)
    return blocks_place(b);
  b->address = (uint64_t)(uintptr_t)p;
  return blocks_enter(b);
}

static hipError_t allocate(void **out, uint64_t size, enum place place,
                           enum function maker) {
  struct device *d = device_current();
  if (!out)
    return hipErrorInvalidValue;
  if (!d)
    return hipErrorNoDevice;
  hipError_t forbidden = capture_forbids_call();
  *out = NULL;
  if (size == 0 || forbidden != hipSuccess)
    return forbidden;
  uint64_t reserved =
      place == place_pinned ? 0 : (size + granule - 1) & ~(granule - 1);
  if (reserved < size && place != place_pinned)
    return hipErrorOutOfMemory;
  if (!charge(d, reserved))
    return hipErrorOutOfMemory;
  struct block *b = block_new(place, d, size, maker);
  bool made = b && find_room(b);
  if (made) {
    b->reserved = reserved;
    *out = (void *)(uintptr_t)b->address;
  } else {
    atomic_fetch_sub(&in_use[d->number], reserved);
  }
  if (b)
    memory_release(b);
  return made ? hipSuccess : hipErrorOutOfMemory;
}

hipError_t real_hipMalloc(void **out, size_t size) {
  return allocate(out, size, place_device, call_hipMalloc);
}

hipError_t real_hipMallocManaged(void **out, size_t size, unsigned flags) {
  if (flags != hipMemAttachGlobal && flags != hipMemAttachHost)
    return hipErrorInvalidValue;
  return allocate(out, size, place_managed, call_hipMallocManaged);
}

hipError_t real_hipHostMalloc(void **out, size_t size, unsigned flags) {
  (void)flags; /* where the memory lies: here it is all the same */
  return allocate(out, size, place_pinned, call_hipHostMalloc);
}

struct block *memory_variable(int device, void *host, uint64_t bytes) {
  struct block *b = block_new(place_variable, device_at(device), bytes,
                              call_hipModuleGetGlobal);
  if (!b)
    return NULL;
  b->host = host;
  b->forgiven = true;
  if (blocks_place(b))
    return b;
  memory_release(b);
  return NULL;
}

void memory_variable_end(struct block *b) {
  blocks_remove(b);
  memory_release(b);
}

/* Reports whether a call that frees may get this block. */
static bool freed_by(const struct block *b, enum function f) {
  return f == call_hipHostFree ? b->place == place_pinned
         : f == call_hipHostUnregister
             ? b->place == place_registered
             : b->place == place_device || b->place == place_managed;
}

/* Begins to free what begins at p: a block with a reference that no other thread frees, or NULL and a violation. */
static struct block *begin_free(void *p, enum function f) {
  uint64_t address = (uint64_t)(uintptr_t)p;
  struct block *b = blocks_find(address);
  if (!b) {
    violation(violation_memory,
              "%p: nothing was allocated there, or registered", p);
    return NULL;
  }
  enum state live = state_live;
  if (b->address != address)
    violation(violation_memory, "%p lies %llu bytes inside the block at %#llx",
              p, (unsigned long long)(address - b->address),
              (unsigned long long)b->address);
  else if (!freed_by(b, f))
    violation(violation_memory, "%p is of %s, and not for this call", p,
              call_name[b->maker]);
  else if (!atomic_compare_exchange_strong(&b->state, &live, state_freeing))
    violation(violation_memory, "%p was freed before", p);
  else
    return b;
  memory_release(b);
  return NULL;
}

static hipError_t end_free(struct block *b) {
  stream_wait_all(device_at(b->device));
  const char *user = order_pending(b);
  if (user)
    violation(violation_order,
              "%#llx is freed while %s on another device's stream uses it",
              (unsigned long long)b->address, user);
  blocks_remove(b);
  atomic_fetch_sub(&in_use[b->device], b->reserved);
  memory_release(b);
  return hipSuccess;
}

static hipError_t free_by(void *p, enum function f) {
  hipError_t forbidden = p ? capture_forbids_call() : hipSuccess;
  if (!p || forbidden != hipSuccess)
    return forbidden;
  struct block *b = begin_free(p, f);
  return b ? end_free(b) : hipErrorInvalidValue;
}

struct found {
  int device;
  uint64_t address; /* of one that is left; 0: none is */
  enum place place;
};

static void find(struct block *b, void *arg) {
  struct found *f = arg;
  if (b->device == f->device && b->place != place_variable &&
      atomic_load(&b->state) == state_live) {
    f->address = b->address;
    f->place = b->place;
  }
}

void memory_reset(int device) {
  for (;;) {
    struct found f = {.device = device};
    blocks_each(find, &f);
    if (!f.address)
      return;
    void *p = (void *)(uintptr_t)f.address;
    if (f.place == place_registered)
      (void)real_hipHostUnregister(p);
    else
      (void)free_by(p,
                    f.place == place_pinned ? call_hipHostFree : call_hipFree);
  }
}

hipError_t real_hipFree(void *p) { return free_by(p, call_hipFree); }
hipError_t real_hipHostFree(void *p) { return free_by(p, call_hipHostFree); }

hipError_t real_hipHostRegister(void *p, size_t size, unsigned flags) {
  struct device *d = device_current();
  if (!d)
    return hipErrorNoDevice;
  if (!p || size == 0 || flags > 15)
    return hipErrorInvalidValue;
  if (blocks_reserved((uint64_t)(uintptr_t)p) || !host_reachable(p, size)) {
    violation(violation_memory, "%zu bytes at %p are not the program's memory",
              size, p);
    return hipErrorInvalidValue;
  }
  struct block *b = block_new(place_registered, d, size, call_hipHostRegister);
  if (!b)
    return hipErrorOutOfMemory;
  b->host = p;
  b->address = (uint64_t)(uintptr_t)p;
  bool entered = blocks_enter(b);
  if (!entered)
    violation(violation_memory,
              "%zu bytes at %p are registered already, in part at least", size,
              p);
  memory_release(b);
  return entered ? hipSuccess : hipErrorHostMemoryAlreadyRegistered;
}

hipError_t real_hipHostUnregister(void *p) {
  struct block *b = begin_free(p, call_hipHostUnregister);
  if (!b)
    return hipErrorHostMemoryNotRegistered;
  const char *user = order_pending(b);
  if (user)
    violation(violation_order,
              "%p is unregistered while %s, submitted earlier, still uses it",
              p, user);
  blocks_remove(b);
  memory_release(b);
  return hipSuccess;
}

hipError_t real_hipHostGetDevicePointer(void **device, void *host,
                                        unsigned flags) {
  if (!device || flags != 0)
    return hipErrorInvalidValue;
  *device = NULL;
  struct block *b = memory_at((uint64_t)(uintptr_t)host);
  bool mapped = b && b->place > place_variable;
  if (b)
    memory_release(b);
  if (!mapped)
    return hipErrorInvalidValue;
  *device = host;
  return hipSuccess;
}

hipError_t real_hipMemGetAddressRange(hipDeviceptr_t *base, size_t *size,
                                      hipDeviceptr_t p) {
  struct block *b = memory_at((uint64_t)(uintptr_t)p);
  if (!b)
    return hipErrorNotFound;
  if (base)
    *base = (hipDeviceptr_t)(uintptr_t)b->address;
  if (size)
    *size = b->size;
  memory_release(b);
  return hipSuccess;
}

hipError_t real_hipMemGetInfo(size_t *left, size_t *total) {
  struct device *d = device_current();
  if (!d)
    return hipErrorNoDevice;
  if (left)
    *left = capacity - atomic_load(&in_use[d->number]);
  if (total)
    *total = capacity;
  return hipSuccess;
}
