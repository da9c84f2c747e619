/* Launches: the thread's loop, as two releases lower it, and bursts. */

#include "work.h"

/* loop.mlir, lowered by each release. */
void loop19(int64_t n);
void loop22(int64_t n);
/* The same, whose module the other library has loaded, where that is one. */
__attribute__((weak)) void other_loop22(int64_t n);

static const struct {
  const char *lowering;
  void (*loop[whos])(int64_t);
} lowered[] = {{"MLIR 19", {loop19, loop19}},
               {"MLIR 22", {other_loop22, loop22}}};

static void *streams[whos][max_threads];

static void open_streams(int threads) {
  for (int w = 0; w < whos; w++)
    for (int t = 0; t < threads; t++)
      streams[w][t] = stream_create(w);
}

static void close_streams(int threads) {
  for (int w = 0; w < whos; w++)
    for (int t = 0; t < threads; t++)
      stream_destroy(w, streams[w][t]);
}

/* By hand, stream and module exist already. */
static void loop(enum who w, int lowering, int64_t n, int thread) {
  if (!by_hand(w)) {
    lowered[lowering].loop[w](n);
    return;
  }
  for (; n > 0; n--) {
    launch(w, empty[w], streams[w][thread], NULL);
    synchronize(w, streams[w][thread]);
  }
}

void measure_loops(void) {
  enum { turn = 50 };
  open_streams(1);
  struct bound b = at_most(2000, 4);
  for (long done = -turn; within(&b, done); done += turn)
    for (int l = 0; l < 2; l++)
      IN_TURNS(w, done / turn) {
        double us[turn];
        for (int i = 0; i < turn; i++) {
          double t0 = now();
          loop(w, l, 1, 0);
          us[i] = now() - t0;
        }
        char work[64];
        snprintf(work, sizeof work, "loop, %s, 1 thread", lowered[l].lowering);
        for (int i = 0; i < turn && done >= 0; i++)
          sample(work, w, us[i]);
      }
  close_streams(1);
}

/* So many launches of each thread make one sample. */
enum { wave = 50 };

struct wave {
  enum who who;
  int lowering;
};

static void make_wave(void *argument, int thread) {
  struct wave *w = argument;
  loop(w->who, w->lowering, wave, thread);
}

void measure_loops_of(int threads) {
  struct crew *crew = crew_of(threads);
  open_streams(threads);
  for (int l = 0; l < 2; l++) {
    char work[64];
    snprintf(work, sizeof work, "loop, %s, %d threads", lowered[l].lowering,
             threads);
    struct bound b = at_most(40, 2);
    for (long done = -1; within(&b, done); done++)
      IN_TURNS(w, done) {
        struct wave of = {w, l};
        double us = crew_run(crew, make_wave, &of);
        if (done >= 0)
          sample(work, w, us / (wave * threads));
      }
  }
  close_streams(threads);
  crew_dismiss(crew);
}

/* 128 launches and a wait. */
enum { burst = 128 };

static double issued[max_threads];

static void shoot(void *argument, int thread) {
  enum who w = *(enum who *)argument;
  double t0 = now();
  for (int i = 0; i < burst; i++)
    launch(w, empty[w], streams[w][thread], NULL);
  issued[thread] = now() - t0;
  synchronize(w, streams[w][thread]);
}

void measure_bursts(int threads) {
  char work[64], only[64];
  snprintf(work, sizeof work, "128 launches, then a wait, %d thread%s", threads,
           threads > 1 ? "s" : "");
  snprintf(only, sizeof only, "128 launches, only issued, %d thread%s", threads,
           threads > 1 ? "s" : "");
  struct crew *crew = crew_of(threads);
  open_streams(threads);
  struct bound b = at_most(700, 2);
  for (long done = -3; within(&b, done); done++)
    IN_TURNS(w, done) {
      double us = crew_run(crew, shoot, &w);
      if (done < 0)
        continue;
      sample(work, w, us / (burst * threads));
      double sum = 0;
      for (int t = 0; t < threads; t++)
        sum += issued[t];
      sample(only, w, sum / threads / burst);
    }
  close_streams(threads);
  crew_dismiss(crew);
}
