/* Launches: the thread's loop, as two releases lower it, and bursts. */

#include "work.h"

/* loop.mlir, lowered by each release. */
void loop19(int64_t n);
void loop22(int64_t n);

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

/* The loop by hand: stream and module exist already. */
static void by_hand(int64_t n, int thread) {
  for (; n > 0; n--) {
    launch(hoisted, empty[hoisted], streams[hoisted][thread], NULL);
    synchronize(hoisted, streams[hoisted][thread]);
  }
}

void measure_loops(void) {
  enum { turn = 50 };
  open_streams(1);
  struct bound b = at_most(2000, 4);
  for (long done = -turn; within(&b, done); done += turn) {
    double us[3][turn];
    for (int i = 0; i < turn; i++) {
      double t0 = now();
      by_hand(1, 0);
      us[0][i] = now() - t0;
    }
    for (int i = 0; i < turn; i++) {
      double t0 = now();
      loop19(1);
      us[1][i] = now() - t0;
    }
    for (int i = 0; i < turn; i++) {
      double t0 = now();
      by_hand(1, 0);
      us[2][i] = now() - t0;
    }
    for (int i = 0; i < turn && done >= 0; i++) {
      sample("loop, MLIR 19, 1 thread", hoisted, us[0][i]);
      sample("loop, MLIR 19, 1 thread", library, us[1][i]);
      sample("loop, MLIR 22, 1 thread", hoisted, us[2][i]);
    }
    for (int i = 0; i < turn; i++) {
      double t0 = now();
      loop22(1);
      us[0][i] = now() - t0;
    }
    for (int i = 0; i < turn && done >= 0; i++)
      sample("loop, MLIR 22, 1 thread", library, us[0][i]);
  }
  close_streams(1);
}

/* So many launches of each thread make one sample. */
enum { wave = 50 };

static void wave_by_hand(void *argument, int thread) {
  (void)argument;
  by_hand(wave, thread);
}

static void wave_lowered(void *argument, int thread) {
  (void)thread;
  (*(void (**)(int64_t))argument)(wave);
}

void measure_loops_of(int threads) {
  static const struct {
    const char *lowering;
    void (*loop)(int64_t);
  } lowered[] = {{"MLIR 19", loop19}, {"MLIR 22", loop22}};
  struct crew *crew = crew_of(threads);
  open_streams(threads);
  for (int l = 0; l < 2; l++) {
    char work[64];
    snprintf(work, sizeof work, "loop, %s, %d threads", lowered[l].lowering,
             threads);
    struct bound b = at_most(40, 2);
    for (long done = -1; within(&b, done); done++)
      for (int w = 0; w < whos; w++) {
        double us = crew_run(crew, w == hoisted ? wave_by_hand : wave_lowered,
                             (void *)&lowered[l].loop);
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
    for (enum who w = 0; w < whos; w++) {
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
