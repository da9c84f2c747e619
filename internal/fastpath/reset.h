/* Detects that the program has reset the device through the driver's own library. A reset
 * destroys the objects that the library has from the driver: streams, memory, and with some
 * drivers events and modules. */
#ifndef MGPU_FASTPATH_RESET_H
#define MGPU_FASTPATH_RESET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include "driver.h"
#include "thread.h"

/* An allocation by the library that exists until the device is reset. No other allocation
 * gets its number, at whatever address. */
struct canary {
  struct canary
      *replaced; /* keeps it reachable: another thread may be reading it */
  uintptr_t at;
  uint64_t number;
  bool slow; /* the coarse clock ticks during each reset */
};

/* NULL: resets are not detected. */
extern struct canary *reset_canary __attribute__((visibility("hidden")));

/* Detects resets by a canary from now on. If at is 0, ends that. */
void reset_watch(uintptr_t at, uint64_t number, bool slow);

/* Queries the driver for the canary. If it is gone, Go forgets all that was on the device. */
void reset_ask(const struct canary *c);

/* The shortest time between two queries, in ticks. */
extern uint64_t reset_ticks __attribute__((visibility("hidden")));

/* Returns the processor's clock, in ticks. */
static inline uint64_t ticks_now(void) {
#if defined(__x86_64__)
  return __builtin_ia32_rdtsc();
#elif defined(__aarch64__)
  uint64_t t;
  __asm__ volatile("mrs %0, cntvct_el0" : "=r"(t));
  return t;
#else
  return 0; /* reset_ticks is 0: the driver is queried each time */
#endif
}

/* Returns the monotonic time in nanoseconds, with a resolution of a few milliseconds. */
static inline int64_t clock_coarse(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC_COARSE, &t);
  return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/* Called before an object of the library is given out. Queries the driver, unless the
 * thread's previous check was so recent that no reset can have happened since. now:
 * clock_coarse, or 0 if unknown. */
static inline void reset_notice(int64_t now) {
  const struct canary *c = __atomic_load_n(&reset_canary, __ATOMIC_ACQUIRE);
  if (c == NULL)
    return;
  uint64_t before = this_thread->reset_looked;
  if (c->slow) {
    this_thread->reset_looked = (uint64_t)(now != 0 ? now : clock_coarse());
    if (__builtin_expect(this_thread->reset_looked == before, 1))
      return;
  } else {
    this_thread->reset_looked = ticks_now();
    if (__builtin_expect(this_thread->reset_looked - before < reset_ticks, 1))
      return;
  }
  reset_ask(c);
}

#endif
