/* Allocates and frees without entering Go in the most common cases: when a block is freed,
 * no work is pending on any stream, so any thread may reuse the block at once; or work is
 * pending on one stream only, and the block is ready once that stream has been waited for.
 * The block goes to the free list of the thread that freed it. A thread looks there first,
 * and Go looks in the lists of all threads before it allocates a new block.
 *
 * Whether work is pending is in the entries of all streams, where submissions and waits are
 * counted (stream.h). Go handles everything else: work pending on several streams, queries
 * of the driver whether work is done, a process with several devices, scopes, managed
 * memory, and all misuse. From time to time an allocation enters Go, which releases old
 * blocks to the driver.
 *
 * Blocks are Go objects that stay in memory. The serial number in a block's word
 * distinguishes its uses. The thread that changes a block's state owns the block. */

#define _GNU_SOURCE
#include "alloc.h"

#include <pthread.h>
#include <stdlib.h>
#include <time.h>

#include "driver.h"
#include "layout.h"
#include "reset.h"
#include "stream.h"
#include "thread.h"

#include "_cgo_export.h"

static struct {
  uint32_t *shared;
  const uint64_t *limit;
  int64_t offset; /* from the clock to Go's time */
  int32_t call;
  bool offered; /* written last */
} memory;

/* Blocks by address. Addresses are never removed, since drivers reuse them; a withdrawn
 * block only leaves its slot empty. A full table is replaced and stays allocated, since
 * another thread may be reading it. */
struct table {
  struct table *replaced; /* keeps it reachable for leak checkers */
  uint64_t mask;
  uint64_t used;
  struct slot {
    uintptr_t ptr;
    struct block *block; /* NULL: withdrawn */
  } slots[];
};

static struct table *table;
static pthread_mutex_t publishing = PTHREAD_MUTEX_INITIALIZER;

enum { ways = free_list_ways };

void alloc_offer(uintptr_t shared, uintptr_t limit, int64_t now, int32_t call) {
  memory.shared = (uint32_t *)shared;
  memory.limit = (const uint64_t *)limit;
  memory.offset = now - clock_coarse();
  memory.call = call;
  __atomic_store_n(&memory.offered, true, __ATOMIC_RELEASE);
}

static uint64_t hash_address(uintptr_t ptr) {
  return ptr * 0x9E3779B97F4A7C15u >> 20;
}

/* Returns the slot of an address in a table, or the empty slot for it. */
static struct slot *slot_of(struct table *t, uintptr_t ptr) {
  for (uint64_t i = hash_address(ptr);; i++) {
    struct slot *s = &t->slots[i & t->mask];
    uintptr_t p = __atomic_load_n(&s->ptr, __ATOMIC_ACQUIRE);
    if (p == ptr || p == 0)
      return s;
  }
}

/* Returns a table with an empty slot, and enlarges the table if necessary; NULL: out of
 * memory. */
static struct table *table_with_space(void) {
  struct table *t = table;
  if (t != NULL && t->used * 2 <= t->mask)
    return t;
  uint64_t size = t == NULL ? 256 : 2 * (t->mask + 1);
  struct table *bigger = calloc(1, sizeof *bigger + size * sizeof(struct slot));
  if (bigger == NULL)
    return NULL;
  bigger->replaced = t;
  bigger->mask = size - 1;
  for (uint64_t i = 0; t != NULL && i <= t->mask; i++)
    if (t->slots[i].block != NULL) {
      *slot_of(bigger, t->slots[i].ptr) = t->slots[i];
      bigger->used++;
    }
  __atomic_store_n(&table, bigger, __ATOMIC_RELEASE);
  return bigger;
}

bool alloc_publish(uintptr_t ptr, uintptr_t block) {
  pthread_mutex_lock(&publishing);
  struct table *t = table_with_space();
  if (t != NULL) {
    struct slot *s = slot_of(t, ptr);
    t->used += s->ptr == 0;
    __atomic_store_n(&s->block, (struct block *)block, __ATOMIC_RELEASE);
    __atomic_store_n(&s->ptr, ptr, __ATOMIC_RELEASE);
  }
  pthread_mutex_unlock(&publishing);
  return t != NULL;
}

