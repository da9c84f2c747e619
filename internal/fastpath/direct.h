/* The driver's functions that C calls without entering Go. */
#ifndef MGPU_FASTPATH_DIRECT_H
#define MGPU_FASTPATH_DIRECT_H

#include <stdbool.h>
#include <stdint.h>

#include "thread.h"

/* driver.DirectCalls. Written once, before offered. */
struct direct_calls {
  uintptr_t driver; /* the first argument of each function */
  int32_t (*launch)(uintptr_t, uintptr_t, uint32_t, uint32_t, uint32_t,
                    uint32_t, uint32_t, uint32_t, uint32_t, uintptr_t,
                    uintptr_t, uintptr_t);
  int32_t (*synchronize)(uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t);
  bool one_device;
  bool timed;  /* calls are timed */
  bool simple; /* calls are not timed, and launches are never made by graph */
  bool offered;
};

extern struct direct_calls direct __attribute__((visibility("hidden")));

/* Offers the driver's functions to all threads. */
void direct_offer(uintptr_t driver, uintptr_t launch, uintptr_t synchronize,
                  bool one_device, bool timed);

/* Reports whether Go has offered the driver's functions. */
static inline bool direct_offered(void) {
  return __atomic_load_n(&direct.offered, __ATOMIC_ACQUIRE);
}

/* Returns how many driver calls C made for a function of the ABI. */
uint64_t direct_calls_made(enum call call);

/* Returns how many nanoseconds these took, 0 unless calls are timed. */
uint64_t direct_ns(enum call call);

/* Returns a function that takes the arguments of the driver's, and does nothing. */
uintptr_t direct_nothing(void);

/* Returns the monotonic clock in nanoseconds. */
uint64_t monotonic_ns(void);

#endif
