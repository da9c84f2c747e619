/* Streams that come and go, allocations, copies. */

#include "work.h"

#include <mgpu_runtime.h>

#include <stdlib.h>
#include <string.h>

void measure_churn(void) {
  enum { at_once = 8 };
  struct bound b = at_most(700, 2);
  for (long done = -3; within(&b, done); done++)
    IN_TURNS(w, done) {
      double t0 = now();
      stream_destroy(w, stream_create(w));
      double t1 = now();
      void *s[at_once];
      for (int i = 0; i < at_once; i++) {
        s[i] = stream_create(w);
        launch(w, empty[w], s[i], NULL);
      }
      for (int i = 0; i < at_once; i++)
        synchronize(w, s[i]);
      for (int i = 0; i < at_once; i++)
        stream_destroy(w, s[i]);
      double t2 = now();
      if (done < 0)
        continue;
      sample("stream create, destroy", w, t1 - t0);
      sample("8 streams: create, launch, wait, destroy", w, t2 - t1);
    }
}

static void *device_alloc(enum who w, size_t bytes) {
  return by_hand(w) ? raw_alloc(bytes) : mgpuMemAlloc(bytes, NULL, 0);
}

static void device_free(enum who w, void *p) {
  if (by_hand(w))
    raw_free(p);
  else
    mgpuMemFree(p, NULL);
}

static void put(enum who w, void *dst, void *src, size_t bytes, void *stream) {
  if (by_hand(w))
    raw_copy(dst, src, bytes, stream);
  else
    mgpuMemcpy(dst, src, bytes, stream);
}

static void copy(enum who w, void *dst, void *src, size_t bytes, void *stream) {
  put(w, dst, src, bytes, stream);
  synchronize(w, stream);
}

static const char *size_of(size_t bytes, char *text, size_t n) {
  if (bytes >= 1 << 20)
    snprintf(text, n, "%zu MiB", bytes >> 20);
  else
    snprintf(text, n, "%zu KiB", bytes >> 10);
  return text;
}

/* Pairs are timed some at a time: reading the clock takes as long as one. */
enum { pairs = 16 };

void measure_alloc(size_t bytes) {
  char work[64], pool[96], size[32];
  snprintf(work, sizeof work, "alloc, free, %s",
           size_of(bytes, size, sizeof size));
  snprintf(pool, sizeof pool, "%s, beside the driver's own pool", work);
  void *stream = stream_create(other),
       *p = by_hand(other) ? raw_pool_alloc(bytes, stream) : NULL;
  bool has_pool = p != NULL;
  if (has_pool)
    raw_pool_free(p, stream);
  struct bound b = at_most(700, 2);
  for (long done = -3; within(&b, done); done++) {
    double us[whos], pooled = 0;
    IN_TURNS(w, done) {
      double t0 = now();
      for (int i = 0; i < pairs; i++)
        device_free(w, device_alloc(w, bytes));
      us[w] = (now() - t0) / pairs;
    }
    if (has_pool) {
      double t0 = now();
      for (int i = 0; i < pairs; i++)
        raw_pool_free(raw_pool_alloc(bytes, stream), stream);
      pooled = (now() - t0) / pairs;
      synchronize(other, stream);
    }
    if (done < 0)
      continue;
    for (int w = 0; w < whos; w++)
      sample(work, w, us[w]);
    if (!has_pool)
      continue;
    sample(pool, other, pooled);
    sample(pool, library, us[library]);
  }
  stream_destroy(other, stream);
}

enum { pairs_of_thread = 200 };

static void alloc_and_free(void *bytes, int thread) {
  (void)thread;
  for (int i = 0; i < pairs_of_thread; i++)
    mgpuMemFree(mgpuMemAlloc((size_t)bytes, NULL, 0), NULL);
}

void measure_alloc_of(int threads, size_t bytes) {
  char work[96], size[32];
  snprintf(work, sizeof work, "alloc, free, %s, %d threads, per pair of all",
           size_of(bytes, size, sizeof size), threads);
  struct crew *crew = crew_of(threads);
  struct bound b = at_most(200, 2);
  for (long done = -2; within(&b, done); done++)
    IN_TURNS(w, done) {
      if (by_hand(w)) /* it has one block */
        continue;
      double us = crew_run(crew, alloc_and_free, (void *)bytes);
      if (done >= 0)
        sample(work, w, us / pairs_of_thread / threads);
    }
  crew_dismiss(crew);
}

/* What a lowered function that is called in a loop does. By hand: with memory that
 * exists already, and is large: beside a small block of it the driver would give stock
 * small ones for nothing. */
struct rounds {
  char *in, *out;
  void *mine; /* by hand */
  size_t bytes;
};

static struct rounds rounds_of(size_t bytes) {
  struct rounds r = {malloc(bytes), malloc(bytes), raw_alloc(64 << 20), bytes};
  memset(r.in, 1, bytes);
  return r;
}

