/* What a launch in a loop consists of, without entering Go: the driver's functions
 * are called from here, and what Go's pool has to know of a stream is written
 * where it looks for it. Behind a driver call entering Go costs up to half a
 * microsecond, since all of its code has left the processor's nearest cache; and
 * after a long wait, when the scheduler has given its processor away, ten.
 *
 * Only what is common is done here: kernels without dynamic workgroup memory, on
 * streams of the pool. Everything else, and each failure, is Go's.
 *
 * What a thread knows of a stream is the address of its streampool.Entry. That
 * belongs to an epoch, which changes when the pool gives a handle another entry or
 * lets go of one. An entry's state says the rest: a stream that is not live is
 * Go's to refuse.
 *
 * A stream that a thread destroys, idle, is kept for the next one that it creates,
 * as idle as in the pool. A thread keeps one at most; when the thread ends, the
 * next one that starts takes it over. */

#include "launch.h"

#include <stddef.h>
#include <string.h>

#include "thread.h"
#include "onenode.h"

#include "_cgo_export.h"

typedef int32_t (*launch_function)(uintptr_t, uintptr_t, uint32_t, uint32_t,
                                   uint32_t, uint32_t, uint32_t, uint32_t,
                                   uint32_t, uintptr_t, uintptr_t, uintptr_t);
typedef int32_t (*synchronize_function)(uintptr_t, uintptr_t, uintptr_t,
                                        uintptr_t, uintptr_t);

static struct {
  uintptr_t driver;
  launch_function launch;
  synchronize_function synchronize;
  bool one_device, timed;
  bool simple;  /* neither timed nor through graphs */
  bool offered; /* written last */
} direct;

/* Changes when what threads know of streams is void. */
static uint64_t generation = 1;

void launch_offer(uintptr_t driver, uintptr_t launch, uintptr_t synchronize,
                  bool one_device, bool timed) {
  direct.driver = driver;
  direct.launch = (launch_function)launch;
  direct.synchronize = (synchronize_function)synchronize;
  direct.one_device = one_device;
  direct.timed = timed;
  direct.simple = !timed && !onenode_enabled;
  __atomic_store_n(&direct.offered, true, __ATOMIC_RELEASE);
}

static bool offered(void) {
  return __atomic_load_n(&direct.offered, __ATOMIC_ACQUIRE);
}

void stream_forget(void) {
  __atomic_add_fetch(&generation, 1, __ATOMIC_SEQ_CST);
}

static uint64_t generation_now(void) {
  return __atomic_load_n(&generation, __ATOMIC_ACQUIRE);
}

static uint64_t word_of(const struct pool_entry *e) {
  return __atomic_load_n(&e->word, __ATOMIC_ACQUIRE);
}

_Static_assert(known_streams == 8, "stream_entry() keeps three bits");

/* The stream's entry, NULL if it is none of the pool's. */
HOT struct pool_entry *stream_entry(uintptr_t stream) {
  struct known *k = &this_thread->streams[stream * 0x9E3779B97F4A7C15u >> 61];
  uint64_t at = generation_now();
  if (__builtin_expect(k->stream != stream || k->generation != at, 0))
    *k = (struct known){stream, (struct pool_entry *)goEntry(stream), at};
  return k->entry;
}

/* The same if the program holds the stream, with its word. */
HOT static inline struct pool_entry *live_entry(uintptr_t stream,
                                                uint64_t *word) {
  if (!offered() || stream == 0)
    return NULL;
  struct pool_entry *e = stream_entry(stream);
  if (e == NULL)
    return NULL;
  *word = word_of(e);
  return (*word & stream_state_mask) == stream_live ? e : NULL;
}

/* What a call of the word's round adds to a word. */
static uint64_t one_call(uint64_t word) {
  return (uint64_t)1 << (stream_call_shift + (word & stream_round_bit));
}

_Static_assert(stream_round_bit == stream_call_bits,
               "one_call() shifts by the round's bit");

/* streampool.Entry.Begin: counts a submission whose driver call is about to be made.
 * word is what the stream's said; 0: Go has to make the call, as the program does not
 * hold the stream or too many calls are under way. */
HOT static uint64_t begin_submission(struct pool_entry *e, uint64_t word) {
  enum { many = 1 << (stream_call_bits - 1) };
  const uint64_t mask = stream_state_mask | many << stream_call_shift |
                        many << (stream_call_shift + stream_call_bits);
  while (__builtin_expect((word & mask) == stream_live, 1)) {
    uint64_t next = word + stream_one_more + one_call(word);
    if (__atomic_compare_exchange_n(&e->word, &word, next, false,
                                    __ATOMIC_SEQ_CST, __ATOMIC_ACQUIRE))
      return next;
  }
  return 0;
}

/* streampool.Entry.End: the driver call has returned. */
HOT static void end_submission(struct pool_entry *e, uint64_t submission) {
  __atomic_sub_fetch(&e->word, one_call(submission), __ATOMIC_SEQ_CST);
}

static void count(uint64_t *n, uint64_t more) {
  __atomic_store_n(n, *n + more, __ATOMIC_RELAXED);
}

