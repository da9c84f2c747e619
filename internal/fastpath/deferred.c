/* LLVM 21 and later load modules in global constructors: at the program's start, or in
 * Python's import. A load at that time would start Go and create a context on device 0 also
 * in processes that never launch, that fork first, or that use another device.
 *
 * The handle is the address of the deferred module's record. Records are never freed, so a
 * handle is never reused. A program has as many records as GPU modules. */

#include "deferred.h"

#include <pthread.h>
#include <stdlib.h>

enum state { waiting, loaded, dropped };

struct deferred {
  struct deferred *next;
  uintptr_t image, module;
  int32_t opt;
  enum state state; /* changed under mu; once loaded, module is fixed */
  pthread_mutex_t mu;
};

static struct deferred *all; /* grows at its head; none is removed */

uintptr_t deferred_load(uintptr_t image, int32_t opt) {
  struct deferred *d = calloc(1, sizeof *d);
  if (d == NULL)
    return 0;
  d->image = image;
  d->opt = opt;
  pthread_mutex_init(&d->mu, NULL);
  d->next = __atomic_load_n(&all, __ATOMIC_RELAXED);
  while (!__atomic_compare_exchange_n(&all, &d->next, d, false,
                                      __ATOMIC_RELEASE, __ATOMIC_RELAXED))
    ;
  return (uintptr_t)d;
}

static struct deferred *find(uintptr_t handle) {
  struct deferred *d = __atomic_load_n(&all, __ATOMIC_ACQUIRE);
  while (d != NULL && (uintptr_t)d != handle)
    d = d->next;
  return d;
}

uintptr_t deferred_module(uintptr_t handle,
                          uintptr_t (*load)(uintptr_t image, int32_t opt)) {
  struct deferred *d = find(handle);
  if (d == NULL)
    return handle;
  if (__atomic_load_n(&d->state, __ATOMIC_ACQUIRE) == loaded)
    return d->module;
  pthread_mutex_lock(&d->mu);
  if (d->state == waiting) {
    d->module = load(d->image, d->opt);
    __atomic_store_n(&d->state, loaded, __ATOMIC_RELEASE);
  }
  uintptr_t module = d->module;
  pthread_mutex_unlock(&d->mu);
  return module;
}

bool deferred_unload(uintptr_t *handle) {
  struct deferred *d = find(*handle);
  if (d == NULL)
    return false;
  pthread_mutex_lock(&d->mu);
  bool never = d->state == waiting;
  if (never)
    d->state = dropped;
  *handle = d->module;
  pthread_mutex_unlock(&d->mu);
  return never;
}
