/* Calls for streams. */
#include "stream.h"

#include <stdlib.h>

#include "capture.h"
#include "event.h"
#include "memory.h"
#include "real.h"
#include "violation.h"

static struct stream *null_stream(struct device *d) {
  pthread_mutex_lock(&d->lock);
  if (!d->null && (d->null = stream_new(d, true)))
    atomic_init(&d->null->object.references, 1); /* the device's, for good */
  struct stream *s = d->null;
  if (s)
    object_hold(&s->object);
  pthread_mutex_unlock(&d->lock);
  return s;
}

struct stream *stream_take(hipStream_t handle, hipError_t *e) {
  if (handle) {
    struct stream *s = object_take(handle, kind_stream);
    *e = s ? hipSuccess : hipErrorInvalidHandle;
    return s;
  }
  struct device *d = device_current();
  struct stream *s = d ? null_stream(d) : NULL;
  *e = s ? hipSuccess : d ? hipErrorOutOfMemory : hipErrorNoDevice;
  return s;
}

static hipError_t create(hipStream_t *out, unsigned flags,
                         enum function maker) {
  struct device *d = device_current();
  if (!out || flags > hipStreamNonBlocking)
    return hipErrorInvalidValue;
  if (!d)
    return hipErrorNoDevice;
  struct stream *s = stream_new(d, flags == hipStreamDefault);
  if (!s)
    return hipErrorOutOfMemory;
  pthread_mutex_lock(&d->lock);
  uint64_t handle = object_publish(&s->object, maker);
  s->next = d->streams;
  d->streams = s;
  pthread_mutex_unlock(&d->lock);
  *out = (hipStream_t)(uintptr_t)handle;
  return hipSuccess;
}

hipError_t real_hipStreamCreate(hipStream_t *out) {
  return create(out, hipStreamDefault, call_hipStreamCreate);
}

hipError_t real_hipStreamCreateWithFlags(hipStream_t *out, unsigned flags) {
  return create(out, flags, call_hipStreamCreateWithFlags);
}

hipError_t real_hipStreamDestroy(hipStream_t handle) {
  struct stream *s = object_retire(handle, kind_stream);
  if (!s)
    return hipErrorInvalidHandle;
  struct device *d = s->device;
  capture_drop(s);
  stream_stop(s);
  pthread_mutex_lock(&d->lock);
  struct stream **at = &d->streams;
  while (*at != s)
    at = &(*at)->next;
  *at = s->next;
  clock_clear(&s->before); /* streams may refer to each other there */
  pthread_mutex_unlock(&d->lock);
  stream_release(s);
  return hipSuccess;
}

void forgive_hipStreamDestroy(hipStream_t handle) {
  object_forgive(handle, kind_stream);
}

/* Returns the points that a synchronize waits for: for the null stream, all streams ordered with it. */
static uint64_t pending(struct stream *s, struct clock *c) {
  pthread_mutex_lock(&s->device->lock);
  uint64_t number = s->submitted;
  clock_add(c, s, number);
  pthread_mutex_unlock(&s->device->lock);
  if (!s->object.handle)
    stream_record_all(s->device, true, c);
  return number;
}

/* Reports whether the stream's work is done, and its error; with wait, after the work is done. */
static hipError_t done(hipStream_t handle, bool wait) {
  hipError_t e;
  struct stream *s = stream_take(handle, &e);
  if (!s)
    return e;
  if ((e = capture_forbids(s)) != hipSuccess) {
    stream_release(s);
    return e;
  }
  struct clock c = {0};
  uint64_t number = pending(s, &c);
  if (wait)
    clock_wait(&c);
  e = wait || clock_reached(&c) ? stream_error(s, number, wait)
                                : hipErrorNotReady;
  clock_clear(&c);
  stream_release(s);
  return e;
}

hipError_t real_hipStreamSynchronize(hipStream_t handle) {
  return done(handle, true);
}

hipError_t real_hipStreamQuery(hipStream_t handle) {
  return done(handle, false);
}

hipError_t real_hipStreamWaitEvent(hipStream_t handle, hipEvent_t event,
                                   unsigned flags) {
  hipError_t e;
  struct stream *s = stream_take(handle, &e);
  if (!s)
    return e;
  struct clock after = {0};
  e = flags ? hipErrorInvalidValue : capture_forbids(s);
  if (e == hipSuccess)
    e = event_clock(event, &after);
  if (e == hipSuccess)
    stream_submit(s, work_nothing("hipStreamWaitEvent"), &after, NULL, 0);
  stream_release(s);
  return e;
}

hipError_t real_hipDeviceSynchronize(void) {
  struct device *d = device_current();
  if (!d)
    return hipErrorNoDevice;
  hipError_t e = capture_forbids_call();
  if (e != hipSuccess)
    return e;
  struct clock c = {0};
  stream_record_all(d, false, &c);
  clock_wait(&c);
  clock_clear(&c);
  pthread_mutex_lock(&d->lock);
  for (struct stream *s = d->streams; s; s = s->next) {
    hipError_t own = stream_error(s, s->submitted, true);
    e = e == hipSuccess ? own : e;
  }
  if (d->null) {
    hipError_t own = stream_error(d->null, d->null->submitted, true);
    e = e == hipSuccess ? own : e;
  }
  pthread_mutex_unlock(&d->lock);
  return e;
}

hipError_t real_hipStreamGetFlags(hipStream_t handle, unsigned *flags) {
  hipError_t e;
  struct stream *s = flags ? stream_take(handle, &e) : NULL;
  if (!s)
    return flags ? e : hipErrorInvalidValue;
  *flags = s->blocking ? hipStreamDefault : hipStreamNonBlocking;
  stream_release(s);
  return hipSuccess;
}

/* Destroys all objects of a device; their handles count as destroyed. */
hipError_t real_hipDeviceReset(void) {
  struct device *d = device_current();
  if (!d)
    return hipErrorNoDevice;
  stream_wait_all(d);
  uint64_t handle;
  while ((handle = object_of_device(kind_exec, d->number)))
    (void)real_hipGraphExecDestroy((void *)(uintptr_t)handle);
  while ((handle = object_of_device(kind_graph, d->number)))
    (void)real_hipGraphDestroy((void *)(uintptr_t)handle);
  while ((handle = object_of_device(kind_stream, d->number)))
    (void)real_hipStreamDestroy((void *)(uintptr_t)handle);
  while ((handle = object_of_device(kind_event, d->number)))
    (void)real_hipEventDestroy((void *)(uintptr_t)handle);
  while ((handle = object_of_device(kind_module, d->number)))
    (void)real_hipModuleUnload((void *)(uintptr_t)handle);
  memory_reset(d->number);
  return hipSuccess;
}