/* A counter of all threads that launches or waits have; of other functions 0. */
static uint64_t sum_of(enum call call, size_t of_launches, size_t of_waits) {
  if (call != call_mgpuLaunchKernel && call != call_mgpuStreamSynchronize)
    return 0;
  size_t offset = call == call_mgpuLaunchKernel ? of_launches : of_waits;
  uint64_t sum = 0;
  for (struct thread *c = threads_all(); c != NULL; c = c->next)
    sum += __atomic_load_n((uint64_t *)((char *)c + offset), __ATOMIC_RELAXED);
  return sum;
}

uint64_t launch_driver_calls(enum call call) {
  return sum_of(call, offsetof(struct thread, launched),
                offsetof(struct thread, waited));
}

uint64_t launch_driver_ns(enum call call) {
  return sum_of(call, offsetof(struct thread, launch_ns),
                offsetof(struct thread, wait_ns));
}

bool launch_fits(const int64_t v[3]) {
  return ((uint64_t)v[0] | (uint64_t)v[1] | (uint64_t)v[2]) <= UINT32_MAX;
}

static int32_t launch_plainly(const struct launch *l) {
  return direct.launch(
      direct.driver, l->function, (uint32_t)l->grid[0], (uint32_t)l->grid[1],
      (uint32_t)l->grid[2], (uint32_t)l->block[0], (uint32_t)l->block[1],
      (uint32_t)l->block[2], 0, l->stream, l->params, l->extra);
}

/* Makes the launch, through a graph if that is right, and notes what it took where
 * somebody wants to know. */
HOT static int32_t launch_somehow(const struct launch *l,
                                  const struct pool_entry *e,
                                  struct onenode_launched *kept) {
  uint64_t from = direct.timed ? onenode_now() : 0;
  int32_t status = 0;
  if (!onenode_enabled || !onenode_launch(l, e, kept)) {
    bool measured = onenode_enabled && onenode_measures();
    if (__builtin_expect(measured, 0))
      from = onenode_now();
    status = launch_plainly(l);
    if (__builtin_expect(measured, 0))
      onenode_measured(from, onenode_now(), l->stream, status == 0);
  }
  if (__builtin_expect(direct.timed, 0))
    count(&this_thread->launch_ns, onenode_now() - from);
  return status;
}

HOT bool launch_kernel(const struct launch *l) {
  uint64_t word, submission;
  struct pool_entry *e = live_entry(l->stream, &word);
  if (e == NULL || l->shared != 0 || !launch_fits(l->grid) ||
      !launch_fits(l->block) || (submission = begin_submission(e, word)) == 0)
    return false;
  struct onenode_launched kept = {1, NULL};
  int32_t status =
      direct.simple ? launch_plainly(l) : launch_somehow(l, e, &kept);
  end_submission(e, submission);
  if (kept.at != NULL)
    *kept.at = number_of(submission);
  count(&this_thread->launched, kept.calls);
  if (__builtin_expect(status != 0, 0))
    goLaunchFailed(l->function, status);
  return true;
}

HOT bool stream_synchronize(uintptr_t stream) {
  uint64_t word;
  struct pool_entry *e = live_entry(stream, &word);
  if (e == NULL)
    return false;
  uint64_t from = direct.timed ? onenode_now() : 0;
  int32_t status = direct.synchronize(direct.driver, stream, 0, 0, 0);
  count(&this_thread->waited, 1);
  if (!direct.simple) {
    if (direct.timed)
      count(&this_thread->wait_ns, onenode_now() - from);
    onenode_waited(stream);
  }
  if (__builtin_expect(status != 0, 0))
    goSynchronizeFailed(stream, status);
  else if (__builtin_expect(all_returned(word), 1))
    __atomic_store_n(&e->synced, number_of(word), __ATOMIC_RELEASE);
  return true;
}

HOT bool stream_destroy(uintptr_t stream) {
  if (!offered() || !direct.one_device || this_thread->spare.stream != 0)
    return false;
  uint64_t word;
  struct pool_entry *e = live_entry(stream, &word);
  if (e == NULL ||
      work_of(word) != __atomic_load_n(&e->synced, __ATOMIC_ACQUIRE))
    return false;
  this_thread->spare = (struct known){stream, e, generation_now()};
  if (__atomic_compare_exchange_n(
          &e->word, &word, (word & ~(uint64_t)stream_state_mask) | stream_idle,
          false, __ATOMIC_SEQ_CST, __ATOMIC_ACQUIRE))
    return true;
  this_thread->spare = (struct known){0};
  return false;
}

HOT uintptr_t stream_create(void) {
  struct known k = this_thread->spare;
  if (k.stream == 0)
    return 0;
  this_thread->spare = (struct known){0};
  struct pool_entry *e = k.entry;
  if (k.generation != generation_now() &&
      (struct pool_entry *)goEntry(k.stream) != e)
    return 0; /* destroyed behind the pool's back */
  uint64_t word = word_of(e);
  while ((word & stream_state_mask) == stream_idle)
    if (__atomic_compare_exchange_n(
            &e->word, &word,
            ((word & ~(uint64_t)stream_state_mask) + stream_one_more) |
                stream_live,
            false, __ATOMIC_SEQ_CST, __ATOMIC_ACQUIRE)) {
      if (__atomic_load_n(&e->reported, __ATOMIC_RELAXED))
        __atomic_store_n(&e->reported, 0, __ATOMIC_RELAXED);
      return k.stream;
    }
  return 0;
}

static int32_t nothing(void) { return 0; }

uintptr_t launch_nothing(void) { return (uintptr_t)nothing; }
