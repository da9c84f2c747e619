#define _GNU_SOURCE
#include "stream.h"

#include <signal.h>
#include <stdlib.h>

#include "fault.h"
#include "violation.h"

/* Limit of a stream's pending work: a submission beyond it waits, as with a device's queue. */
enum { most_pending = 1 << 14 };

static void stream_end(struct object *o) {
  struct stream *s = (struct stream *)o;
  clock_clear(&s->before);
  pthread_mutex_destroy(&s->lock);
  pthread_cond_destroy(&s->arrived);
  pthread_cond_destroy(&s->done);
  free(s);
}

struct stream *stream_new(struct device *d, bool blocking) {
  struct stream *s = calloc(1, sizeof *s);
  if (!s)
    return NULL;
  s->object.kind = kind_stream;
  s->object.device = d->number;
  s->object.end = stream_end;
  s->device = d;
  s->blocking = blocking;
  pthread_mutex_init(&s->lock, NULL);
  pthread_cond_init(&s->arrived, NULL);
  pthread_cond_init(&s->done, NULL);
  return s;
}

void stream_release(struct stream *s) { object_release(&s->object); }

static void work_end(struct work *w) { free(w); }

struct work *work_nothing(const char *name) {
  struct work *w = calloc(1, sizeof *w);
  if (!w)
    abort();
  w->name = name;
  w->end = work_end;
  return w;
}

/* Runs a piece of work and marks it finished. */
static void execute(struct stream *s, struct work *w) {
  clock_wait(&w->after);
  call_current = w->name;
  hipError_t e = w->run ? w->run(w) : hipSuccess;
  uint64_t number = w->number;
  clock_clear(&w->after);
  w->end(w);
  if (e != hipSuccess)
    fault_on_stream(e);
  pthread_mutex_lock(&s->lock);
  if (e != hipSuccess && s->error == hipSuccess) {
    s->error = e;
    s->failed = number;
  }
  atomic_store(&s->finished, number);
  pthread_cond_broadcast(&s->done);
  pthread_mutex_unlock(&s->lock);
}

static void *serve(void *arg) {
  struct stream *s = arg;
  pthread_mutex_lock(&s->lock);
  for (;;) {
    while (!s->first && !s->ending)
      pthread_cond_wait(&s->arrived, &s->lock);
    struct work *w = s->first;
    if (!w)
      break;
    s->first = w->next;
    pthread_mutex_unlock(&s->lock);
    execute(s, w);
    pthread_mutex_lock(&s->lock);
  }
  pthread_mutex_unlock(&s->lock);
  stream_release(s);
  return NULL;
}

/* Starts the stream's thread, under its lock. The program's signals are not for it. */
static void start(struct stream *s) {
  sigset_t all, old;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &old);
  object_hold(&s->object);
  if (pthread_create(&s->thread, NULL, serve, s) != 0)
    abort();
  pthread_sigmask(SIG_SETMASK, &old, NULL);
  s->has_thread = true;
}

/* The order with the null stream: adds what work that is submitted now waits for. Under the device's lock. */
static void order_with_null(struct stream *s, struct clock *after,
                            struct clock *before) {
  struct device *d = s->device;
  if (s != d->null) {
    if (s->blocking && d->null) {
      clock_add(after, d->null, d->null->submitted);
      clock_join(before, &d->null->before);
    }
    return;
  }
  for (struct stream *other = d->streams; other; other = other->next)
    if (other->blocking) {
      clock_add(after, other, other->submitted);
      clock_join(before, &other->before);
    }
}

static void push(struct stream *s, struct work *w) {
  pthread_mutex_lock(&s->lock);
  if (s->first)
    s->last->next = w;
  else
    s->first = w;
  s->last = w;
  if (!s->has_thread)
    start(s);
  pthread_cond_signal(&s->arrived);
  pthread_mutex_unlock(&s->lock);
}

uint64_t stream_submit(struct stream *s, struct work *w, struct clock *after,
                       const struct touch *touch, size_t touches) {
  struct device *d = s->device;
  if (after)
    w->after = *after;
  pthread_mutex_lock(&d->lock);
  uint64_t full = s->submitted > most_pending ? s->submitted - most_pending : 0;
  pthread_mutex_unlock(&d->lock);
  stream_wait(s, full);
  pthread_mutex_lock(&d->lock);
  uint64_t number = w->number = ++s->submitted;
  order_with_null(s, &w->after, &s->before);
  clock_join(&s->before, &w->after);
  for (size_t i = 0; i < touches; i++)
    order_use(&touch[i], s, number, &s->before, w->name);
  push(s, w);
  pthread_mutex_unlock(&d->lock);
  return number;
}

uint64_t stream_record(struct stream *s, struct clock *c) {
  struct device *d = s->device;
  /* On the null stream it is work like any other: the other streams wait for it. */
  if (!s->object.handle)
    stream_submit(s, work_nothing("hipEventRecord"), NULL, NULL, 0);
  pthread_mutex_lock(&d->lock);
  uint64_t number = s->submitted;
  clock_add(c, s, number);
  clock_join(c, &s->before);
  order_with_null(s, c, c);
  pthread_mutex_unlock(&d->lock);
  return number;
}

void stream_record_all(struct device *d, bool blocking_only, struct clock *c) {
  pthread_mutex_lock(&d->lock);
  if (d->null)
    clock_add(c, d->null, d->null->submitted);
  for (struct stream *s = d->streams; s; s = s->next)
    if (s->blocking || !blocking_only)
      clock_add(c, s, s->submitted);
  pthread_mutex_unlock(&d->lock);
}

void stream_wait_all(struct device *d) {
  struct clock c = {0};
  stream_record_all(d, false, &c);
  clock_wait(&c);
  clock_clear(&c);
}

void stream_stop(struct stream *s) {
  pthread_mutex_lock(&s->device->lock);
  uint64_t number = s->submitted;
  pthread_mutex_unlock(&s->device->lock);
  stream_wait(s, number);
  pthread_mutex_lock(&s->lock);
  s->ending = true;
  pthread_cond_signal(&s->arrived);
  pthread_mutex_unlock(&s->lock);
  if (s->has_thread)
    pthread_join(s->thread, NULL);
}

void stream_wait(struct stream *s, uint64_t number) {
  if (atomic_load(&s->finished) >= number)
    return;
  pthread_mutex_lock(&s->lock);
  while (atomic_load(&s->finished) < number)
    pthread_cond_wait(&s->done, &s->lock);
  pthread_mutex_unlock(&s->lock);
}

hipError_t stream_error(struct stream *s, uint64_t number, bool tell) {
  pthread_mutex_lock(&s->lock);
  hipError_t e = s->failed <= number ? s->error : hipSuccess;
  if (e != hipSuccess && tell)
    s->error = hipSuccess;
  pthread_mutex_unlock(&s->lock);
  return e;
}
