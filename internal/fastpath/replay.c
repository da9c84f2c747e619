/* Replays of the recording before.
 *
 * Programs record the same calls again and again, with other parameters. While the calls
 * are those that Go noted the last time (launchgraph.Replayed), C copies the parameters,
 * which takes 20 ns; recording takes half a microsecond. C enters Go where a part of the
 * graph is complete, and for the first call that differs and all after it.
 *
 * What was checked of a call the last time still holds, except that the program may have
 * destroyed the stream. These calls are Go's: the first one of a stream from before the
 * recording, which may have work pending or be captured by the program; and waits, while
 * the host has not waited for such work. Another thread may close the replay at any time:
 * a call counts only if next could be moved. */

#include "replay.h"

#include <stddef.h>
#include <string.h>

#include "launch.h"
#include "stream.h"
#include "thread.h"

#include "_cgo_export.h"

/* Returns the next call of the replay, NULL if it is of another kind or stream. */
static struct replayed *next_call(const struct replay *r, uint32_t kind,
                                  uintptr_t stream, uint64_t *index) {
  *index = __atomic_load_n(&r->next, __ATOMIC_ACQUIRE);
  if (*index >= r->count)
    return NULL;
  struct replayed *c = (struct replayed *)r->calls + *index;
  return c->kind == kind && c->stream == stream ? c : NULL;
}

/* Returns the entry of the call's stream, NULL if Go has to look at the stream. */
static struct pool_entry *call_stream(const struct replayed *c,
                                      uint64_t *word) {
  return c->first ? NULL : stream_live_entry(c->stream, word);
}

/* Moves the replay past a call that was repeated. Returns false if it is closed. */
static bool advance(uintptr_t recording, struct replay *r,
                    const struct replayed *c, uint64_t index) {
  uint32_t nodes = c->nodes;
  if (!__atomic_compare_exchange_n(&r->next, &index, index + 1, false,
                                   __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
    return false;
  if (__builtin_expect(nodes == r->border, 0))
    goReplayed(recording);
  return true;
}

HOT bool replay_launch(uintptr_t recording, const struct launch *l) {
  struct replay *r = this_thread->replay;
  uint64_t index, word;
  struct replayed *c;
  if (r == NULL ||
      (c = next_call(r, traced_launch, l->stream, &index)) == NULL ||
      c->what != l->function || l->extra != 0 || l->shared < 0 ||
      !launch_dims_fit(l->grid) || !launch_dims_fit(l->block) ||
      (c->params != 0 && l->params == 0) || call_stream(c, &word) == NULL)
    return false;
  c->shared = (uint32_t)l->shared;
  c->grid = launch_dims(l->grid);
  c->block = launch_dims(l->block);
  const struct param *size = (const struct param *)c->sizes;
  void *const *param = (void *const *)l->params;
  char *values = (char *)r->values + c->values;
  for (uint32_t i = 0; i < c->params; i++)
    if (size[i].size == 8)
      memcpy(values + size[i].offset, param[i], 8);
    else
      memcpy(values + size[i].offset, param[i], size[i].size);
  return advance(recording, r, c, index);
}

/* Repeats a call that has a stream only. Returns the stream's entry, NULL if Go has to
 * record the call. */
HOT static struct pool_entry *repeat_call(uintptr_t recording, uint32_t kind,
                                          uintptr_t stream, uint64_t *word) {
  struct replay *r = this_thread->replay;
  uint64_t index;
  const struct replayed *c;
  struct pool_entry *e;
  return r != NULL && (c = next_call(r, kind, stream, &index)) != NULL &&
                 (e = call_stream(c, word)) != NULL &&
                 advance(recording, r, c, index)
             ? e
             : NULL;
}

static bool is_as_created(const struct thread *t, uintptr_t stream,
                          uint64_t word) {
  for (int i = 0; i < created_count; i++)
    if (t->created[i].stream == stream && t->created[i].word == word)
      return true;
  return false;
}

HOT bool replay_synchronize(uintptr_t recording, uintptr_t stream) {
  struct thread *t = this_thread;
  uint64_t word;
  if (t->replay == NULL || t->replay->unawaited != 0)
    return false;
  struct pool_entry *e =
      repeat_call(recording, traced_synchronize, stream, &word);
  /* A stream without submissions since it was created goes back to the pool idle. */
  if (e != NULL && all_calls_returned(word) && is_as_created(t, stream, word))
    __atomic_store_n(&e->synced, latest_submission(word), __ATOMIC_RELEASE);
  return e != NULL;
}

HOT bool replay_create(uintptr_t recording, uintptr_t stream) {
  struct thread *t = this_thread;
  uint64_t word;
  if (stream_live_entry(stream, &word) != NULL)
    t->created[t->creations++ % created_count] = (struct created){stream, word};
  return repeat_call(recording, traced_create, stream, &word) != NULL;
}

bool replay_uses(uintptr_t stream) {
  const struct replay *r = this_thread->replay;
  return r != NULL && r->on == stream && stream != 0;
}