void alloc_withdraw(uintptr_t ptr) {
  pthread_mutex_lock(&publishing);
  if (table != NULL) {
    struct slot *s = slot_of(table, ptr);
    if (s->ptr == ptr)
      __atomic_store_n(&s->block, NULL, __ATOMIC_RELEASE);
  }
  pthread_mutex_unlock(&publishing);
}

HOT static struct block *find_block(uintptr_t ptr) {
  struct table *t = __atomic_load_n(&table, __ATOMIC_ACQUIRE);
  if (t == NULL || ptr == 0)
    return NULL;
  struct slot *s = slot_of(t, ptr);
  return __atomic_load_n(&s->ptr, __ATOMIC_RELAXED) == ptr
             ? __atomic_load_n(&s->block, __ATOMIC_ACQUIRE)
             : NULL;
}

/* Reports whether a query finds a pending stream idle. It queries the driver if the program
 * frees on this stream, and if the stream's latest work is this thread's copy to the
 * program's memory: a copy to pageable memory is done when its call returns. Other work is
 * rarely done. The query counts as a submission, so that the pool does not destroy the
 * stream meanwhile. */
HOT static bool idle_after_copy(struct pool_entry *e, uintptr_t stream) {
  struct noted_copy copy = this_thread->noted_copy;
  this_thread->noted_copy = (struct noted_copy){0};
  uint64_t word, question;
  if (e != copy.stream || e->handle != stream || driver.idle == NULL ||
      stream_live_entry(stream, &word) != e ||
      latest_submission(word) != copy.number || !all_calls_returned(word) ||
      (question = stream_begin_submission(e, word)) == 0)
    return false;
  uint64_t from = driver_call_begin();
  bool idle = driver.idle(driver.self, stream, 0, 0, 0) == 0 &&
              question == submission_begun(word);
  stream_end_submission(e, question);
  driver_call_end(call_mgpuMemFree, from);
  if (idle)
    entry_synchronized(e, latest_submission(question));
  return idle;
}

/* Reports whether the program has memory that host and device share, as far as known. */
HOT static bool host_shares(void) {
  return __atomic_load_n(memory.shared, __ATOMIC_SEQ_CST) != 0;
}

/* Reports whether the driver has been asked about every address of copies and fills. */
HOT static bool addresses_known(void) {
  return driver.addresses == NULL || copy_addresses_known(driver.addresses);
}

/* Asks the driver about the addresses of copies and fills, as mgpu's askAddresses does.
 * Returns false if another thread is asking, since only Go waits for the end of that. */
static bool ask_addresses(void) {
  struct copy_addresses *a = driver.addresses;
  if (driver.host_sees == NULL || !copy_addresses_try_lock(a))
    return false;
  for (uint64_t i = 0; i < address_slots; i++) {
    uintptr_t p = copy_addresses_empty(a, i);
    if (p == 0)
      continue;
    if (!alloc_holds(p)) {
      uint64_t from = driver_call_begin();
      if (driver.host_sees(driver.self, p, 0, 0, 0) != 0)
        __atomic_store_n(memory.shared, 1, __ATOMIC_SEQ_CST);
      driver_call_end(call_mgpuMemFree, from);
    }
    copy_addresses_answered(a);
  }
  copy_addresses_unlock(a);
  return true;
}

/* Reports whether a free may return while the work of a pending stream is not done: the
 * program has not destroyed the stream, its progress is or can be known, and a free has no
 * reason to wait. */
HOT static bool may_defer(struct pool_entry *e) {
  if (!driver_offered() || e->source != source_own_handle ||
      (entry_word(e) & stream_state_mask) != stream_live ||
      (stream_tracked(e) && entry_stuck(e)))
    return false;
  if (!host_shares() && !addresses_known() && !ask_addresses())
    return false;
  return free_reason_to_wait(e->source, host_shares()) == wait_no_reason;
}

