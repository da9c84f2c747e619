#include "event.h"

#include <stdlib.h>

#include "capture.h"
#include "real.h"
#include "stream.h"
#include "violation.h"

struct event {
  struct object object;
  pthread_mutex_t lock;
  /* Under it, what was recorded last. */
  struct clock clock;
  struct mark
      mark; /* the point in the stream, for its error; no stream before the first record */
};

static void event_end(struct object *o) {
  struct event *e = (struct event *)o;
  clock_clear(&e->clock);
  if (e->mark.stream)
    stream_release(e->mark.stream);
  pthread_mutex_destroy(&e->lock);
  free(e);
}

static hipError_t create(hipEvent_t *out, unsigned flags, enum function maker) {
  struct device *d = device_current();
  if (!out || (flags & ~(unsigned)(1 | hipEventDisableTiming | 4 | 0xc0000000)))
    return hipErrorInvalidValue;
  if (!d)
    return hipErrorNoDevice;
  struct event *e = calloc(1, sizeof *e);
  if (!e)
    return hipErrorOutOfMemory;
  e->object.kind = kind_event;
  e->object.device = d->number;
  e->object.end = event_end;
  pthread_mutex_init(&e->lock, NULL);
  *out = (hipEvent_t)(uintptr_t)object_publish(&e->object, maker);
  return hipSuccess;
}

hipError_t real_hipEventCreate(hipEvent_t *out) {
  return create(out, 0, call_hipEventCreate);
}

hipError_t real_hipEventCreateWithFlags(hipEvent_t *out, unsigned flags) {
  return create(out, flags, call_hipEventCreateWithFlags);
}

hipError_t real_hipEventDestroy(hipEvent_t handle) {
  struct event *e = object_retire(handle, kind_event);
  if (!e)
    return hipErrorInvalidHandle;
  object_release(&e->object);
  return hipSuccess;
}

void forgive_hipEventDestroy(hipEvent_t handle) {
  object_forgive(handle, kind_event);
}

static hipError_t record(struct event *e, struct stream *s) {
  if (e->object.device != s->object.device) {
    violation(violation_device,
              "event %#llx of device %d on stream %#llx of device %d",
              (unsigned long long)e->object.handle, e->object.device,
              (unsigned long long)s->object.handle, s->object.device);
    return hipErrorInvalidHandle;
  }
  struct clock fresh = {0};
  uint64_t number = stream_record(s, &fresh);
  object_hold(&s->object);
  pthread_mutex_lock(&e->lock);
  struct clock old = e->clock;
  struct stream *before = e->mark.stream;
  e->clock = fresh;
  e->mark = (struct mark){s, number};
  pthread_mutex_unlock(&e->lock);
  clock_clear(&old);
  if (before)
    stream_release(before);
  return hipSuccess;
}

hipError_t real_hipEventRecord(hipEvent_t handle, hipStream_t stream) {
  struct event *e = object_take(handle, kind_event);
  if (!e)
    return hipErrorInvalidHandle;
  hipError_t status;
  struct stream *s = stream_take(stream, &status);
  if (s) {
    if ((status = capture_forbids(s)) == hipSuccess)
      status = record(e, s);
    stream_release(s);
  }
  object_release(&e->object);
  return status;
}

/* Copies the work that an event has recorded. */
static void recorded(struct event *e, struct clock *c, struct mark *m) {
  pthread_mutex_lock(&e->lock);
  clock_join(c, &e->clock);
  *m = e->mark;
  if (m->stream)
    object_hold(&m->stream->object);
  pthread_mutex_unlock(&e->lock);
}

hipError_t event_clock(hipEvent_t handle, struct clock *c) {
  struct event *e = object_take(handle, kind_event);
  if (!e)
    return hipErrorInvalidHandle;
  pthread_mutex_lock(&e->lock);
  clock_join(c, &e->clock);
  pthread_mutex_unlock(&e->lock);
  object_release(&e->object);
  return hipSuccess;
}

/* An error of the work before the event, which the stream's own synchronize reports again. */
static hipError_t reach(hipEvent_t handle, bool wait) {
  struct event *e = object_take(handle, kind_event);
  if (!e)
    return hipErrorInvalidHandle;
  struct clock c = {0};
  struct mark m;
  recorded(e, &c, &m);
  object_release(&e->object);
  if (wait)
    clock_wait(&c);
  hipError_t status = !clock_reached(&c) ? hipErrorNotReady
                      : m.stream ? stream_error(m.stream, m.number, false)
                                 : hipSuccess;
  clock_clear(&c);
  if (m.stream)
    stream_release(m.stream);
  return status;
}

hipError_t real_hipEventSynchronize(hipEvent_t handle) {
  return reach(handle, true);
}
hipError_t real_hipEventQuery(hipEvent_t handle) {
  return reach(handle, false);
}
