/* The driver's functions that C calls, and how often it called them. */

#include "direct.h"

#include <stddef.h>
#include <time.h>

#include "onenode.h"

struct direct_calls direct;

void direct_offer(uintptr_t driver, uintptr_t launch, uintptr_t synchronize,
                  bool one_device, bool timed) {
  direct.driver = driver;
  direct.launch = (void *)launch;
  direct.synchronize = (void *)synchronize;
  direct.one_device = one_device;
  direct.timed = timed;
  direct.simple = !timed && !onenode_enabled;
  __atomic_store_n(&direct.offered, true, __ATOMIC_RELEASE);
}

/* Sums the counter of launches or of waits over all threads; 0 for other functions. */
static uint64_t sum_of(enum call call, size_t launches, size_t waits) {
  if (call != call_mgpuLaunchKernel && call != call_mgpuStreamSynchronize)
    return 0;
  size_t offset = call == call_mgpuLaunchKernel ? launches : waits;
  uint64_t sum = 0;
  for (struct thread *t = threads_all(); t != NULL; t = t->next)
    sum += __atomic_load_n((uint64_t *)((char *)t + offset), __ATOMIC_RELAXED);
  return sum;
}

uint64_t direct_calls_made(enum call call) {
  return sum_of(call, offsetof(struct thread, launches),
                offsetof(struct thread, waits));
}

uint64_t direct_ns(enum call call) {
  return sum_of(call, offsetof(struct thread, launch_ns),
                offsetof(struct thread, wait_ns));
}

static int32_t do_nothing(void) { return 0; }

uintptr_t direct_nothing(void) { return (uintptr_t)do_nothing; }

uint64_t monotonic_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}
