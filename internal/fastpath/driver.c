/* The driver's functions that C calls, and the counts of these calls. */

#include "driver.h"

#include <stddef.h>
#include <time.h>

#include "onenode.h"
#include "trace.h"

struct driver driver;

/* Updates the fields that depend on whether driver calls are timed or recorded. */
static void driver_watch(void) {
  driver.watched = driver.timed || driver.traced;
  driver.simple = !driver.watched && !onenode_enabled;
}

void driver_offer(const struct driver_functions *calls, uintptr_t addresses,
                  bool one_device, bool timed, bool cached) {
  driver.self = calls->driver;
  driver.launch = (void *)calls->launch_kernel;
  driver.graph_launch = (void *)calls->graph_launch;
  driver.synchronize = (void *)calls->stream_synchronize;
  driver.memory_number = (void *)calls->memory_number;
  driver.idle = (void *)calls->stream_idle;
  driver.host_sees = (void *)calls->host_sees;
  driver.record = (void *)calls->event_record;
  driver.usable = (void *)calls->stream_usable;
  driver.copy = (void *)calls->memcpy;
  driver.memset32 = (void *)calls->memset32;
  driver.memset16 = (void *)calls->memset16;
  driver.module_load = (void *)calls->module_load;
  driver.module_compile = (void *)calls->module_compile;
  driver.module_function = (void *)calls->module_get_function;
  driver.module_unload = (void *)calls->module_unload;
  driver.stream_create = (void *)calls->stream_create;
  driver.stream_destroy = (void *)calls->stream_destroy;
  driver.mem_alloc = (void *)calls->mem_alloc;
  driver.mem_free = (void *)calls->mem_free;
  driver.addresses = (struct copy_addresses *)addresses;
  driver.one_device = one_device;
  driver.timed = timed;
  driver_watch();
  __atomic_store_n(&driver.offered, cached, __ATOMIC_RELEASE);
  __atomic_store_n(&driver.uncached, !cached && calls->mem_free != 0,
                   __ATOMIC_RELEASE);
}

void driver_trace(bool on) {
  driver.traced = on;
  driver_watch();
}

void driver_call_note(enum call call, uint64_t from) {
  if (driver.timed)
    thread_count(&this_thread->driver_ns[call], monotonic_ns() - from);
  if (driver.traced)
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

uint64_t driver_calls_made(enum call call) {
  return sum_of(offsetof(struct thread, driver_calls), call);
}

uint64_t driver_calls_ns(enum call call) {
  return sum_of(offsetof(struct thread, driver_ns), call);
}

static int32_t do_nothing(void) { return 0; }

uintptr_t driver_nothing(void) { return (uintptr_t)do_nothing; }

uint64_t monotonic_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}
