/* Recordings of what was recorded before.
 *
 * Programs record the same calls again and again, with other parameters. As long as
 * the calls are those that Go noted the last time (launchgraph.Traced) there is
 * nothing to be done but to copy the parameters, which takes 20 ns where recording
 * takes half a microsecond. Go is asked where a part of the graph is complete, and for
 * the first call that is another one; from then on for all.
 *
 * What was checked of a call the last time holds again, but for the stream, which must
 * still be the program's. The first call of one that was there before is Go's: work
 * from before may be pending on it, or the program captures it. Another thread may
 * close the trace at any time: a call is recorded if next could be moved. */

#include "trace.h"

#include <string.h>

#include "calls.h"

#include "_cgo_export.h"

/* The call that comes next, NULL if it is of another kind. */
static struct traced *next_of(const struct trace *t, uint32_t kind,
                              uintptr_t stream, uint64_t *at) {
  *at = __atomic_load_n(&t->next, __ATOMIC_ACQUIRE);
  if (*at >= t->count)
    return NULL;
  struct traced *c = (struct traced *)t->calls + *at;
  return c->kind == kind && c->stream == stream ? c : NULL;
}

/* Whether nothing has changed about the call's stream. */
static bool as_before(const struct traced *c) {
  const struct entry *e = c->first ? NULL : direct_entry(c->stream);
  return e != NULL &&
         (__atomic_load_n(&e->word, __ATOMIC_ACQUIRE) & state_mask) == live;
}

/* Notes that the call was the same. */
static bool went_on(uintptr_t recording, struct trace *t,
                    const struct traced *c, uint64_t at) {
  uint32_t nodes = c->nodes;
  if (!__atomic_compare_exchange_n(&t->next, &at, at + 1, false,
                                   __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
    return false;
  if (__builtin_expect(nodes == t->border, 0))
    goRepeated(recording);
  return true;
}

HOT bool trace_launch(uintptr_t recording, const struct launch *l) {
  struct trace *t = calls_here->trace;
  uint64_t at;
  struct traced *c;
  if (t == NULL || (c = next_of(t, traced_launch, l->stream, &at)) == NULL ||
      c->what != l->function || l->extra != 0 || l->shared < 0 ||
      !direct_fits(l->grid) || !direct_fits(l->block) ||
      (c->params != 0 && l->params == 0) || !as_before(c))
    return false;
  c->shared = (uint32_t)l->shared;
  for (int i = 0; i < 3; i++) {
    c->grid[i] = (uint32_t)l->grid[i];
    c->block[i] = (uint32_t)l->block[i];
  }
  const struct {
    uint32_t offset, bytes;
  } *size = (void *)c->sizes;
  void *const *param = (void *const *)l->params;
  char *to = (char *)t->values + c->values;
  for (uint32_t i = 0; i < c->params; i++)
    if (size[i].bytes == 8)
      memcpy(to + size[i].offset, param[i], 8);
    else
      memcpy(to + size[i].offset, param[i], size[i].bytes);
  return went_on(recording, t, c, at);
}

HOT static bool trace_stream(uintptr_t recording, uint32_t kind,
                             uintptr_t stream) {
  struct trace *t = calls_here->trace;
  uint64_t at;
  const struct traced *c;
  return t != NULL && (c = next_of(t, kind, stream, &at)) != NULL &&
         as_before(c) && went_on(recording, t, c, at);
}

bool trace_synchronize(uintptr_t recording, uintptr_t stream) {
  return trace_stream(recording, traced_synchronize, stream);
}

bool trace_create(uintptr_t recording, uintptr_t stream) {
  return trace_stream(recording, traced_create, stream);
}

bool trace_uses(uintptr_t stream) {
  const struct trace *t = calls_here->trace;
  return t != NULL && t->on == stream && stream != 0;
}