/* The work that a freed block waits for: a stream's submissions up to a number. */
struct waits {
  struct pool_entry *stream; /* NULL: none */
  uint64_t number;
  uint64_t version; /* streams_version before */
  bool asks;        /* the driver has to be asked */
};

/* Reports whether C may put a block that the program frees on a list, and what the block has
 * to wait for. Looks at the entries from the last to the first, as streampool does. If
 * asking is not set, it makes no driver call, and sets w->asks if one is necessary. */
HOT static bool find_waits(uintptr_t stream, bool asking, struct waits *w) {
  w->asks = false;
  w->stream = NULL;
  w->version = __atomic_load_n(&streams_version, __ATOMIC_ACQUIRE);
  uint64_t n = streams_listed();
  while (n-- > 0) {
    struct pool_entry *e = stream_listed(n);
    if (e == NULL || !entry_pending(e))
      continue;
    if (w->stream != NULL)
      return false;
    w->stream = e;
  }
  if (w->stream == NULL)
    return true;
  if (!asking && (this_thread->noted_copy.stream != NULL ||
                  (!addresses_known() && !host_shares()))) {
    w->asks = true;
    return false;
  }
  if (idle_after_copy(w->stream, stream)) {
    w->stream = NULL;
    return true;
  }
  w->number = latest_submission(entry_word(w->stream));
  return may_defer(w->stream);
}

/* Writes to a block what it waits for, before the calling thread puts it on a list. */
HOT static void note_waits(struct block *b, const struct waits *w) {
  __atomic_store_n(&b->waits_for, (uintptr_t)w->stream, __ATOMIC_RELAXED);
  if (w->stream == NULL)
    return;
  __atomic_store_n(&b->waits_up_to, w->number, __ATOMIC_RELAXED);
  __atomic_store_n(&b->waits_since, w->version, __ATOMIC_RELAXED);
  thread_count(&this_thread->allocations.deferred, 1);
}

/* Notes for later submissions the work that a free leaves pending, as streampool's NoteFree
 * does. Returns false if the program has given the stream back meanwhile: another thread
 * may be destroying the stream, and may have looked for notes already. Go's free then
 * notes the queue that stands for the stream's work. */
HOT static bool note_free(const struct waits *w) {
  entry_note_freed(w->stream, w->number);
  uint64_t word = __atomic_load_n(&w->stream->word, __ATOMIC_SEQ_CST);
  if ((word & stream_state_mask) != stream_live)
    return false;
  this_thread->freed = __atomic_add_fetch(streams.frees, 1, __ATOMIC_SEQ_CST);
  return true;
}

/* Reports whether a block on this thread's list waits for nothing any more. Its stream's
 * entry may be gone: the entry is valid if the version, read after it, is still the same. */
HOT static bool block_ready(const struct block *b) {
  const struct pool_entry *e =
      (void *)__atomic_load_n(&b->waits_for, __ATOMIC_RELAXED);
  return e == NULL ||
         (submissions_covered(
              __atomic_load_n(&e->synced, __ATOMIC_ACQUIRE),
              __atomic_load_n(&b->waits_up_to, __ATOMIC_RELAXED)) &&
          __atomic_load_n(&b->waits_since, __ATOMIC_RELAXED) ==
              __atomic_load_n(&streams_version, __ATOMIC_ACQUIRE));
}

/* Reports whether a block is in a state and may be listed by C. */
static bool quick_in_state(uint64_t word, uint64_t state) {
  return block_state(word) == state && (word & block_quick_bit) != 0;
}

/* Returns the places for blocks of a class in a free list. */
HOT static struct block **free_list_set(struct thread *t, uint32_t class) {
  return &t->free_list[(class * 0x9E3779B1u >> 29) * ways];
}

_Static_assert(free_list_sets == 8, "free_list_set() keeps three bits");

/* Takes the block of a class from a place of a thread's list. Returns NULL if the place has
 * none. */
