/* Measures the programs: as lowered beside launches by hand, and with regions beside graphs
 * by hand. Stock has no regions. Its programs of MLIR 19, which load a module
 * at every launch, take seconds: one sample has to do. */

#include <mgpu_runtime.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../work.h"
#include "hand.h"

extern __typeof__(mgpuxGraphBegin) mgpuxGraphBegin __attribute__((weak));

static void set(const struct program *p, struct memory *m, enum who w,
                bool begin, void *stream) {
  for (int i = 0; i < p->arrays; i++) {
    size_t bytes = sizeof(float) * (size_t)p->points[i];
    if (begin)
      p->begin(i, m->host);
    else if (i != p->result)
      continue;
    void *to = begin ? m->d[i] : m->host, *from = begin ? m->host : m->d[i];
    if (by_hand(w))
      raw_copy(to, from, bytes, stream);
    else
      mgpuMemcpy(to, from, bytes, stream);
    synchronize(w, stream);
  }
}

/* A region reaches its final form with its third run. By hand the first run is without a
 * graph: nothing is loaded while one is captured. */
enum { first_run = -3 };

/* Takes a sample of a running program, from run 0 on. */
static void run(const struct program *p, struct hand *h, struct memory *m,
                enum who w, int release, bool asked, const char *work,
                void *stream, long number) {
  set(p, m, w, true, stream);
  double t0 = now();
  if (by_hand(w))
    hand_run(h, m, asked && number > first_run);
  else if (asked)
    p->asked[release](m);
  else
    p->lowered[release](m);
  double us = now() - t0;
  if (number >= 0)
    sample(work, w, us);
  if (number > 0)
    return;
  set(p, m, w, false, stream);
  float wrong = program_error(p, m->host);
  if (wrong > p->tolerance) {
    fprintf(stderr, "work: %s, %s: a result is off by %g\n", work,
            by_hand(w) ? "by hand" : "as lowered", (double)wrong);
    exit(1);
  }
}

/* A program with the releases' lowered code, as the parties from one to another run it. */
static void measure(int program, int release, bool asked, enum who from,
                    enum who to, const char *where) {
  static const int releases[] = {19, 22};
  static struct memory m[whos];
  const struct program *p = &programs[program];
  void *stream[whos];
  char work[96];
  snprintf(work, sizeof work, "%s, MLIR %d%s%s", p->name, releases[release],
           asked ? ", regions" : "", where);
  struct hand *h = hand_open(program, releases[release]);
  for (enum who w = from; w <= to; w++) {
    stream[w] = stream_create(w);
    for (int a = 0; a < p->arrays; a++) {
      size_t bytes = sizeof(float) * (size_t)p->points[a];
      m[w].d[a] = by_hand(w) ? raw_alloc(bytes) : mgpuMemAlloc(bytes, NULL, 0);
    }
  }
  struct bound b = at_most(60, 1.5);
  for (long done = asked ? first_run : -1; done < 1 || within(&b, done); done++)
    for (enum who w = from; w <= to; w++)
      run(p, h, &m[w], w, release, asked, work, stream[w], done);
  for (enum who w = from; w <= to; w++) {
    for (int a = 0; a < p->arrays; a++)
      if (by_hand(w))
        raw_free(m[w].d[a]);
      else
        mgpuMemFree(m[w].d[a], NULL);
    stream_destroy(w, stream[w]);
  }
  hand_close(h);
}

/* Without the cache a region is executed call by call, and one that loads its module can't
 * be launched again. */
void measure_programs(void) {
  const char *cache = getenv("MGPU_CACHE");
  bool regions = mgpuxGraphBegin != NULL && by_hand(other) &&
                 (cache == NULL || strcmp(cache, "off") != 0);
  for (int i = 0; i < 2 * programs_count; i++)
    for (int asked = 0; asked <= regions; asked++)
      measure(i / 2, i % 2, asked, other, library, "");
}

/* Regions in a process without other users of streams: see measure_regions_alone. */
void measure_programs_alone(enum who w) {
  for (int i = 0; i < 2 * programs_count; i++)
    measure(i / 2, i % 2, true, w, w, ", alone");
}
