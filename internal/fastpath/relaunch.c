/* Launches of recorded graphs that the program launches again unchanged.
 *
 * After a wait for the GPU, entering Go costs microseconds. So Go lets C launch the graph
 * that a stream launched last: it puts the graph into a slot of a table, and removes it
 * before it changes or destroys the graph. A slot's state says whether the slot is open,
 * and whether a thread is inside. At most one thread is, since drivers require that a graph
 * is launched by one thread at a time. test/model/relaunch.pml models this. */

#include "relaunch.h"

#include <pthread.h>
#include <sched.h>
#include <stddef.h>
#include <time.h>

#include "driver.h"
#include "stream.h"
#include "thread.h"

enum { slot_bits = 6, slot_open = 1, slot_entered = 2 };

static struct slot {
  uint64_t state, key;
  uintptr_t stream, exec;
  uint64_t *launches;
  pthread_mutex_t changing;
} slots[1 << slot_bits] = {
    [0 ...(1 << slot_bits) - 1] = {.changing = PTHREAD_MUTEX_INITIALIZER}};

static struct slot *slot_of(uintptr_t stream) {
  return &slots[stream * 0x9E3779B97F4A7C15u >> (64 - slot_bits)];
}

/* Reports whether a slot has a graph and stream. A slot's fields change only while no thread
 * is inside, so a thread outside may read old values. */
static bool has(const struct slot *s, uint64_t key, uintptr_t stream) {
  return __atomic_load_n(&s->key, __ATOMIC_RELAXED) == key &&
         __atomic_load_n(&s->stream, __ATOMIC_RELAXED) == stream;
}

/* Closes a slot and waits until no thread is inside. It sleeps, since the driver call may
 * take long, or be made by a thread of lower priority. */
static void close_slot(struct slot *s) {
  __atomic_fetch_and(&s->state, ~(uint64_t)slot_open, __ATOMIC_SEQ_CST);
  for (int n = 0; __atomic_load_n(&s->state, __ATOMIC_SEQ_CST) != 0; n++)
    if (n < 100)
      sched_yield();
    else
      nanosleep(&(struct timespec){.tv_nsec = 20000}, NULL);
}

/* Changes a slot's state from from to to. Returns false in any other state. */
static bool move_slot(struct slot *s, uint64_t from, uint64_t to) {
  return __atomic_compare_exchange_n(&s->state, &from, to, false,
                                     __ATOMIC_SEQ_CST, __ATOMIC_RELAXED);
}

void relaunch_begin(uint64_t key, uintptr_t stream, uintptr_t exec,
                    uintptr_t launches) {
  struct slot *s = slot_of(stream);
  pthread_mutex_lock(&s->changing);
  /* Another stream's graph may have the slot. If that graph is being launched, it stays. */
  if (move_slot(s, slot_open, 0) ||
      __atomic_load_n(&s->state, __ATOMIC_SEQ_CST) == 0) {
    __atomic_store_n(&s->key, key, __ATOMIC_RELAXED);
    __atomic_store_n(&s->stream, stream, __ATOMIC_RELAXED);
    s->exec = exec;
    s->launches = (uint64_t *)launches;
    __atomic_store_n(&s->state, slot_open, __ATOMIC_SEQ_CST);
  }
  pthread_mutex_unlock(&s->changing);
}

void relaunch_end(uint64_t key, uintptr_t stream) {
  struct slot *s = slot_of(stream);
  pthread_mutex_lock(&s->changing);
  if (has(s, key, stream))
    close_slot(s);
  pthread_mutex_unlock(&s->changing);
}

/* Launches a slot's graph, if it is still the graph of key and stream. */
static bool launch_slot(const struct slot *s, uint64_t key, uintptr_t stream) {
  uint64_t word, submission;
  struct pool_entry *e;
  if (!has(s, key, stream) || (e = stream_live_entry(stream, &word)) == NULL ||
      (submission = stream_begin_submission(e, word)) == 0)
    return false;
  int32_t status = driver.graph_launch(driver.self, s->exec, 0, 0, 0, 0, 0, 0,
                                       0, 0, stream, 0, false);
  stream_end_submission(e, submission);
  if (status != 0) /* Go launches the graph again, and reports the error */
    return false;
  thread_count(&this_thread->driver_calls[call_mgpuLaunchKernel], 1);
  __atomic_add_fetch(s->launches, 1, __ATOMIC_RELAXED);
  return true;
}

bool relaunch(uint64_t key, uintptr_t stream) {
  struct slot *s = slot_of(stream);
  if (!driver_offered() || !has(s, key, stream) || driver.watched ||
      !move_slot(s, slot_open, slot_open | slot_entered))
    return false;
  bool launched = launch_slot(s, key, stream);
  __atomic_fetch_and(&s->state, ~(uint64_t)slot_entered, __ATOMIC_SEQ_CST);
  return launched;
}