HOT static struct block *take_block(struct thread *t, struct block **place,
                                    uint32_t class) {
  struct block *b = __atomic_load_n(place, __ATOMIC_ACQUIRE);
  if (b == NULL || __atomic_load_n(&b->class, __ATOMIC_RELAXED) != class)
    return NULL;
  if (!__atomic_compare_exchange_n(place, &b, NULL, false, __ATOMIC_ACQ_REL,
                                   __ATOMIC_RELAXED))
    return NULL;
  if (t == this_thread)
    __atomic_store_n(&t->listed, t->listed - b->bytes, __ATOMIC_RELAXED);
  else
    __atomic_fetch_add(&t->taken_by_others, b->bytes, __ATOMIC_RELAXED);
  /* Between the two loads the block may have been reused in another class. */
  if (__builtin_expect(__atomic_load_n(&b->class, __ATOMIC_RELAXED) == class,
                       1))
    return b;
  goReturnBlock(b->ptr);
  return NULL;
}

HOT bool alloc_holds(uintptr_t ptr) {
  struct block *b = find_block(ptr);
  return b != NULL && b->ptr == ptr &&
         block_state(__atomic_load_n(&b->word, __ATOMIC_ACQUIRE)) == block_live;
}

enum { enter_go_ns = 1000000000 };

HOT uintptr_t alloc_block(uint64_t bytes, uintptr_t site) {
  struct thread *t = this_thread;
  if (bytes == 0 || bytes > (uint64_t)1 << 62 || t->scopes_open != 0 ||
      !__atomic_load_n(&memory.offered, __ATOMIC_ACQUIRE))
    return 0;
  int64_t now = clock_coarse();
  reset_notice(now);
  now += memory.offset;
  if (__builtin_expect(now - t->entered_go > enter_go_ns, 0)) {
    t->entered_go = now;
    return 0;
  }
  uint32_t class = size_class(bytes);
  struct block **place = free_list_set(t, class);
  for (int i = 0; i < ways; i++) {
    struct block *b = __atomic_load_n(&place[i], __ATOMIC_ACQUIRE);
    if (b == NULL || !block_ready(b) ||
        (b = take_block(t, &place[i], class)) == NULL)
      continue;
    __atomic_store_n(&b->asked, bytes, __ATOMIC_RELAXED);
    __atomic_store_n(&b->site, site, __ATOMIC_RELAXED);
    __atomic_store_n(&b->call, memory.call, __ATOMIC_RELAXED);
    __atomic_store_n(&b->stamp, now, __ATOMIC_RELAXED);
    __atomic_store_n(&b->reported, 0, __ATOMIC_RELAXED);
    bool waited = __atomic_exchange_n(&b->waits_for, 0, __ATOMIC_RELAXED) != 0;
    uint64_t word = __atomic_load_n(&b->word, __ATOMIC_ACQUIRE);
    uintptr_t ptr = b->ptr;
    if (!quick_in_state(word, block_listed) || !block_listed_to_live(b, word))
      /* Unreachable today: only the free list's owner changes a listed block's state.
       * If it happens, leave the block alone. */
      continue;
    thread_count(waited ? &t->allocations.waited : &t->allocations.reused, 1);
    return ptr;
  }
  return 0;
}

enum { places = free_list_sets * ways };

/* Returns the bytes on a thread's free list. The result may be negative for a moment:
 * another thread has counted a block that it took, and this thread has not counted that
 * block yet. */
static int64_t listed_bytes(const struct thread *t) {
  return (int64_t)(__atomic_load_n(&t->listed, __ATOMIC_RELAXED) -
                   __atomic_load_n(&t->taken_by_others, __ATOMIC_RELAXED));
}

/* Reports whether the common share of the limit is enough for what all threads have listed,
 * and for one more block of that size from each running thread, since all of them may be
 * here at the same time. */
static bool fits_common_half(uint64_t bytes, uint64_t limit) {
  uint64_t sum = 0, more;
  for (struct thread *t = threads_all(); t != NULL; t = t->next) {
    int64_t listed = listed_bytes(t);
    bool runs = __atomic_load_n(&t->in_use, __ATOMIC_RELAXED) != 0;
    if (__builtin_add_overflow(listed > 0 ? (uint64_t)listed : 0,
                               runs ? bytes : 0, &more) ||
        __builtin_add_overflow(sum, more, &sum))
      return false;
  }
  return sum <= limit / policy_common_share;
}

