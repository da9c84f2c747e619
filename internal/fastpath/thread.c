/* Counters of calls, one set per thread. A counter that threads share would cost
 * ten nanoseconds a call and more for each further core. */

#include "thread.h"
#include "onenode.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

__thread struct thread *this_thread;

static struct thread *all; /* only ever grows at its head */
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t key;
static bool
    have_key; /* otherwise a thread's counters stay taken when it ends */

/* A thread ends. Should another library's destructor call in afterwards, the
 * thread attaches again. */
static void detach(void *v) {
  struct thread *c = v;
  this_thread = NULL;
  onenode_left(c->onenode);
  __atomic_store_n(&c->in_use, 0, __ATOMIC_RELEASE);
}

static void make_key(void) { have_key = pthread_key_create(&key, detach) == 0; }

struct thread *threads_all(void) {
  return __atomic_load_n(&all, __ATOMIC_ACQUIRE);
}

static struct thread *take_unused(void) {
  for (struct thread *c = threads_all(); c != NULL; c = c->next) {
    uint32_t unused = 0;
    if (__atomic_compare_exchange_n(&c->in_use, &unused, 1, false,
                                    __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
      return c;
  }
  return NULL;
}

bool thread_attach(void) {
  pthread_once(&once, make_key);
  struct thread *c = take_unused();
  if (c == NULL) {
    c = calloc(1, sizeof *c);
    if (c == NULL)
      return false;
    c->in_use = 1;
    c->next = __atomic_load_n(&all, __ATOMIC_RELAXED);
    while (!__atomic_compare_exchange_n(&all, &c->next, c, false,
                                        __ATOMIC_RELEASE, __ATOMIC_RELAXED))
      ;
  }
  /* But not what it keeps. */
  memset(c->lookups, 0, sizeof c->lookups);
  memset(c->streams, 0, sizeof c->streams);
  c->scopes_open = 0;
  if (have_key)
    pthread_setspecific(key, c);
  this_thread = c;
  return true;
}

void thread_detach(void) {
  if (have_key)
    pthread_setspecific(key, NULL);
  detach(this_thread);
}

uint64_t calls_counted(enum call call) {
  uint64_t sum = 0;
  for (struct thread *c = threads_all(); c != NULL; c = c->next)
    sum += __atomic_load_n(&c->made[call], __ATOMIC_RELAXED);
  return sum;
}
