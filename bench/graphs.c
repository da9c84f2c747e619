/* Launches whose parameters change, and recorded regions of them. */

#include "work.h"

#include <mgpu_runtime.h>

#include <stdlib.h>
#include <string.h>

/* Stock has no such functions. */
extern __typeof__(mgpuxGraphBegin) mgpuxGraphBegin __attribute__((weak));
extern __typeof__(mgpuxGraphEnd) mgpuxGraphEnd __attribute__((weak));
extern __typeof__(mgpuxGraphLaunch) mgpuxGraphLaunch __attribute__((weak));

enum { region = 128 };

static void launch_args(enum who w, void *stream, unsigned long i) {
  float *a = (float *)(4096 + 64 * i), *b = (float *)(8192 + 64 * i),
        x = (float)i;
  unsigned flag = 0;
  launch(w, args[w], stream, (void *[]){&a, &b, &i, &flag, &x});
}

/* One launch and a wait, as often as makes a sample worth taking. */
static void single(enum who w, void *stream, bool changing) {
  static unsigned long i;
  char work[64], only[64];
  const char *how = changing ? "new parameters" : "same parameters";
  snprintf(work, sizeof work, "launch, wait, %s", how);
  snprintf(only, sizeof only, "launch, wait, %s, only issued", how);
  for (int n = 0; n < 50; n++) {
    double t0 = now();
    launch_args(w, stream, changing ? i++ : 7);
    double t1 = now();
    synchronize(w, stream);
    double t2 = now();
    sample(work, w, t2 - t0);
    sample(only, w, t1 - t0);
  }
}

static void many(enum who w, void *stream, bool changing) {
  static unsigned long i;
  char work[64], only[64];
  const char *how = changing ? "new parameters" : "same parameters";
  snprintf(work, sizeof work, "%d launches, then a wait, %s", region, how);
  snprintf(only, sizeof only, "%d launches, only issued, %s", region, how);
  double t0 = now();
  for (int n = 0; n < region; n++)
    launch_args(w, stream, changing ? i++ : 7);
  double t1 = now();
  synchronize(w, stream);
  sample(work, w, (now() - t0) / region);
  sample(only, w, (t1 - t0) / region);
}

/* A region of so many launches: recorded again, and launched again unchanged. By hand
 * it is as many plain launches. where is appended to the names. */
static void recorded(enum who w, void *stream, const char *where) {
  static unsigned long i;
  char changing[96], unchanged[96];
  snprintf(changing, sizeof changing,
           "a region of 128 launches, new parameters%s", where);
  snprintf(unchanged, sizeof unchanged, "a region of 128 launches, unchanged%s",
           where);
  double t0 = now();
  if (w == library)
    mgpuxGraphBegin(1);
  for (int n = 0; n < region; n++)
    launch_args(w, stream, i++);
  if (w == library)
    mgpuxGraphEnd();
  synchronize(w, stream);
  double t1 = now();
  sample(changing, w, t1 - t0);
  if (w == library)
    mgpuxGraphLaunch(1, stream);
  else
    for (int n = 0; n < region; n++)
      launch_args(w, stream, 7);
  synchronize(w, stream);
  sample(unchanged, w, now() - t1);
}

/* The same where no other stream has been used: that makes each node of a chain
 * take a fifth longer on an H100, for the rest of the process. */
void measure_regions_alone(enum who w) {
  void *stream = stream_create(w);
  struct bound b = at_most(600, 4);
  for (long done = 0; within(&b, done); done++)
    recorded(w, stream, ", alone");
  stream_destroy(w, stream);
}

void measure_graphs(void) {
  void *streams[whos] = {stream_create(other), stream_create(library)};
  for (enum who w = 0; w < whos; w++)
    for (int n = 0; n < 300; n++) {
      launch_args(w, streams[w], (unsigned long)n);
      synchronize(w, streams[w]);
    }
  struct bound b = at_most(60, 4);
  for (long done = 0; within(&b, done); done++)
    IN_TURNS(w, done)
  for (int changing = 0; changing < 2; changing++)
    single(w, streams[w], changing);
  b = at_most(600, 4);
  for (long done = 0; within(&b, done); done++)
    IN_TURNS(w, done)
  for (int changing = 0; changing < 2; changing++)
    many(w, streams[w], changing);
  b = at_most(600, 4);
  bool regions = mgpuxGraphBegin != NULL && by_hand(other);
  for (long done = 0; regions && within(&b, done); done++)
    IN_TURNS(w, done)
  recorded(w, streams[w], "");
  for (enum who w = 0; w < whos; w++)
    stream_destroy(w, streams[w]);
}

static double resident_mib(void) {
  long all = 0, pages = 0;
  FILE *f = fopen("/proc/self/statm", "r");
  if (f == NULL || fscanf(f, "%ld %ld", &all, &pages) != 2)
    exit(1);
  fclose(f);
  return (double)pages / 256;
}

/* A million launches with changing parameters, a wait after every hundredth. */
void measure_memory(void) {
  enum { hundreds = 10000 };
  void *s = stream_create(library);
  double before = 0;
  for (long i = 0; i < hundreds; i++) {
    if (i == hundreds / 20)
      before = resident_mib();
    for (int n = 0; n < 100; n++)
      launch_args(library, s, (unsigned long)(100 * i + n));
    synchronize(library, s);
  }
  printf("resident memory: %.1f MiB after 50,000 launches with changing "
         "parameters, %.1f MiB after 1,000,000\n",
         before, resident_mib());
  fflush(stdout);
  stream_destroy(library, s);
}