/* Reports whether the free lists stay within their limit with one more block on this
 * thread's list. The own share (alloccache.Policy) is for blocks so small that every place
 * of every thread could have one. A share of the same size is divided among the threads, so
 * that a thread seldom reads what others write. The common share is for any thread that
 * needs more: threads that have ended, or list little, leave space. */
HOT static bool fits_limit(const struct block *b) {
  uint64_t limit = __atomic_load_n(memory.limit, __ATOMIC_RELAXED);
  uint64_t threads = threads_count(), all;
  if (__builtin_expect(
          !__builtin_mul_overflow(b->bytes, places * threads, &all) &&
              all <= limit / policy_own_share,
          1))
    return true;
  int64_t listed = listed_bytes(this_thread) + (int64_t)b->bytes;
  return listed <= (int64_t)(limit / policy_own_share / threads) ||
         fits_common_half(b->bytes, limit);
}

HOT enum free alloc_free(uintptr_t ptr, uintptr_t stream, bool asking) {
  if (!__atomic_load_n(&memory.offered, __ATOMIC_ACQUIRE))
    return free_is_gos;
  struct block *b = find_block(ptr);
  if (b == NULL)
    return free_is_gos;
  uint64_t word = __atomic_load_n(&b->word, __ATOMIC_ACQUIRE);
  if (!quick_in_state(word, block_live) || b->ptr != ptr)
    return free_is_gos;
  struct block **place =
      free_list_set(this_thread, __atomic_load_n(&b->class, __ATOMIC_RELAXED));
  int i = 0;
  while (i < ways && __atomic_load_n(&place[i], __ATOMIC_RELAXED) != NULL)
    i++;
  struct waits w;
  if (i == ways || !fits_limit(b))
    return free_is_gos;
  if (!find_waits(stream, asking, &w))
    return w.asks ? free_asks : free_is_gos;
  if (w.stream != NULL && !note_free(&w))
    return free_is_gos;
  if (!block_live_to_listed(b, word))
    return free_is_gos;
  note_waits(b, &w);
  __atomic_store_n(&this_thread->listed, this_thread->listed + b->bytes,
                   __ATOMIC_RELAXED);
  __atomic_store_n(&b->stamp, clock_coarse() + memory.offset, __ATOMIC_RELAXED);
  __atomic_store_n(&place[i], b, __ATOMIC_RELEASE);
  return free_made;
}

uintptr_t alloc_steal(uint32_t class) {
  for (struct thread *t = threads_all(); t != NULL; t = t->next)
    for (int i = 0; i < places; i++) {
      struct block *b = __atomic_load_n(&t->free_list[i], __ATOMIC_ACQUIRE);
      if (b == NULL)
        continue;
      uint32_t wanted = class;
      if (class == UINT32_MAX)
        wanted = __atomic_load_n(&b->class, __ATOMIC_RELAXED);
      b = take_block(t, &t->free_list[i], wanted);
      if (b != NULL)
        return b->ptr;
    }
  return 0;
}

uintptr_t alloc_listed_at(uint64_t place) {
  for (struct thread *t = threads_all(); t != NULL; t = t->next) {
    if (place < places) {
      struct block *b = __atomic_load_n(&t->free_list[place], __ATOMIC_ACQUIRE);
      return b == NULL ? 0 : b->ptr;
    }
    place -= places;
  }
  return UINTPTR_MAX;
}

struct alloc_counts alloc_counts(void) {
  struct alloc_counts sum = {0};
  for (struct thread *t = threads_all(); t != NULL; t = t->next) {
    sum.reused += __atomic_load_n(&t->allocations.reused, __ATOMIC_RELAXED);
    sum.waited += __atomic_load_n(&t->allocations.waited, __ATOMIC_RELAXED);
    sum.deferred += __atomic_load_n(&t->allocations.deferred, __ATOMIC_RELAXED);
  }
  return sum;
}
