/* Streams: each executes its work one piece after another, on a thread of its own. */
#ifndef FAKEHIP_STREAM_H
#define FAKEHIP_STREAM_H

#include "device.h"
#include "object.h"
#include "order.h"

/* A piece of work of a stream. */
struct work {
  struct work *next;
  uint64_t number; /* in its stream, from 1 */
  const char *name;
  hipError_t (*run)(struct work *); /* on the stream's thread; may be NULL */
  void (*end)(struct work *);       /* frees it, run or not */
  struct clock after;               /* what it waits for */
};

struct stream {
  struct object object;
  struct device *device;
  struct stream *next; /* in the device's list, under the device's lock */
  bool blocking;       /* ordered with the null stream */

  /* Under the device's lock. */
  uint64_t submitted; /* the number of the latest work */
  struct clock
      before; /* what of other streams is done before work that is submitted now */

  pthread_mutex_t lock; /* for what follows; inside the device's */
  pthread_cond_t arrived, done;
  struct work *first, *last;
  _Atomic uint64_t finished; /* written under lock */
  uint64_t failed;           /* the number of the work that error is of */
  hipError_t error;          /* not yet told */
  bool ending, has_thread;
  pthread_t thread;
};

/* The stream of a handle, or the current device's null stream, with a reference for the caller. NULL where there is none:
 * then *e says why. */
struct stream *stream_take(hipStream_t handle, hipError_t *e);
void stream_release(struct stream *s);

/* A stream without a handle; NULL if there is no memory for it. queue.c, as all below. */
struct stream *stream_new(struct device *d, bool blocking);

/* Makes named work that runs nothing. */
struct work *work_nothing(const char *name);

/* Submits work that uses memory. Takes over w, and after if it is not NULL: what the work waits for besides the order of its
 * stream. Returns the work's number. */
uint64_t stream_submit(struct stream *s, struct work *w, struct clock *after,
                       const struct touch *touch, size_t touches);

/* Adds to *c what was submitted to a stream before, as an event records it, and returns the number of the latest of it. */
uint64_t stream_record(struct stream *s, struct clock *c);

/* Ends a stream's thread when its work is done. No work may be submitted any more. */
void stream_stop(struct stream *s);

/* Waits until a stream has finished a number. */
void stream_wait(struct stream *s, uint64_t number);

/* The error of a stream up to a number that was not reported yet; it counts as told now if tell. */
hipError_t stream_error(struct stream *s, uint64_t number, bool tell);

/* What was submitted to a device's streams, all or the blocking ones. */
void stream_record_all(struct device *d, bool blocking_only, struct clock *c);

/* Waits for all that was submitted to a device's streams. */
void stream_wait_all(struct device *d);

#endif
