/* The driver's functions that C calls, and how often it called them. */

#include "direct.h"

#include <stddef.h>
#include <time.h>

#include "onenode.h"
#include "trace.h"

struct direct_calls direct;

/* Notes what depends on whether driver calls are timed or recorded. */
static void direct_watch(void) {
  direct.watched = direct.timed || direct.traced;
  direct.simple = !direct.watched && !onenode_enabled;
}

void direct_offer(const struct driver_calls *calls, uintptr_t addresses,
                  bool one_device, bool timed, bool cached) {
  direct.driver = calls->driver;
  direct.launch = (void *)calls->launch_kernel;
  direct.graph_launch = (void *)calls->graph_launch;
  direct.synchronize = (void *)calls->stream_synchronize;
  direct.memory_number = (void *)calls->memory_number;
  direct.idle = (void *)calls->stream_idle;
  direct.host_sees = (void *)calls->host_sees;
  direct.usable = (void *)calls->stream_usable;
  direct.copy = (void *)calls->memcpy;
  direct.memset32 = (void *)calls->memset32;
  direct.memset16 = (void *)calls->memset16;
  direct.module_load = (void *)calls->module_load;
  direct.module_compile = (void *)calls->module_compile;
  direct.module_function = (void *)calls->module_get_function;
  direct.module_unload = (void *)calls->module_unload;
  direct.stream_create = (void *)calls->stream_create;
  direct.stream_destroy = (void *)calls->stream_destroy;
  direct.mem_alloc = (void *)calls->mem_alloc;
  direct.mem_free = (void *)calls->mem_free;
  direct.addresses = (struct copy_addresses *)addresses;
  direct.one_device = one_device;
  direct.timed = timed;
  direct_watch();
  __atomic_store_n(&direct.offered, cached, __ATOMIC_RELEASE);
  __atomic_store_n(&direct.uncached, !cached && calls->mem_free != 0,
                   __ATOMIC_RELEASE);
}

void direct_trace(bool on) {
  direct.traced = on;
  direct_watch();
}

void direct_note(enum call call, uint64_t from) {
  if (direct.timed)
    thread_count(&this_thread->driver_ns[call], monotonic_ns() - from);
  if (direct.traced)
    trace_driver_call(trace_wait, from);
}

/* Sums one function's counter of an array of such counters over all threads. */
static uint64_t sum_of(size_t counters, enum call call) {
  uint64_t sum = 0;
  for (struct thread *t = threads_all(); t != NULL; t = t->next)
    sum += __atomic_load_n((uint64_t *)((char *)t + counters) + call,
                           __ATOMIC_RELAXED);
  return sum;
}

uint64_t direct_calls_made(enum call call) {
  return sum_of(offsetof(struct thread, driver_calls), call);
}

uint64_t direct_ns(enum call call) {
  return sum_of(offsetof(struct thread, driver_ns), call);
}

static int32_t do_nothing(void) { return 0; }

uintptr_t direct_nothing(void) { return (uintptr_t)do_nothing; }

uint64_t monotonic_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}
