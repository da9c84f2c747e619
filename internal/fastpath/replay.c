/* Recordings of what was recorded before.
 *
 * Programs record the same calls again and again, with other parameters. As long as
 * the calls are those that Go noted the last time (launchgraph.Replayed) there is
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

#include "launch.h"
#include "thread.h"

#include "_cgo_export.h"

/* The call that comes next, NULL if it is of another kind. */
static struct replayed *next_of(const struct replay *t, uint32_t kind,
                                uintptr_t stream, uint64_t *at) {
  *at = __atomic_load_n(&t->next, __ATOMIC_ACQUIRE);
  if (*at >= t->count)
    return NULL;
  struct replayed *c = (struct replayed *)t->calls + *at;
  return c->kind == kind && c->stream == stream ? c : NULL;
}

/* The entry of the call's stream if nothing has changed about that, else NULL. */
static struct pool_entry *as_before(const struct replayed *c, uint64_t *word) {
  struct pool_entry *e = c->first ? NULL : stream_entry(c->stream);
  if (e == NULL)
    return NULL;
  *word = __atomic_load_n(&e->word, __ATOMIC_ACQUIRE);
  return (*word & stream_state_mask) == stream_live ? e : NULL;
}

/* Notes that the call was the same. */
static bool went_on(uintptr_t recording, struct replay *t,
                    const struct replayed *c, uint64_t at) {
  uint32_t nodes = c->nodes;
  if (!__atomic_compare_exchange_n(&t->next, &at, at + 1, false,
                                   __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
    return false;
  if (__builtin_expect(nodes == t->border, 0))
    goReplayed(recording);
  return true;
}

static struct dim3 dim3_of(const int64_t v[3]) {
  return (struct dim3){(uint32_t)v[0], (uint32_t)v[1], (uint32_t)v[2]};
}

HOT bool replay_launch(uintptr_t recording, const struct launch *l) {
  struct replay *t = this_thread->replay;
  uint64_t at, word;
  struct replayed *c;
  if (t == NULL || (c = next_of(t, traced_launch, l->stream, &at)) == NULL ||
      c->what != l->function || l->extra != 0 || l->shared < 0 ||
      !launch_fits(l->grid) || !launch_fits(l->block) ||
      (c->params != 0 && l->params == 0) || as_before(c, &word) == NULL)
    return false;
  c->shared = (uint32_t)l->shared;
  c->grid = dim3_of(l->grid);
  c->block = dim3_of(l->block);
  const struct param *size = (const struct param *)c->sizes;
  void *const *param = (void *const *)l->params;
  char *to = (char *)t->values + c->values;
  for (uint32_t i = 0; i < c->params; i++)
    if (size[i].size == 8)
      memcpy(to + size[i].offset, param[i], 8);
    else
      memcpy(to + size[i].offset, param[i], size[i].size);
  return went_on(recording, t, c, at);
}

/* Gives what is known of the stream where the call was the same, else NULL. */
HOT static struct pool_entry *trace_stream(uintptr_t recording, uint32_t kind,
                                           uintptr_t stream, uint64_t *word) {
  struct replay *t = this_thread->replay;
  uint64_t at;
  const struct replayed *c;
  struct pool_entry *e;
  return t != NULL && (c = next_of(t, kind, stream, &at)) != NULL &&
                 (e = as_before(c, word)) != NULL &&
                 went_on(recording, t, c, at)
             ? e
             : NULL;
}

HOT bool replay_synchronize(uintptr_t recording, uintptr_t stream) {
  uint64_t word;
  struct pool_entry *e =
      this_thread->replay == NULL || this_thread->replay->unawaited != 0
          ? NULL
          : trace_stream(recording, traced_synchronize, stream, &word);
  /* Where nothing was ever put into it, it goes back as idle as it came. */
  if (e != NULL && this_thread->fresh == stream &&
      this_thread->fresh_word == word && all_returned(word))
    __atomic_store_n(&e->synced, number_of(word), __ATOMIC_RELEASE);
  return e != NULL;
}

HOT bool replay_create(uintptr_t recording, uintptr_t stream) {
  uint64_t word;
  if (trace_stream(recording, traced_create, stream, &word) == NULL)
    return false;
  this_thread->fresh = stream;
  this_thread->fresh_word = word;
  return true;
}

bool replay_uses(uintptr_t stream) {
  const struct replay *t = this_thread->replay;
  return t != NULL && t->on == stream && stream != 0;
}
