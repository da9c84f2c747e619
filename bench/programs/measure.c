/* Measures the programs: as lowered beside a person's launches, and with regions beside a
 * person's graphs. Stock has no regions. Its programs of MLIR 19, which load a module at
 * every launch, take seconds: one sample has to do. */

#include <mgpu_runtime.h>

#include <stdio.h>
#include <stdlib.h>

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
    if (w == hoisted)
      raw_copy(to, from, bytes, stream);
    else
      mgpuMemcpy(to, from, bytes, stream);
    synchronize(w, stream);
  }
}

void measure_programs(void) {
  static struct memory m[whos];
  static const int releases[] = {19, 22};
  void *stream[whos];
  for (int w = 0; w < whos; w++)
    stream[w] = stream_create(w);
  for (int i = 0; i < 4 * programs_count; i++) {
    const struct program *p = &programs[i / 4];
    int release = i / 2 % 2;
    bool asked = i % 2;
    if (asked && mgpuxGraphBegin == NULL)
      continue;
    char work[96];
    snprintf(work, sizeof work, "%s, MLIR %d%s", p->name, releases[release],
             asked ? ", regions" : "");
    struct hand *h = hand_open(i / 4, releases[release]);
    for (int a = 0; a < p->arrays; a++) {
      size_t bytes = sizeof(float) * (size_t)p->points[a];
      m[hoisted].d[a] = raw_alloc(bytes);
      m[library].d[a] = mgpuMemAlloc(bytes, NULL, 0);
    }
    struct bound b = at_most(60, 1.5);
    for (long done = -1; done < 1 || within(&b, done); done++)
      for (enum who w = 0; w < whos; w++) {
        set(p, &m[w], w, true, stream[w]);
        double t0 = now();
        if (w == hoisted)
          hand_run(h, &m[w], asked);
        else if (asked)
          p->asked[release](&m[w]);
        else
          p->lowered[release](&m[w]);
        double us = now() - t0;
        if (done >= 0)
          sample(work, w, us);
        if (done > 0)
          continue;
        set(p, &m[w], w, false, stream[w]);
        float wrong = program_error(p, m[w].host);
        if (wrong > p->tolerance) {
          fprintf(stderr, "work: %s, %s: a result is off by %g\n", work,
                  w == hoisted ? "by hand" : "as lowered", (double)wrong);
          exit(1);
        }
      }
    for (int a = 0; a < p->arrays; a++) {
      raw_free(m[hoisted].d[a]);
      mgpuMemFree(m[library].d[a], NULL);
    }
    hand_close(h);
  }
  for (int w = 0; w < whos; w++)
    stream_destroy(w, stream[w]);
}
