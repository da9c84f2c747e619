/* Notices that the program has reset the device by the vendor's library. That destroys what
 * the library keeps of the driver's: streams, memory, and events and modules of some
 * vendors. */
#ifndef MGPU_FASTPATH_RESET_H
#define MGPU_FASTPATH_RESET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include "driver.h"
#include "thread.h"

/* An allocation of the library's own, which is there until the device is reset. Its number
 * is no other allocation's, at whatever address. */
struct canary {
  struct canary
      *replaced; /* keeps it reachable: another thread may be reading it */
  uintptr_t at;
  uint64_t number;
  bool slow; /* the coarse clock ticks during each reset */
};

/* NULL: resets are not looked for. */
extern struct canary *reset_canary __attribute__((visibility("hidden")));

/* Looks for resets by a canary from now on; at is 0: no more. */
void reset_watch(uintptr_t at, uint64_t number, bool slow);

/* Asks the driver for the canary. If it is gone, Go forgets what was the device's. */
void reset_ask(const struct canary *c);

/* How many ticks a reset takes at least. */
extern uint64_t reset_ticks __attribute__((visibility("hidden")));

/* Returns the processor's clock. */
static inline uint64_t ticks_now(void) {
#if defined(__x86_64__)
  return __builtin_ia32_rdtsc();
#elif defined(__aarch64__)
  uint64_t t;
  __asm__ volatile("mrs %0, cntvct_el0" : "=r"(t));
  return t;
#else
  return 0; /* reset_ticks is 0: the driver is asked each time */
#endif
}

/* Returns the monotonic clock in nanoseconds, of a few milliseconds' resolution. */
static inline int64_t clock_coarse(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC_COARSE, &t);
  return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/* Called before something kept is given out. Asks the driver, unless the thread's last look
 * is so recent that there was no time for a reset. now: clock_coarse, 0 if it is not known. */
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
