/* Streams of the pool: the parts of their entries that C reads and changes, and the calls on
 * them without Go. The counting protocol is in streampool.Submission. */
#ifndef MGPU_FASTPATH_STREAM_H
#define MGPU_FASTPATH_STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "layout.h"
#include "thread.h"

static inline uint64_t entry_word(const struct pool_entry *e) {
  return __atomic_load_n(&e->word, __ATOMIC_ACQUIRE);
}

/* Changes when the entries that threads have cached become invalid. */
extern uint64_t streams_version __attribute__((visibility("hidden")));

/* The part of Go's pool that C reads: its list of streams, of which the first *count places
 * have been used, and the number of frees that left work pending. */
extern struct streams {
  struct pool_entry **entries;
  const uint64_t *count;
  uint64_t *frees;
} streams __attribute__((visibility("hidden")));

void stream_offer(uintptr_t entries, uintptr_t count, uintptr_t frees);

/* Return the number of places in the list of streams, and the stream in a place; NULL if the
 * place is empty. */
static inline uint64_t streams_listed(void) {
  return __atomic_load_n(streams.count, __ATOMIC_ACQUIRE);
}

static inline struct pool_entry *stream_listed(uint64_t place) {
  return __atomic_load_n(&streams.entries[place], __ATOMIC_ACQUIRE);
}

/* Reports whether the next submission to a stream has to wait for work that the thread's
 * frees left pending on other streams. Go makes it wait. */
bool stream_follow(struct pool_entry *e);

static inline bool stream_follows(struct pool_entry *e) {
  return __builtin_expect(this_thread->freed <=
                              __atomic_load_n(&e->followed, __ATOMIC_ACQUIRE),
                          1) ||
         stream_follow(e);
}

/* Return Pool.frees at the thread's latest free that left work pending, and note such a free
 * by Go. */
uint64_t stream_freed(void);
void stream_note_freed(uint64_t frees);

/* Caches a stream's entry, which Go looks up. */
void stream_look_up(struct stream_slot *s, uintptr_t stream);

/* Returns the pool's entry of a stream, NULL for another library's stream. */
static inline struct pool_entry *stream_entry(uintptr_t stream) {
  _Static_assert(stream_slots == 8, "the hash keeps three bits");
  struct stream_slot *s =
      &this_thread->streams[stream * 0x9E3779B97F4A7C15u >> 61];
  if (__builtin_expect(
          s->stream != stream ||
              s->version != __atomic_load_n(&streams_version, __ATOMIC_ACQUIRE),
          0))
    stream_look_up(s, stream);
  return s->entry;
}

/* Returns the entry of a live stream, with its word; otherwise NULL. */
static inline struct pool_entry *stream_live_entry(uintptr_t stream,
                                                   uint64_t *word) {
  struct pool_entry *e = stream_entry(stream);
  if (e == NULL)
    return NULL;
  *word = entry_word(e);
  return (*word & stream_state_mask) == stream_live ? e : NULL;
}

/* Counts a submission before its driver call, as streampool.Entry.Begin does. word is the
 * entry's word, read before. Returns 0 if Go has to make the call: the stream is not live,
 * the submission has to wait for other streams, or too many calls are in progress. */
static inline uint64_t stream_begin_submission(struct pool_entry *e,
                                               uint64_t word) {
  enum { many = 1 << (stream_call_bits - 1) };
  const uint64_t mask = stream_state_mask | many << stream_call_shift |
                        many << (stream_call_shift + stream_call_bits);
  if (!stream_follows(e))
    return 0;
  while (__builtin_expect((word & mask) == stream_live, 1)) {
    uint64_t next = entry_begin_from(e, word);
    if (__builtin_expect(next != 0, 1)) {
      if (this_thread->submitting.stream == NULL)
        this_thread->submitting = (struct submitting){e, next};
      return next;
    }
    word = entry_word(e);
  }
  return 0;
}

/* Reports whether submissions record a stream's progress. */
static inline bool stream_tracked(const struct pool_entry *e) {
  return __builtin_expect(__atomic_load_n(&e->tracked, __ATOMIC_ACQUIRE), 0);
}

/* Records a stream's progress, as streampool.Entry.RecordProgress does. */
void stream_record_progress(struct pool_entry *e);

/* Counts the return of a submission's driver call, as streampool.Submit does. */
static inline void stream_end_submission(struct pool_entry *e,
                                         uint64_t submission) {
  struct submitting *outermost = &this_thread->submitting;
  if (stream_tracked(e))
    stream_record_progress(e);
  if (outermost->stream == e && outermost->submission == submission)
    outermost->stream = NULL;
  entry_end(e, submission);
}

/* Makes all threads' cached entries invalid: the pool has given a handle another entry, or
 * dropped one. */
void stream_forget(void);

/* Make a call of the ABI. Return false, or 0, if Go has to make it. */
bool stream_synchronize(uintptr_t stream);
uintptr_t stream_create(void);
bool stream_destroy(uintptr_t stream);

#endif
