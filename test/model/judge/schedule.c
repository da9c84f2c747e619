//go:build race && invariants

/* The order in which the threads of a program run. One of them has the turn and runs, until it
 * comes to a stop: each atomic operation in C and in Go, and each driver call. A stop draws the
 * next thread from a seed. Some threads then stay where they stopped while others take up to 32
 * steps. So the load of the machine does not choose who meets whom.
 *
 * A thread that has the turn may sleep, because another thread has a lock. One of the others
 * finds it asleep and takes the turn. The thread waits for the turn at its next stop. */
#include "schedule.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static struct member {
  uint32_t go;     /* has the turn; the thread sleeps here */
  uint32_t asleep; /* waits for a lock, as others have found */
  uint32_t ended;
  uint64_t until; /* stays until so many steps were taken */
  int stat;       /* its file in /proc */
} members[schedule_most];

/* Changed by the thread that has the turn. */
static int count;
static uint64_t state, steps, period, stops;

static uint64_t turn; /* serial number * schedule_most + thread */
static bool open_to_all = true;

static __thread int self = -1;
static __thread unsigned held;

static uint64_t draw(uint64_t n) {
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return state % n;
}

void schedule_begin(int threads, uint64_t seed) {
  count = threads;
  state = seed * 0x9E3779B97F4A7C15u | 1;
  for (int i = 0; i < 8; i++)
    draw(2);
  steps = 0;
  period = (uint64_t)2 << draw(7);
  for (int i = 0; i < threads; i++)
    members[i] = (struct member){.stat = -1};
  members[0].go = 1;
  __atomic_store_n(&turn, 0, __ATOMIC_SEQ_CST);
  __atomic_store_n(&open_to_all, false, __ATOMIC_SEQ_CST);
}

void schedule_open(void) {
  __atomic_store_n(&open_to_all, true, __ATOMIC_SEQ_CST);
}

static bool is_open(void) {
  return __atomic_load_n(&open_to_all, __ATOMIC_SEQ_CST);
}

/* Draws a thread that can go on; -1 if all have ended. */
static int next_thread(void) {
  int can[schedule_most], n = 0, first = -1, asleep = -1;
  bool any = draw(64) == 0; /* others may wait for a thread that stays */
  for (int i = 0; i < count; i++) {
    struct member *m = &members[i];
    if (m->ended)
      continue;
    if (__atomic_load_n(&m->asleep, __ATOMIC_SEQ_CST)) {
      asleep = i;
      continue;
    }
    if (any || m->until <= steps)
      can[n++] = i;
    else if (first < 0 || m->until < members[first].until)
      first = i;
  }
  return n > 0 ? can[draw((uint64_t)n)] : first >= 0 ? first : asleep;
}

