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
 * from before may be pending on it, or the program captures it. So are waits, as long
 * as there is such work that the host has not waited for. Another thread may
 * close the trace at any time: a call is recorded if next could be moved. */

#include "replay.h"

#include <string.h>

#include "thread.h"

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

/* The entry of the call's stream if nothing has changed about that, else NULL. */
static struct entry *as_before(const struct traced *c, uint64_t *word) {
  struct entry *e = c->first ? NULL : direct_entry(c->stream);
  if (e == NULL)
    return NULL;
  *word = __atomic_load_n(&e->word, __ATOMIC_ACQUIRE);
  return (*word & state_mask) == live ? e : NULL;
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
  uint64_t at, word;
  struct traced *c;
  if (t == NULL || (c = next_of(t, traced_launch, l->stream, &at)) == NULL ||
      c->what != l->function || l->extra != 0 || l->shared < 0 ||
      !direct_fits(l->grid) || !direct_fits(l->block) ||
      (c->params != 0 && l->params == 0) || as_before(c, &word) == NULL)
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

/* Gives what is known of the stream where the call was the same, else NULL. */
HOT static struct entry *trace_stream(uintptr_t recording, uint32_t kind,
                                      uintptr_t stream, uint64_t *word) {
  struct trace *t = calls_here->trace;
  uint64_t at;
  const struct traced *c;
  struct entry *e;
  return t != NULL && (c = next_of(t, kind, stream, &at)) != NULL &&
                 (e = as_before(c, word)) != NULL &&
                 went_on(recording, t, c, at)
             ? e
             : NULL;
}

HOT bool trace_synchronize(uintptr_t recording, uintptr_t stream) {
  uint64_t word;
  struct entry *e =
      calls_here->trace == NULL || calls_here->trace->unawaited != 0
          ? NULL
          : trace_stream(recording, traced_synchronize, stream, &word);
  /* Where nothing was ever put into it, it goes back as idle as it came. */
  if (e != NULL && calls_here->fresh == stream &&
      calls_here->fresh_word == word && all_returned(word))
    __atomic_store_n(&e->synced, number_of(word), __ATOMIC_RELEASE);
  return e != NULL;
}

HOT bool trace_create(uintptr_t recording, uintptr_t stream) {
  uint64_t word;
  if (trace_stream(recording, traced_create, stream, &word) == NULL)
    return false;
  calls_here->fresh = stream;
  calls_here->fresh_word = word;
  return true;
}

bool trace_uses(uintptr_t stream) {
  const struct trace *t = calls_here->trace;
  return t != NULL && t->on == stream && stream != 0;
}
