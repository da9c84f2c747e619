/* Launches, waits and streams that C lookups by itself. */
#ifndef MGPU_FASTPATH_LAUNCH_H
#define MGPU_FASTPATH_LAUNCH_H

#include <stdbool.h>
#include <stdint.h>

#include "layout.h"
#include "thread.h"

/* The number of the latest submission, in place. */
static inline uint64_t number_of(uint64_t word) {
  return word & ~(uint64_t)(stream_one_more - 1);
}

/* Number and calls under way: what equals synced if no work is pending. */
static inline uint64_t work_of(uint64_t word) {
  return word & ~(uint64_t)(stream_state_mask | stream_round_bit);
}

/* Whether a wait that begins now covers all submissions: no call is under way. */
static inline bool all_returned(uint64_t word) {
  return work_of(word) == number_of(word);
}

/* Offers the driver's functions, driver.DirectCalls, to all threads. */
void launch_offer(uintptr_t driver, uintptr_t launch, uintptr_t synchronize,
                  bool one_device, bool timed);

/* Forgets what threads know of streams: it is no longer true. */
void stream_forget(void);

/* Each does the work of an entry point, or returns false, or 0, if Go has to. */
bool launch_kernel(const struct launch *l);
bool stream_synchronize(uintptr_t stream);
uintptr_t stream_create(void);
bool stream_destroy(uintptr_t stream);

/* What the pool knows of a stream, NULL if it is none of the pool's. */
struct pool_entry *stream_entry(uintptr_t stream);

/* Whether sizes are ones that drivers take. */
bool launch_fits(const int64_t v[3]);

/* How many driver calls were made here for a function of the ABI. */
uint64_t launch_driver_calls(enum call call);

/* How many nanoseconds they took, where calls are timed. */
uint64_t launch_driver_ns(enum call call);

/* A function that takes what those of launch_offer take, and does nothing. */
uintptr_t launch_nothing(void);

#endif
