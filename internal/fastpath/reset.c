/* The driver does not notify of a reset. A query of the canary takes 60 to 75 ns, as much as
 * an allocation with its free. So a thread makes the query only if enough time for a reset
 * has passed since its previous check. With libcuda, whose resets take 70 ms, that is once
 * per tick of the coarse clock, which allocations read anyway. With HIP, whose reset may
 * take a microsecond, it is when the thread has made no call for 0.1 to 0.5 microseconds. */

#include "reset.h"

#include <stdlib.h>

#include "_cgo_export.h"

struct canary *reset_canary;
uint64_t reset_ticks;

static uint64_t ticks_of_reset(void) {
#if defined(__x86_64__)
  return 500; /* with clocks of 1 to 5 GHz */
#elif defined(__aarch64__)
  uint64_t hz;
  __asm__("mrs %0, cntfrq_el0" : "=r"(hz));
  return hz / 2000000;
#else
  return 0;
#endif
}

void reset_watch(uintptr_t at, uint64_t number, bool slow) {
  static struct canary *last;
  struct canary *c = NULL;
  if (at != 0 && driver.memory_number != NULL &&
      (c = malloc(sizeof *c)) != NULL) {
    *c = (struct canary){last, at, number, slow};
    last = c;
  }
  reset_ticks = ticks_of_reset();
  __atomic_store_n(&reset_canary, c, __ATOMIC_RELEASE);
}

void reset_ask(const struct canary *c) {
  struct given g = driver.memory_number(driver.self, c->at, 0);
  if (__builtin_expect(g.status != 0 || g.value != c->number, 0))
    goDeviceReset();
  if (!c->slow) /* the query took time */
    this_thread->reset_looked = ticks_now();
}
