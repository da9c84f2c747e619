/* Waits for streams, their creation and destruction without entering Go.
 *
 * A thread caches the address of a stream's streampool.Entry until the pool gives the
 * handle another entry, or drops the entry (streams_version). The entry's state decides
 * whether C makes a call: Go refuses a stream that is not live.
 *
 * A stream is given back only if the driver says that it exists and is not captured. This
 * query takes 30 to 60 ns (RATIONALE.md), after a launch and a wait that take microseconds.
 *
 * When a thread destroys a stream without pending work, it keeps the stream, in the pool's
 * state idle, for the next stream that it creates. When the thread ends, the next thread
 * that starts takes the stream over with the state. */

#include "stream.h"

#include <stddef.h>

#include "driver.h"
#include "trace.h"
#include "tune.h"

#include "_cgo_export.h"

uint64_t streams_version = 1;

static uint64_t no_frees;
struct streams streams = {.frees = &no_frees};

void stream_offer(uintptr_t entries, uintptr_t count, uintptr_t frees) {
  streams.entries = (struct pool_entry **)entries;
  streams.count = (const uint64_t *)count;
  streams.frees = (uint64_t *)frees;
}

uint64_t stream_freed(void) {
  return this_thread == NULL ? 0 : this_thread->freed;
}

void stream_note_freed(uint64_t frees) {
  if (this_thread != NULL)
    this_thread->freed = frees;
}

/* Implements streampool's Owed. Go records events and waits for them. */
HOT bool stream_follow(struct pool_entry *e) {
  uint64_t frees = __atomic_load_n(streams.frees, __ATOMIC_ACQUIRE);
  bool done = entry_freed_done(e), others = false;
  for (uint64_t n = streams_listed(); n-- > 0;) {
    struct pool_entry *other = stream_listed(n);
    if (other == NULL || other == e || !source_counted(other->source))
      continue;
    others |= !done && entry_open(other);
    if (others || !entry_freed_done(other))
      return false;
  }
  __atomic_store_n(&e->followed, frees, __ATOMIC_RELEASE);
  return true;
}

HOT void stream_record_progress(struct pool_entry *e) {
  uintptr_t event = __atomic_load_n(&e->progress_event, __ATOMIC_ACQUIRE);
  if (event == UINTPTR_MAX /* the stream is gone */ || driver.record == NULL)
    return;
  uint64_t word = entry_word(e); /* before the record */
  thread_count(&this_thread->driver_calls[call_mgpuMemFree], 1);
  if (driver.record(driver.self, event, e->handle, 0, 0) == 0)
    entry_note_progress(e, word);
}

void stream_forget(void) {
  __atomic_add_fetch(&streams_version, 1, __ATOMIC_SEQ_CST);
}

static uint64_t version_now(void) {
  return __atomic_load_n(&streams_version, __ATOMIC_ACQUIRE);
}

/* The version is read first, so that an entry that becomes invalid meanwhile is not cached
 * as valid. */
void stream_look_up(struct stream_slot *s, uintptr_t stream) {
  uint64_t version = version_now();
  *s = (struct stream_slot){stream, (struct pool_entry *)goPoolEntry(stream),
                            version};
}

HOT bool stream_synchronize(uintptr_t stream) {
  uint64_t word;
  struct pool_entry *e;
  if (!driver_offered() || stream == 0 ||
      (e = stream_live_entry(stream, &word)) == NULL)
    return false;
  uint64_t from = driver.watched ? monotonic_ns() : 0;
  int32_t status = driver.synchronize(driver.self, stream, 0, 0, 0);
  thread_count(&this_thread->driver_calls[call_mgpuStreamSynchronize], 1);
  if (!driver.simple) {
    if (driver.timed)
      thread_count(&this_thread->driver_ns[call_mgpuStreamSynchronize],
                   monotonic_ns() - from);
    if (driver.traced)
      trace_driver_call(trace_synchronize, from);
    tune_waited(stream);
  }
  if (__builtin_expect(status != 0, 0))
    goCallFailed(call_mgpuStreamSynchronize, stream, status);
  else if (__builtin_expect(all_calls_returned(word), 1))
    entry_synchronized(e, latest_submission(word));
  return true;
}

/* Reports whether a stream that the program gives back may be reused: it exists, and is not
 * captured. Only this query finds what the program did to it through the driver's own
 * library. */
HOT static bool stream_usable(uintptr_t stream) {
  return driver.usable == NULL ||
         driver.usable(driver.self, stream, 0, 0, 0) == 0;
}

HOT bool stream_destroy(uintptr_t stream) {
  uint64_t word;
  struct pool_entry *e;
  if (!driver_offered() || !driver.one_device ||
      this_thread->unused.stream != 0 || stream == 0 ||
      (e = stream_live_entry(stream, &word)) == NULL ||
      entry_pending_at(e, word) || !stream_usable(stream))
    return false;
  this_thread->unused = (struct stream_slot){stream, e, version_now()};
  if (entry_live_to_idle(e, word))
    return true;
  this_thread->unused = (struct stream_slot){0};
  return false;
}

HOT uintptr_t stream_create(void) {
  struct stream_slot s = this_thread->unused;
  if (s.stream == 0)
    return 0;
  this_thread->unused = (struct stream_slot){0};
  struct pool_entry *e = s.entry;
  if (s.version != version_now() &&
      (struct pool_entry *)goPoolEntry(s.stream) != e)
    return 0; /* the driver has destroyed the stream meanwhile */
  uint64_t word;
  while (((word = entry_word(e)) & stream_state_mask) == stream_idle)
    if (entry_idle_to_live(e, word))
      return s.stream;
  return 0;
}
