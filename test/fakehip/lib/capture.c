#include "capture.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "real.h"

struct capture {
  struct capture *next;
  struct stream *stream;
  hipStreamCaptureMode mode;
  pthread_t thread; /* that began it */
  hipGraph_t graph;
  hipGraphNode_t last;
  bool spoiled;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct capture *all; /* under lock */
static atomic_int count;    /* of all: most calls find none */
static _Thread_local hipStreamCaptureMode mode_of_thread;

static struct capture **find(const struct stream *s) {
  struct capture **at = &all;
  while (*at && (*at)->stream != s)
    at = &(*at)->next;
  return at;
}

bool capture_has(const struct stream *s) {
  if (atomic_load(&count) == 0)
    return false;
  pthread_mutex_lock(&lock);
  bool has = *find(s) != NULL;
  pthread_mutex_unlock(&lock);
  return has;
}

/* Returns the status of an addition; a failed one invalidates the capture. */
static hipError_t added(struct capture *c, hipError_t e) {
  if (e != hipSuccess)
    c->spoiled = true;
  pthread_mutex_unlock(&lock);
  return e;
}

/* Returns a stream's open capture, locked; NULL, and nothing locked, if there is none. */
static struct capture *begin_add(const struct stream *s) {
  pthread_mutex_lock(&lock);
  struct capture *c = *find(s);
  if (c && !c->spoiled)
    return c;
  pthread_mutex_unlock(&lock);
  return NULL;
}

hipError_t capture_launch(struct stream *s, struct job *j) {
  struct capture *c = begin_add(s);
  if (c)
    return added(c, graph_append_launch(c->graph, &c->last, j));
  launch_drop(j);
  return hipErrorStreamCaptureInvalidated;
}

hipError_t capture_copy(struct stream *s, void *dst, const void *src,
                        size_t bytes, hipMemcpyKind kind) {
  struct capture *c = begin_add(s);
  return c ? added(c,
                   graph_append_copy(c->graph, &c->last, dst, src, bytes, kind))
           : hipErrorStreamCaptureInvalidated;
}

hipError_t capture_fill(struct stream *s, void *dst, unsigned value,
                        unsigned size, size_t count_of) {
  struct capture *c = begin_add(s);
  return c ? added(c, graph_append_fill(c->graph, &c->last, dst, value, size,
                                        count_of))
           : hipErrorStreamCaptureInvalidated;
}

hipError_t capture_forbids(struct stream *s) {
  hipError_t e = hipSuccess;
  if (atomic_load(&count) == 0)
    return e;
  pthread_mutex_lock(&lock);
  for (struct capture *c = all; c; c = c->next) {
    bool implicit = !s->object.handle && c->stream->blocking &&
                    c->stream->device == s->device;
    if (c->stream != s && !implicit)
      continue;
    c->spoiled = true;
    e = implicit ? hipErrorStreamCaptureImplicit
                 : hipErrorStreamCaptureUnsupported;
  }
  pthread_mutex_unlock(&lock);
  return e;
}

hipError_t capture_forbids_call(void) {
  hipError_t e = hipSuccess;
  if (atomic_load(&count) == 0 || mode_of_thread == hipStreamCaptureModeRelaxed)
    return e;
  pthread_mutex_lock(&lock);
  for (struct capture *c = all; c; c = c->next) {
    bool own = pthread_equal(c->thread, pthread_self());
    if (c->mode == hipStreamCaptureModeRelaxed ||
        (!own && (c->mode == hipStreamCaptureModeThreadLocal ||
                  mode_of_thread == hipStreamCaptureModeThreadLocal)))
      continue;
    c->spoiled = true;
    e = hipErrorStreamCaptureUnsupported;
  }
  pthread_mutex_unlock(&lock);
  return e;
}

/* Removes and returns a stream's capture, which the caller frees; NULL if there is none. */
static struct capture *detach(const struct stream *s) {
  pthread_mutex_lock(&lock);
  struct capture **at = find(s), *c = *at;
  if (c) {
    *at = c->next;
    atomic_fetch_sub(&count, 1);
  }
  pthread_mutex_unlock(&lock);
  return c;
}

void capture_drop(struct stream *s) {
  struct capture *c = detach(s);
  if (c)
    (void)real_hipGraphDestroy(c->graph);
  free(c);
}

hipError_t real_hipStreamBeginCapture(hipStream_t handle,
                                      hipStreamCaptureMode mode) {
  hipError_t e;
  struct stream *s = stream_take(handle, &e);
  if (!s)
    return e;
  struct capture *c = NULL;
  if (!handle)
    e = hipErrorStreamCaptureUnsupported;
  else if (mode > hipStreamCaptureModeRelaxed)
    e = hipErrorInvalidValue;
  else if (capture_has(s))
    e = hipErrorIllegalState;
  else if (!(c = calloc(1, sizeof *c)))
    e = hipErrorOutOfMemory;
  if (e == hipSuccess &&
      (e = real_hipGraphCreate(&c->graph, 0)) == hipSuccess) {
    c->stream = s;
    c->mode = mode;
    c->thread = pthread_self();
    pthread_mutex_lock(&lock);
    c->next = all;
    all = c;
    atomic_fetch_add(&count, 1);
    pthread_mutex_unlock(&lock);
  } else {
    free(c);
  }
  stream_release(s);
  return e;
}

hipError_t real_hipStreamEndCapture(hipStream_t handle, hipGraph_t *graph) {
  hipError_t e;
  struct stream *s = graph ? stream_take(handle, &e) : NULL;
  if (!s)
    return graph ? e : hipErrorInvalidValue;
  struct capture *c = detach(s);
  *graph = NULL;
  if (!c)
    e = hipErrorIllegalState;
  else if (!c->spoiled)
    *graph = c->graph;
  else {
    (void)real_hipGraphDestroy(c->graph);
    e = hipErrorStreamCaptureInvalidated;
  }
  free(c);
  stream_release(s);
  return e;
}

hipError_t real_hipStreamIsCapturing(hipStream_t handle,
                                     hipStreamCaptureStatus *status) {
  hipError_t e;
  struct stream *s = status ? stream_take(handle, &e) : NULL;
  if (!s)
    return status ? e : hipErrorInvalidValue;
  pthread_mutex_lock(&lock);
  struct capture *c = *find(s);
  *status = !c           ? hipStreamCaptureStatusNone
            : c->spoiled ? hipStreamCaptureStatusInvalidated
                         : hipStreamCaptureStatusActive;
  pthread_mutex_unlock(&lock);
  stream_release(s);
  return hipSuccess;
}

hipError_t real_hipThreadExchangeStreamCaptureMode(hipStreamCaptureMode *mode) {
  if (!mode || *mode > hipStreamCaptureModeRelaxed)
    return hipErrorInvalidValue;
  hipStreamCaptureMode before = mode_of_thread;
  mode_of_thread = *mode;
  *mode = before;
  return hipSuccess;
}
