/* The driver's functions that C calls without entering Go. */
#ifndef MGPU_FASTPATH_DRIVER_H
#define MGPU_FASTPATH_DRIVER_H

#include <stdbool.h>
#include <stdint.h>

#include "layout.h"
#include "thread.h"

/* A function of driver.CFunctions without a result, and one with a result. */
typedef int32_t (*driver_call)(uintptr_t, uintptr_t, uintptr_t, uintptr_t,
                               uintptr_t);
struct given {
  uintptr_t value;
  int32_t status;
};
typedef struct given (*driver_give)(uintptr_t, uintptr_t, uintptr_t);

/* driver.CFunctions.GraphLaunch. */
typedef int32_t (*driver_graph_launch)(uintptr_t, uintptr_t, uintptr_t,
                                       uintptr_t, uint32_t, uint32_t, uint32_t,
                                       uint32_t, uint32_t, uint32_t, uintptr_t,
                                       uintptr_t, bool);

/* driver.CFunctions. Written once, before offered or uncached. */
struct driver {
  uintptr_t self; /* first argument of each function */
  int32_t (*launch)(uintptr_t, uintptr_t, uint32_t, uint32_t, uint32_t,
                    uint32_t, uint32_t, uint32_t, uint32_t, uintptr_t,
                    uintptr_t, uintptr_t);
  driver_call synchronize, idle, usable, record, host_sees, copy, memset32,
      memset16;                     /* the last seven may be NULL */
  driver_give memory_number;        /* may be NULL */
  driver_graph_launch graph_launch; /* may be NULL */
  bool one_device;
  bool timed;    /* calls are timed */
  bool traced;   /* calls are recorded: see trace.h */
  bool watched;  /* timed or traced */
  bool simple;   /* not watched, and no launches by graph */
  bool offered;  /* the functions are set, for streams of the pool */
  bool uncached; /* nothing is cached: see uncached.c */
  struct copy_addresses *addresses; /* NULL: need not be noted */

  /* uncached.c */
  driver_give module_load, module_compile, module_function, stream_create,
      mem_alloc;
  driver_call module_unload, stream_destroy, mem_free;
};

extern struct driver driver __attribute__((visibility("hidden")));

/* Passes the driver's functions to all threads. cached is false with MGPU_CACHE=off. */
void driver_offer(const struct driver_functions *calls, uintptr_t addresses,
                  bool one_device, bool timed, bool cached);

/* Sets whether calls are recorded. */
void driver_trace(bool on);

/* Times and records a driver call, if that is turned on. */
void driver_call_note(enum call call, uint64_t from);

/* Reports whether Go has passed the driver's functions for streams of the pool. */
static inline bool driver_offered(void) {
  return __atomic_load_n(&driver.offered, __ATOMIC_ACQUIRE);
}

/* Returns the number of driver calls that C made for a function of the ABI. */
uint64_t driver_calls_made(enum call call);

/* Returns the nanoseconds in these driver calls, 0 unless calls are timed. */
uint64_t driver_calls_ns(enum call call);

/* Returns a function that does nothing and accepts the arguments of any function of the
 * driver. */
uintptr_t driver_nothing(void);

/* Returns the monotonic time in nanoseconds. */
uint64_t monotonic_ns(void);

/* Begin and end the timing of a driver call. The call is counted. */
static inline uint64_t driver_call_begin(void) {
  return __builtin_expect(driver.watched, 0) ? monotonic_ns() : 0;
}

static inline void driver_call_end(enum call call, uint64_t from) {
  thread_count(&this_thread->driver_calls[call], 1);
  if (__builtin_expect(driver.watched, 0))
    driver_call_note(call, from);
}

#endif
