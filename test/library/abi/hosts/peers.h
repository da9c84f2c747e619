/* What the threads of peers.c are: their devices and streams, and what orders those. */
#ifndef PEERS_H
#define PEERS_H

#define _GNU_SOURCE
#include <mgpu_runtime.h>

#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
  max_devices = 16,
  max_threads = 64,
  blocks = 6,
  streams = 3,
  events = 3
};

/* An allocation, and what it has to hold. */
struct block {
  int device;
  uint32_t *at, n, *model;
  int home, stream; /* where its last work is; home -1: it is idle */
};

/* What a thread passes to another: a block, and an event after its last work. */
struct gift {
  struct block block;
  void *event;
};

struct thread {
  uint64_t state, seed;
  int number, call, current;
  struct block block[blocks];
  void *stream[max_devices][streams]; /* the first is the default stream */
  void *event[max_devices][events];
  uint32_t *staging[max_devices][streams];
  uint32_t *words[max_devices];       /* for delays: 64 for each stream, 0 */
  bool uploads[max_devices][streams]; /* from there, which may be under way */
  void *module[max_devices]; /* without a cache; else the first serves all */
};

static struct thread thread[max_threads];
static __thread struct thread *me;

static void *image;
static bool nvidia, cached, registers;
static int devices, threads;
static long calls;
static uint32_t most = 4096;

static uint64_t in_use[max_devices]; /* bytes, as the model has them */
enum { allocated, launched, crossed, hot, kinds };
static long done[kinds]; /* the last two: copies between devices, early frees */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct gift gifts[4 * max_threads];
static int given;

static void count(int what) {
  __atomic_fetch_add(&done[what], 1, __ATOMIC_RELAXED);
}

/* Ends the process at once: other threads make calls. */
#define DISAGREE(...)                                                          \
  do {                                                                         \
    printf("seed %llu, thread %d, call %d: ", (unsigned long long)me->seed,    \
           me->number, me->call);                                              \
    printf(__VA_ARGS__);                                                       \
    putchar('\n');                                                             \
    fflush(stdout);                                                            \
    _exit(1);                                                                  \
  } while (0)

static uint64_t next(void) {
  me->state += 0x9e3779b97f4a7c15;
  uint64_t z = me->state;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
  z = (z ^ z >> 27) * 0x94d049bb133111eb;
  return z ^ z >> 31;
}

static uint32_t pick(uint32_t n) { return (uint32_t)(next() >> 16) % n; }

static void go(int device) {
  if (device == me->current)
    return;
  mgpuSetDefaultDevice(device);
  me->current = device;
}

static void wander(void) {
  if (pick(2))
    go((int)pick((uint32_t)devices));
}

/* The handle of a device's stream. The default stream is that of the current device. */
static void *on(int home, int s) {
  if (me->stream[home][s] == NULL)
    go(home);
  return me->stream[home][s];
}

static void finished(int home, int s) {
  for (int b = 0; b < blocks; b++)
    if (me->block[b].home == home && me->block[b].stream == s)
      me->block[b].home = -1;
  me->uploads[home][s] = false;
}

/* An event of a stream's device, after the stream's queued work. */
static void *recorded(int home, int s) {
  void *e = me->event[home][pick(events)];
  mgpuEventRecord(e, on(home, s));
  return e;
}

static void wait_for(int home, int s) {
  wander();
  if (pick(2))
    mgpuStreamSynchronize(on(home, s));
  else
    mgpuEventSynchronize(recorded(home, s));
  finished(home, s);
}

/* Orders a stream after another one, of any device. */
static void follow(int home, int s, int device, int t) {
  if (home == device && s == t)
    return;
  void *e = me->stream[device][t];
  if (e == NULL || !cached || pick(4)) /* a stream may stand for an event */
    e = recorded(device, t);
  wander();
  mgpuStreamWaitEvent(on(home, s), e);
}

/* Orders a stream after the block's last use. */
static void use(struct block *b, int home, int s) {
  if (b->home >= 0)
    follow(home, s, b->home, b->stream);
  b->home = home;
  b->stream = s;
}

#endif
