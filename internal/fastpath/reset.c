/* The question whether the program has reset the device takes 60 to 75 ns, as much as an
 * allocation. A thread that calls the library again within half a microsecond is not asked
 * for: in that time no reset begins and ends. So loops of allocations pay for a clock, and
 * launches, which take microseconds, one question a turn at most. */

#include "reset.h"

#include <stdlib.h>

#include "_cgo_export.h"

struct canary *reset_canary;
uint64_t reset_ticks;

/* Returns how many ticks are half a microsecond, or fewer. */
static uint64_t ticks_of_reset(void) {
#if defined(__x86_64__)
  return 500; /* of clocks of 1 GHz and more */
#elif defined(__aarch64__)
  uint64_t hz;
  __asm__("mrs %0, cntfrq_el0" : "=r"(hz));
  return hz / 2000000;
#else
  return 0;
#endif
}

void reset_watch(uintptr_t at, uint64_t id) {
  struct canary *c = NULL, *last = reset_canary;
  if (at != 0 && direct.memory_number != NULL &&
      (c = malloc(sizeof *c)) != NULL)
    *c = (struct canary){last, at, id};
  reset_ticks = ticks_of_reset();
  __atomic_store_n(&reset_canary, c, __ATOMIC_RELEASE);
}

void reset_ask(const struct canary *c) {
  struct given g = direct.memory_number(direct.driver, c->at, 0);
  if (__builtin_expect(g.status != 0 || g.value != c->id, 0))
    goDeviceReset();
  this_thread->reset_looked = ticks_now();
}