static void rounds_end(struct rounds *r) {
  raw_free(r->mine);
  free(r->in);
  free(r->out);
}

static double make_round(const struct rounds *r, enum who w, void *stream) {
  double t0 = now();
  bool kept = by_hand(w);
  void *p = kept ? r->mine : mgpuMemAlloc(r->bytes, stream, 0);
  put(w, p, r->in, r->bytes, stream);
  launch(w, empty[w], stream, NULL);
  put(w, r->out, p, r->bytes, stream);
  if (!kept)
    mgpuMemFree(p, stream);
  synchronize(w, stream);
  return now() - t0;
}

void measure_rounds(size_t bytes) {
  char work[96], size[32];
  snprintf(work, sizeof work, "alloc, copy, launch, copy, free, %s",
           size_of(bytes, size, sizeof size));
  struct rounds r = rounds_of(bytes);
  void *stream[whos];
  for (enum who w = 0; w < whos; w++)
    stream[w] = stream_create(w);
  struct bound b = at_most(2000, 4);
  enum {
    turn = 50
  }; /* rounds in a row: streams in turns would wait for each other's time slice */
  for (long done = -turn; within(&b, done); done += turn)
    IN_TURNS(w, done / turn)
  for (int i = 0; i < turn; i++) {
    double us = make_round(&r, w, stream[w]);
    if (done >= 0)
      sample(work, w, us);
  }
  for (enum who w = 0; w < whos; w++)
    stream_destroy(w, stream[w]);
  rounds_end(&r);
}

/* The same by threads at once, each with memory and a stream of its own. By hand: with
 * blocks of memory that exist already. */
enum { rounds_of_thread = 20 };

struct crowd {
  enum who who;
  struct rounds rounds[max_threads];
  void *streams[whos][max_threads];
};

static void make_rounds(void *argument, int thread) {
  struct crowd *c = argument;
  for (int i = 0; i < rounds_of_thread; i++)
    make_round(&c->rounds[thread], c->who, c->streams[c->who][thread]);
}

void measure_rounds_of(int threads, size_t bytes) {
  static struct crowd c;
  char work[96], size[32];
  snprintf(work, sizeof work, "alloc, copy, launch, copy, free, %s, %d threads",
           size_of(bytes, size, sizeof size), threads);
  struct crew *crew = crew_of(threads);
  for (int t = 0; t < threads; t++) {
    c.rounds[t] = rounds_of(bytes);
    for (enum who w = 0; w < whos; w++)
      c.streams[w][t] = stream_create(w);
  }
  struct bound b = at_most(150, 1.5);
  for (long done = -3; within(&b, done); done++)
    IN_TURNS(w, done) {
      c.who = w;
      double us = crew_run(crew, make_rounds, &c);
      if (done >= 0)
        sample(work, w, us / (rounds_of_thread * threads));
    }
  for (int t = 0; t < threads; t++) {
    for (enum who w = 0; w < whos; w++)
      stream_destroy(w, c.streams[w][t]);
    rounds_end(&c.rounds[t]);
  }
  crew_dismiss(crew);
}

/* The same where no other stream has been used. */
void measure_rounds_alone(enum who w, size_t bytes) {
  char work[96], size[32];
  snprintf(work, sizeof work, "alloc, copy, launch, copy, free, %s, alone",
           size_of(bytes, size, sizeof size));
  struct rounds r = rounds_of(bytes);
  void *stream = stream_create(w);
  struct bound b = at_most(4000, 4);
  for (long done = -2000; within(&b, done); done++) {
    double us = make_round(&r, w, stream);
    if (done >= 0)
      sample(work, w, us);
  }
  stream_destroy(w, stream);
  rounds_end(&r);
}

void measure_copy(size_t bytes) {
  char up[64], down[64], size[32];
  snprintf(up, sizeof up, "copy to device, wait, %s",
           size_of(bytes, size, sizeof size));
  snprintf(down, sizeof down, "copy from device, wait, %s",
           size_of(bytes, size, sizeof size));
  char *host = malloc(bytes);
  memset(host, 1, bytes);
  void *device[whos], *stream[whos];
  for (int w = 0; w < whos; w++) {
    device[w] = device_alloc(w, bytes);
    stream[w] = stream_create(w);
  }
  enum { turn = 20 };
  struct bound b = at_most(700, 1);
  for (long done = -turn; within(&b, done); done += turn)
    IN_TURNS(w, done / turn)
  for (int i = 0; i < turn; i++) {
    double t0 = now();
    copy(w, device[w], host, bytes, stream[w]);
    double t1 = now();
    copy(w, host, device[w], bytes, stream[w]);
    double t2 = now();
    if (done < 0)
      continue;
    sample(up, w, t1 - t0);
    sample(down, w, t2 - t1);
  }
  for (int w = 0; w < whos; w++) {
    device_free(w, device[w]);
    stream_destroy(w, stream[w]);
  }
  free(host);
}
