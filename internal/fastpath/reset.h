/* Notices that the program has reset the device by the vendor's library. That destroys what
 * the library keeps of the driver's: streams, memory, and events and modules of some
 * vendors. */
#ifndef MGPU_FASTPATH_RESET_H
#define MGPU_FASTPATH_RESET_H

#include <stdbool.h>
#include <stdint.h>

#include "direct.h"
#include "thread.h"

/* An allocation of the library's own, which is there until the device is reset. Its number
 * is no other allocation's, at whatever address. */
struct canary {
  struct canary
      *replaced; /* keeps it reachable: another thread may be reading it */
  uintptr_t at;
  uint64_t id;
};

/* NULL: resets are not looked for. */
extern struct canary *reset_canary __attribute__((visibility("hidden")));

/* Looks for resets by a canary from now on; at is 0: no more. */
void reset_watch(uintptr_t at, uint64_t id);

/* How many ticks a reset takes at least: half a microsecond. It frees the canary. */
extern uint64_t reset_ticks __attribute__((visibility("hidden")));

/* Returns the processor's clock, which costs less than a question to the driver. */
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

/* Asks the driver for the canary. If it is gone, Go forgets what was the device's. */
void reset_ask(const struct canary *c);

/* Called before something kept is given out. The driver is asked unless the thread's last
 * look is so recent that there was no time for a reset. */
static inline void reset_notice(void) {
  const struct canary *c = __atomic_load_n(&reset_canary, __ATOMIC_ACQUIRE);
  if (c == NULL)
    return;
  uint64_t now = ticks_now();
  if (__builtin_expect(now - this_thread->reset_looked < reset_ticks, 1))
    this_thread->reset_looked = now;
  else
    reset_ask(c);
}

/* Notes that the driver knows a stream of the library's that was there before: the device
 * was not reset. */
static inline void reset_vouch(void) {
  if (__atomic_load_n(&reset_canary, __ATOMIC_RELAXED) != NULL)
    this_thread->reset_looked = ticks_now();
}

#endif
