/* Allocations and frees without entering Go, for the commonest case: nothing is
 * pending on any stream when a block is freed, so that it may be given out again
 * to anybody at once. It then lies in the hand of the thread that freed it: a few
 * places that this thread looks at first, and other threads, through Go, before a new
 * block is made.
 *
 * Whether work is pending is read from the entries of all streams, where submissions
 * and waits are noted in any case (launch.h). Everything else is Go's: blocks freed
 * while work is pending, other devices than the only one, scopes, managed memory, and
 * all misuse. An allocation goes through Go now and then, so that old blocks are
 * given back.
 *
 * Blocks are Go's objects, which stay in memory and are told apart by the serial
 * number in their word: who moves the state owns the block. */

#define _GNU_SOURCE
#include "alloc.h"

#include <pthread.h>
#include <stdlib.h>
#include <time.h>

#include "layout.h"
#include "thread.h"
#include "launch.h"

#include "_cgo_export.h"

static struct {
  struct pool_entry **places;
  const uint64_t *count;
  int64_t offset; /* from the clock to Go's time */
  int32_t call;
  bool offered; /* written last */
} memory;

/* Blocks by their addresses. A table is only ever added to: a block that is
 * withdrawn leaves its address behind, which drivers give out again. One that is full
 * is replaced, and stays, as another thread may be reading it. */
struct table {
  struct table *replaced; /* keeps it reachable for leak checkers */
  uint64_t mask;
  uint64_t used;
  struct row {
    uintptr_t ptr;
    struct block *block; /* NULL: withdrawn */
  } rows[];
};

static struct table *table;
static pthread_mutex_t publishing = PTHREAD_MUTEX_INITIALIZER;

enum { ways = free_list_ways };

static int64_t clock_now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC_COARSE, &t);
  return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

void alloc_offer(uintptr_t places, uintptr_t count, int64_t now, int32_t call) {
  memory.places = (struct pool_entry **)places;
  memory.count = (const uint64_t *)count;
  memory.offset = now - clock_now();
  memory.call = call;
  __atomic_store_n(&memory.offered, true, __ATOMIC_RELEASE);
}

static uint64_t spread(uintptr_t ptr) {
  return ptr * 0x9E3779B97F4A7C15u >> 20;
}

/* The row of an address in a table, or the one where it would go. */
static struct row *row_of(struct table *t, uintptr_t ptr) {
  for (uint64_t i = spread(ptr);; i++) {
    struct row *r = &t->rows[i & t->mask];
    uintptr_t p = __atomic_load_n(&r->ptr, __ATOMIC_ACQUIRE);
    if (p == ptr || p == 0)
      return r;
  }
}

static struct table *room(void) {
  struct table *t = table;
  if (t != NULL && t->used * 2 <= t->mask)
    return t;
  uint64_t size = t == NULL ? 256 : 2 * (t->mask + 1);
  struct table *bigger = calloc(1, sizeof *bigger + size * sizeof(struct row));
  if (bigger == NULL)
    return NULL;
  bigger->replaced = t;
  bigger->mask = size - 1;
  for (uint64_t i = 0; t != NULL && i <= t->mask; i++)
    if (t->rows[i].block != NULL) {
      *row_of(bigger, t->rows[i].ptr) = t->rows[i];
      bigger->used++;
    }
  __atomic_store_n(&table, bigger, __ATOMIC_RELEASE);
  return bigger;
}

bool alloc_publish(uintptr_t ptr, uintptr_t block) {
  pthread_mutex_lock(&publishing);
  struct table *t = room();
  if (t != NULL) {
    struct row *r = row_of(t, ptr);
    t->used += r->ptr == 0;
    __atomic_store_n(&r->block, (struct block *)block, __ATOMIC_RELEASE);
    __atomic_store_n(&r->ptr, ptr, __ATOMIC_RELEASE);
  }
  pthread_mutex_unlock(&publishing);
  return t != NULL;
}

void alloc_withdraw(uintptr_t ptr) {
  pthread_mutex_lock(&publishing);
  if (table != NULL) {
    struct row *r = row_of(table, ptr);
    if (r->ptr == ptr)
      __atomic_store_n(&r->block, NULL, __ATOMIC_RELEASE);
  }
  pthread_mutex_unlock(&publishing);
}

HOT static struct block *find(uintptr_t ptr) {
  struct table *t = __atomic_load_n(&table, __ATOMIC_ACQUIRE);
  if (t == NULL || ptr == 0)
    return NULL;
  struct row *r = row_of(t, ptr);
  return r->ptr == ptr ? __atomic_load_n(&r->block, __ATOMIC_ACQUIRE) : NULL;
}

HOT uint32_t alloc_class(uint64_t bytes) {
  if (bytes <= 1u << block_smallest_bits)
    return 0;
  unsigned n = 63 - (unsigned)__builtin_clzll(bytes - 1);
  uint64_t k = (bytes - 1 - ((uint64_t)1 << n)) >> (n - block_step_bits);
  return ((n - block_smallest_bits) << block_step_bits) + (uint32_t)k + 1;
}

/* Whether work may be pending on any stream; in the order of streampool's Streams. */
HOT static bool pending(void) {
  uint64_t n = __atomic_load_n(memory.count, __ATOMIC_ACQUIRE);
  while (n-- > 0) {
    struct pool_entry *e = __atomic_load_n(&memory.places[n], __ATOMIC_ACQUIRE);
    if (e != NULL && work_of(__atomic_load_n(&e->word, __ATOMIC_ACQUIRE)) !=
                         __atomic_load_n(&e->synced, __ATOMIC_ACQUIRE))
      return true;
  }
  return false;
}

