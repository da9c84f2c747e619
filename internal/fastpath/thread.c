/* States of threads. Each thread has its own counters: a shared counter would cost ten
 * nanoseconds per call, and more with each further core. */

#include "thread.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "lookup.h"
#include "stream.h"
#include "tune.h"

__thread struct thread *this_thread;

static struct thread *all; /* grows at its head; none is removed */
static uint64_t states;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t key;
static bool have_key; /* false: the states of ended threads stay in use */

/* Runs when a thread ends. If another library's destructor calls the library afterwards, the
 * thread attaches again. A thread that was cancelled in the driver submits no more. */
static void detach(void *state) {
  struct thread *t = state;
  if (t->submitting.stream != NULL)
    entry_end(t->submitting.stream, t->submitting.submission);
  t->submitting.stream = NULL;
  this_thread = NULL;
  tune_thread_ended(t->tuner);
  __atomic_store_n(&t->in_use, 0, __ATOMIC_RELEASE);
}

static void make_key(void) { have_key = pthread_key_create(&key, detach) == 0; }

struct thread *threads_all(void) {
  return __atomic_load_n(&all, __ATOMIC_ACQUIRE);
}

uint64_t threads_count(void) {
  return __atomic_load_n(&states, __ATOMIC_RELAXED);
}

static struct thread *claim_unused(void) {
  for (struct thread *t = threads_all(); t != NULL; t = t->next) {
    uint32_t unused = 0;
    if (__atomic_compare_exchange_n(&t->in_use, &unused, 1, false,
                                    __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
      return t;
  }
  return NULL;
}

bool thread_attach(void) {
  pthread_once(&once, make_key);
  struct thread *t = claim_unused();
  if (t == NULL) {
    t = aligned_alloc(_Alignof(struct thread), sizeof *t);
    if (t == NULL)
      return false;
    memset(t, 0, sizeof *t);
    t->in_use = 1;
    __atomic_add_fetch(&states, 1, __ATOMIC_RELAXED);
    t->next = __atomic_load_n(&all, __ATOMIC_RELAXED);
    while (!__atomic_compare_exchange_n(&all, &t->next, t, false,
                                        __ATOMIC_RELEASE, __ATOMIC_RELAXED))
      ;
  }
  /* A reused state keeps its counters, its modules and its blocks. Look-ups, streams, scopes
   * and frees belonged to the old thread, and are cleared. */
  memset(t->streams, 0, sizeof t->streams);
  t->scopes_open = 0;
  t->freed = 0;
  t->trace.segment = NULL;
  if (have_key)
    pthread_setspecific(key, t);
  this_thread = t;
  lookup_forget_thread();
  return true;
}

void thread_detach(void) {
  if (have_key)
    pthread_setspecific(key, NULL);
  detach(this_thread);
}

uint64_t calls_counted(enum call call) {
  uint64_t sum = 0;
  for (struct thread *t = threads_all(); t != NULL; t = t->next)
    sum += __atomic_load_n(&t->calls[call], __ATOMIC_RELAXED);
  return sum;
}
