/* Threads that begin a piece of work together. They wait for it by spinning: a
 * thread that the kernel has to wake begins too late. */

#define _GNU_SOURCE
#include "work.h"

#include <pthread.h>
#include <sched.h>
#include <stdlib.h>

struct member {
  struct crew *crew;
  int number;
  pthread_t thread;
  double begin, end;
};

struct crew {
  int threads;
  job job;
  void *argument;
  unsigned round;   /* of work; grows when a new one is there */
  unsigned arrived; /* in this round, ready to begin */
  unsigned done;
  struct member members[max_threads];
};

static unsigned read_of(unsigned *n) {
  return __atomic_load_n(n, __ATOMIC_ACQUIRE);
}

static void await(unsigned *n, unsigned value) {
  for (long i = 0; read_of(n) != value; i++) {
    __builtin_ia32_pause();
    if (i > 2000)
      sched_yield(); /* fewer cores than threads */
  }
}

static void take_part(struct member *m) {
  struct crew *c = m->crew;
  __atomic_add_fetch(&c->arrived, 1, __ATOMIC_ACQ_REL);
  await(&c->arrived, (unsigned)c->threads);
  m->begin = now();
  c->job(c->argument, m->number);
  m->end = now();
  __atomic_add_fetch(&c->done, 1, __ATOMIC_ACQ_REL);
}

static void *serve(void *v) {
  struct member *m = v;
  raw_bind();
  for (unsigned round = 1;; round++) {
    await(&m->crew->round, round);
    if (m->crew->job == NULL)
      return NULL;
    take_part(m);
  }
}

struct crew *crew_of(int threads) {
  struct crew *c = calloc(1, sizeof *c);
  if (c == NULL)
    abort();
  c->threads = threads;
  for (int i = 0; i < threads; i++) {
    struct member *m = &c->members[i];
    m->crew = c;
    m->number = i;
    if (i > 0 && pthread_create(&m->thread, NULL, serve, m) != 0)
      abort();
  }
  return c;
}

static void announce(struct crew *c, job job, void *argument) {
  c->job = job;
  c->argument = argument;
  __atomic_store_n(&c->arrived, 0, __ATOMIC_RELAXED);
  __atomic_store_n(&c->done, 0, __ATOMIC_RELAXED);
  __atomic_add_fetch(&c->round, 1, __ATOMIC_RELEASE);
}

double crew_run(struct crew *c, job job, void *argument) {
  announce(c, job, argument);
  take_part(&c->members[0]);
  await(&c->done, (unsigned)c->threads);
  double begin = c->members[0].begin, end = c->members[0].end;
  for (int i = 1; i < c->threads; i++) {
    if (c->members[i].begin < begin)
      begin = c->members[i].begin;
    if (c->members[i].end > end)
      end = c->members[i].end;
  }
  return end - begin;
}

void crew_dismiss(struct crew *c) {
  announce(c, NULL, NULL);
  for (int i = 1; i < c->threads; i++)
    pthread_join(c->members[i].thread, NULL);
  free(c);
}