static bool is(uint64_t word, uint64_t state) {
  return (word & (block_state_mask | block_quick_bit)) ==
         (state | block_quick_bit);
}

/* Moves a block to another state, unless it has changed since its word was read. */
HOT static bool move(struct block *b, uint64_t word, uint64_t to) {
  return __atomic_compare_exchange_n(
      &b->word, &word,
      ((word & ~(uint64_t)block_state_mask) + block_one_more) | to, false,
      __ATOMIC_SEQ_CST, __ATOMIC_RELAXED);
}

/* The places of a hand for blocks of a class. */
HOT static struct block **places(struct thread *c, uint32_t class) {
  return &c->free_list[(class * 0x9E3779B1u >> 29) * ways];
}

_Static_assert(free_list_sets == 8, "places() keeps three bits");

HOT static struct block *take(struct block **place, uint32_t class) {
  struct block *b = __atomic_load_n(place, __ATOMIC_ACQUIRE);
  if (b == NULL || __atomic_load_n(&b->class, __ATOMIC_RELAXED) != class)
    return NULL;
  if (!__atomic_compare_exchange_n(place, &b, NULL, false, __ATOMIC_ACQ_REL,
                                   __ATOMIC_RELAXED))
    return NULL;
  /* It may have been away meanwhile, and come back as another. */
  if (__builtin_expect(__atomic_load_n(&b->class, __ATOMIC_RELAXED) == class,
                       1))
    return b;
  goTakeBack(b->ptr);
  return NULL;
}

enum { turn_ns = 1000000000 };

HOT uintptr_t alloc_block(uint64_t bytes, uintptr_t site) {
  struct thread *c = this_thread;
  if (bytes == 0 || bytes > (uint64_t)1 << 62 || c->scopes_open != 0 ||
      !__atomic_load_n(&memory.offered, __ATOMIC_ACQUIRE))
    return 0;
  int64_t now = clock_now() + memory.offset;
  if (__builtin_expect(now - c->through_go > turn_ns, 0)) {
    c->through_go = now;
    return 0;
  }
  uint32_t class = alloc_class(bytes);
  struct block **place = places(c, class);
  for (int i = 0; i < ways; i++) {
    struct block *b = take(&place[i], class);
    if (b == NULL)
      continue;
    __atomic_store_n(&b->asked, bytes, __ATOMIC_RELAXED);
    __atomic_store_n(&b->site, site, __ATOMIC_RELAXED);
    __atomic_store_n(&b->call, memory.call, __ATOMIC_RELAXED);
    __atomic_store_n(&b->stamp, now, __ATOMIC_RELAXED);
    __atomic_store_n(&b->told, 0, __ATOMIC_RELAXED);
    uint64_t word = __atomic_load_n(&b->word, __ATOMIC_ACQUIRE);
    uintptr_t ptr = b->ptr;
    if (!is(word, block_listed) || !move(b, word, block_live))
      continue; /* nobody moves what is in a hand; should that change, it is not ours */
    __atomic_store_n(&c->allocated, c->allocated + 1, __ATOMIC_RELAXED);
    return ptr;
  }
  return 0;
}

HOT bool alloc_free(uintptr_t ptr) {
  if (!__atomic_load_n(&memory.offered, __ATOMIC_ACQUIRE))
    return false;
  struct block *b = find(ptr);
  if (b == NULL)
    return false;
  uint64_t word = __atomic_load_n(&b->word, __ATOMIC_ACQUIRE);
  if (!is(word, block_live) || b->ptr != ptr)
    return false;
  struct block **place =
      places(this_thread, __atomic_load_n(&b->class, __ATOMIC_RELAXED));
  int i = 0;
  while (i < ways && __atomic_load_n(&place[i], __ATOMIC_RELAXED) != NULL)
    i++;
  if (i == ways || pending() || !move(b, word, block_listed))
    return false;
  __atomic_store_n(&b->stamp, clock_now() + memory.offset, __ATOMIC_RELAXED);
  __atomic_store_n(&place[i], b, __ATOMIC_RELEASE);
  return true;
}

uintptr_t alloc_take(uint32_t class) {
  for (struct thread *c = threads_all(); c != NULL; c = c->next)
    for (int i = 0; i < free_list_sets * ways; i++) {
      struct block *b = __atomic_load_n(&c->free_list[i], __ATOMIC_ACQUIRE);
      if (b == NULL)
        continue;
      b = take(&c->free_list[i], class == UINT32_MAX ? b->class : class);
      if (b != NULL)
        return b->ptr;
    }
  return 0;
}

uintptr_t alloc_listed_at(uint64_t place) {
  for (struct thread *c = threads_all(); c != NULL; c = c->next) {
    if (place < free_list_sets * ways) {
      struct block *b = __atomic_load_n(&c->free_list[place], __ATOMIC_ACQUIRE);
      return b == NULL ? 0 : b->ptr;
    }
    place -= free_list_sets * ways;
  }
  return UINTPTR_MAX;
}

uint64_t alloc_answered(void) {
  uint64_t sum = 0;
  for (struct thread *c = threads_all(); c != NULL; c = c->next)
    sum += __atomic_load_n(&c->allocated, __ATOMIC_RELAXED);
  return sum;
}