/* Gives the turn to another thread. Does nothing if the calling thread has lost it. */
static void give(int next) {
  uint64_t now = __atomic_load_n(&turn, __ATOMIC_SEQ_CST);
  if (next < 0 || now % schedule_most != (uint64_t)self)
    return;
  uint64_t then = (now / schedule_most + 1) * schedule_most + (uint64_t)next;
  members[next].until = 0;
  if (!__atomic_compare_exchange_n(&turn, &now, then, false, __ATOMIC_SEQ_CST,
                                   __ATOMIC_SEQ_CST))
    return;
  __atomic_store_n(&members[next].go, 1, __ATOMIC_SEQ_CST);
  syscall(SYS_futex, &members[next].go, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

static bool sleeps(int thread) {
  char text[256];
  ssize_t n = pread(members[thread].stat, text, sizeof text - 1, 0);
  if (n <= 0)
    return false;
  text[n] = 0;
  const char *end = strrchr(text, ')');
  return end != NULL && end[2] == 'S';
}

/* Waits for the turn. Takes it from a thread that sleeps and stops nowhere meanwhile. */
static void wait_for_turn(void) {
  struct member *m = &members[self];
  __atomic_store_n(&m->asleep, 0, __ATOMIC_SEQ_CST);
  uint64_t seen = UINT64_MAX, stopped = 0;
  int found = 0;
  while (!is_open()) {
    uint64_t now = __atomic_load_n(&turn, __ATOMIC_SEQ_CST);
    if (now % schedule_most == (uint64_t)self)
      break;
    const struct timespec some = {.tv_nsec = 300000};
    __atomic_store_n(&m->go, 0, __ATOMIC_SEQ_CST);
    if (__atomic_load_n(&turn, __ATOMIC_SEQ_CST) == now)
      syscall(SYS_futex, &m->go, FUTEX_WAIT_PRIVATE, 0, &some, NULL, 0);
    uint64_t count_now = __atomic_load_n(&stops, __ATOMIC_RELAXED);
    if (__atomic_load_n(&turn, __ATOMIC_SEQ_CST) != now || seen != now ||
        stopped != count_now) {
      seen = now, stopped = count_now, found = 0;
      continue;
    }
    int other = (int)(now % schedule_most);
    found = sleeps(other) ? found + 1 : 0;
    if (found < 2)
      continue;
    uint64_t mine = (now / schedule_most + 1) * schedule_most + (uint64_t)self;
    if (__atomic_compare_exchange_n(&turn, &now, mine, false, __ATOMIC_SEQ_CST,
                                    __ATOMIC_SEQ_CST)) {
      __atomic_store_n(&members[other].asleep, 1, __ATOMIC_SEQ_CST);
      m->until = 0;
      break;
    }
  }
}

static bool has_turn(void) {
  return __atomic_load_n(&turn, __ATOMIC_SEQ_CST) % schedule_most ==
         (uint64_t)self;
}

void schedule_enter(int thread) {
  char name[64];
  snprintf(name, sizeof name, "/proc/self/task/%ld/stat", syscall(SYS_gettid));
  members[thread].stat = open(name, O_RDONLY | O_CLOEXEC);
  self = thread;
  held = 0;
  wait_for_turn();
}

void schedule_leave(void) {
  wait_for_turn();
  members[self].ended = 1;
  close(members[self].stat);
  give(next_thread());
  self = -1;
}

void schedule_step(void) {
  if (self >= 0)
    __atomic_fetch_add(&steps, 1, __ATOMIC_RELAXED);
}

void schedule_pause(uint64_t n) {
  if (self < 0 || is_open())
    return;
  if (has_turn()) {
    members[self].until = steps + n;
    give(next_thread());
  }
  wait_for_turn();
}

void schedule_stop(void) {
  enum { stays = 16, longest = 32 };
  if (self < 0 || held != 0 || is_open())
    return;
  if (has_turn()) {
    __atomic_store_n(&stops, stops + 1, __ATOMIC_RELAXED);
    if (draw(period) != 0)
      return;
    if (draw(stays) == 0)
      members[self].until = steps + 1 + draw(longest);
    int next = next_thread();
    if (next == self) {
      members[self].until = 0;
      return;
    }
    give(next);
  }
  wait_for_turn();
}

void schedule_yield(void) {
  if (self < 0 || is_open())
    return;
  if (has_turn()) { /* also to a thread that was to stay where it is */
    int can[schedule_most], n = 0;
    for (int i = 0; i < count; i++)
      if (i != self && !members[i].ended)
        can[n++] = i;
    give(n > 0 ? can[draw((uint64_t)n)] : self);
  }
  wait_for_turn();
}

void schedule_hold(bool on) {
  if (self >= 0)
    held += on ? 1 : -1u;
}

/* The linker gives __wrap_X for X of the detector where Go calls it. Go tells the detector to ignore what
 * internal/invariants does. */
void __real___tsan_go_ignore_sync_begin(void *);
void __wrap___tsan_go_ignore_sync_begin(void *t) {
  schedule_hold(true);
  __real___tsan_go_ignore_sync_begin(t);
}
void __real___tsan_go_ignore_sync_end(void *);
void __wrap___tsan_go_ignore_sync_end(void *t) {
  __real___tsan_go_ignore_sync_end(t);
  schedule_hold(false);
}
#define STOPS(name)                                                            \
  void __real___tsan_go_atomic##name(void *, uintptr_t, uintptr_t, void *);    \
  void __wrap___tsan_go_atomic##name(void *t, uintptr_t from, uintptr_t pc,    \
                                     void *at) {                               \
    schedule_stop();                                                           \
    __real___tsan_go_atomic##name(t, from, pc, at);                            \
  }
#define STOPS_OF(bits)                                                         \
  STOPS(bits##_load)                                                           \
  STOPS(bits##_store)                                                          \
  STOPS(bits##_exchange)                                                       \
  STOPS(bits##_fetch_add)                                                      \
  STOPS(bits##_fetch_and)                                                      \
  STOPS(bits##_fetch_or)                                                       \
  STOPS(bits##_compare_exchange)
STOPS_OF(32)
STOPS_OF(64)
