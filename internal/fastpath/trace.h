/* Records of calls in the file that MGPU_TRACE names: see internal/trace. */
#ifndef MGPU_FASTPATH_TRACE_H
#define MGPU_FASTPATH_TRACE_H

#include <stdbool.h>
#include <stdint.h>

#include "layout.h"
#include "thread.h"

/* Set while calls are recorded, or created handles are noted. */
extern bool trace_on __attribute__((visibility("hidden")));

/* A call in progress. If calls are neither recorded nor noted, only start is set, to 0. */
struct traced_call {
  uint64_t start, number;
  uint32_t call, way;
  bool recorded;
  uintptr_t site;              /* return address of the call */
  const struct launch *launch; /* NULL: x has the arguments */
  uint64_t x[4];               /* two arguments, bytes, stream */
  uint64_t result;
};

/* Begin and end the record of a call. */
void trace_enter(struct traced_call *c, enum call call, uintptr_t site);
void trace_leave(struct traced_call *c);

static inline void trace_end(struct traced_call *c) {
  if (__builtin_expect(c->start != 0, 0))
    trace_leave(c);
}

/* Records a driver call that has returned: trace_launch, trace_graph, trace_synchronize or
 * trace_wait. from is the time of its begin, in nanoseconds of the monotonic clock. */
void trace_driver_call(uint32_t what, uint64_t from);

/* Counts a call that does not use ENTER. */
void trace_count(void);

/* Passes the address of the mapped file, or 0 for none, to all threads. A previous file
 * stays mapped. */
void trace_offer(uintptr_t file);

/* Makes each call that creates or releases something call note at its end. */
void trace_note(void (*note)(const struct traced_call *c));

/* Records the call of the surrounding function, whose name is call. */
#define TRACE_CALL(call)                                                       \
  struct traced_call traced_ __attribute__((cleanup(trace_end)));              \
  traced_.start = 0;                                                           \
  if (__builtin_expect(trace_on, 0))                                           \
  trace_enter(&traced_, call_##call, (uintptr_t)__builtin_return_address(0))

/* Store the call's arguments and result for the record, without a branch: the compiler moves
 * the stores to where the record is written. */
#define TRACE_ARGS(a, b, bytes, stream)                                        \
  (traced_.x[0] = (uint64_t)(a), traced_.x[1] = (uint64_t)(b),                 \
   traced_.x[2] = (uint64_t)(bytes), traced_.x[3] = (uint64_t)(stream))
#define TRACE_LAUNCH(l) (traced_.launch = (l))
#define TRACE_RESULT(p) (traced_.result = (uint64_t)(p))
#define TRACE_WAY(w) (traced_.way = (w))

#endif
