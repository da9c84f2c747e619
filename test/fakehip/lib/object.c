#include "object.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "option.h"
#include "violation.h"

enum { per_chunk = 1024, chunks = 1 << 16 };

/* Handles begin here, far from every address and every small number, and are this far apart. */
static const uint64_t first_handle = 0x7465737400000000, step = 16;

const char *const kind_name[kinds] = {"stream", "event",    "module", "graph",
                                      "exec",   "function", "node"};

struct slot {
  struct object *live; /* NULL: destroyed */
  enum kind kind;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct chunk {
  struct slot *slots; /* freed once all of them are destroyed */
  unsigned live;
} chunk[chunks]; /* under lock, as are the next two */
static uint64_t published;
static uint64_t live[kinds];

/* Finds the entry of a handle; false if there is none. */
static bool index_of(const void *handle, uint64_t *index) {
  uint64_t value = (uint64_t)(uintptr_t)handle;
  *index = (value - first_handle) / step;
  return value >= first_handle && (value - first_handle) % step == 0 &&
         *index < published;
}

/* Returns NULL if handle is none, or was destroyed so long ago that its kind is
 * forgotten. */
static struct slot *slot_of(const void *handle) {
  uint64_t index;
  if (!index_of(handle, &index) || !chunk[index / per_chunk].slots)
    return NULL;
  return &chunk[index / per_chunk].slots[index % per_chunk];
}

uint64_t object_publish(struct object *o, enum function maker) {
  o->maker = maker;
  o->made_by = call_count(maker);
  atomic_init(&o->references, 1);
  pthread_mutex_lock(&lock);
  uint64_t index = published;
  if (index / per_chunk >= chunks)
    abort();
  struct chunk *c = &chunk[index / per_chunk];
  if (!c->slots && !(c->slots = calloc(per_chunk, sizeof *c->slots)))
    abort();
  c->slots[index % per_chunk] = (struct slot){o, o->kind};
  c->live++;
  o->handle = first_handle + index * step;
  published++;
  live[o->kind]++;
  pthread_mutex_unlock(&lock);
  return o->handle;
}

/* Ends the process, as libcuda does, if the stream was destroyed. */
static void end_as_cuda(const void *handle) {
  fprintf(stderr,
          "fakehip: %s: stream %p was destroyed before, and CUDA reads its "
          "memory\n",
          call_current, handle);
  abort();
}

static const char *article(enum kind kind) {
  return kind == kind_event || kind == kind_exec ? "an" : "a";
}

/* Looks a handle up, under the lock. */
static struct slot *find(const void *handle, enum kind kind) {
  struct slot *s = slot_of(handle);
  uint64_t index;
  if (kind == kind_stream && index_of(handle, &index) &&
      (!s || (s->kind == kind && !s->live)) && option_set("FAKEHIP_UNCHECKED"))
    end_as_cuda(handle);
  if (!s && index_of(handle, &index))
    violation(violation_handle, "%p was destroyed before", handle);
  else if (!s)
    violation(violation_handle, "%p is not %s %s", handle, article(kind),
              kind_name[kind]);
  else if (s->kind != kind)
    violation(violation_handle, "%p is not %s %s, but %s %s", handle,
              article(kind), kind_name[kind], article(s->kind),
              kind_name[s->kind]);
  else if (!s->live)
    violation(violation_handle, "%s %p was destroyed before", kind_name[kind],
              handle);
  else
    return s;
  return NULL;
}

bool object_was_destroyed(const void *handle, enum kind kind) {
  uint64_t index;
  pthread_mutex_lock(&lock);
  struct slot *s = slot_of(handle);
  bool was = s ? s->kind == kind && !s->live : index_of(handle, &index);
  pthread_mutex_unlock(&lock);
  return was;
}

void *object_take(const void *handle, enum kind kind) {
  pthread_mutex_lock(&lock);
  struct slot *s = find(handle, kind);
  struct object *o = s ? s->live : NULL;
  if (o)
    object_hold(o);
  pthread_mutex_unlock(&lock);
  return o;
}

/* Counts one of a chunk's handles as destroyed. */
static void forget(uint64_t of) {
  struct chunk *c = &chunk[of];
  if (--c->live == 0 && (of + 1) * per_chunk <= published) {
    free(c->slots);
    c->slots = NULL;
  }
}

void *object_retire(const void *handle, enum kind kind) {
  pthread_mutex_lock(&lock);
  struct slot *s = find(handle, kind);
  struct object *o = s ? s->live : NULL;
  if (o) {
    s->live = NULL;
    live[kind]--;
    forget((o->handle - first_handle) / step / per_chunk);
  }
  pthread_mutex_unlock(&lock);
  return o;
}

void object_hold(struct object *o) { atomic_fetch_add(&o->references, 1); }

void object_release(struct object *o) {
  if (atomic_fetch_sub(&o->references, 1) == 1)
    o->end(o);
}

void object_forgive(const void *handle, enum kind kind) {
  pthread_mutex_lock(&lock);
  struct slot *s = slot_of(handle);
  if (s && s->kind == kind && s->live)
    s->live->forgiven = true;
  pthread_mutex_unlock(&lock);
}

void object_report_leaks(void) {
  for (enum kind kind = 0; kind < kind_function; kind++) {
    uint64_t n = 0;
    const char *maker = NULL;
    uint64_t made_by = 0;
    pthread_mutex_lock(&lock);
    for (uint64_t i = 0; i < published; i++) {
      struct chunk *c = &chunk[i / per_chunk];
      struct slot *s = c->slots ? &c->slots[i % per_chunk] : NULL;
      if (!s || s->kind != kind || !s->live || s->live->forgiven || n++ != 0)
        continue;
      maker = call_name[s->live->maker];
      made_by = s->live->made_by;
    }
    pthread_mutex_unlock(&lock);
    if (n != 0)
      violation(violation_leak,
                "%llu %s%s never destroyed, the first from call %llu of %s",
                (unsigned long long)n, kind_name[kind], n == 1 ? "" : "s",
                (unsigned long long)made_by, maker);
  }
}

uint64_t object_live(enum kind kind) {
  pthread_mutex_lock(&lock);
  uint64_t n = live[kind];
  pthread_mutex_unlock(&lock);
  return n;
}

uint64_t object_of_device(enum kind kind, int device) {
  uint64_t handle = 0;
  pthread_mutex_lock(&lock);
  for (uint64_t i = 0; i < published && !handle; i++) {
    struct chunk *c = &chunk[i / per_chunk];
    struct slot *s = c->slots ? &c->slots[i % per_chunk] : NULL;
    if (s && s->kind == kind && s->live && s->live->device == device)
      handle = s->live->handle;
  }
  pthread_mutex_unlock(&lock);
  return handle;
}
