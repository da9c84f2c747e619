/* How late a wait for a kernel returns: from before its launch to after the
 * wait, less the kernel's time. */

#define _GNU_SOURCE
#include "work.h"

#include <pthread.h>

static struct {
  enum who who;
  int stop;
} waiting;

/* One of the others: waits for kernels of 10 ms of its own. */
static void *keep_waiting(void *v) {
  (void)v;
  raw_bind();
  enum who w = waiting.who;
  unsigned long ticks = (unsigned long)(10000 * ticks_per_us);
  void *s = stream_create(w);
  while (!__atomic_load_n(&waiting.stop, __ATOMIC_ACQUIRE)) {
    launch(w, spin[w], s, (void *[]){&ticks});
    synchronize(w, s);
  }
  stream_destroy(w, s);
  return NULL;
}

void measure_wait(double us, int others) {
  char work[64];
  snprintf(work, sizeof work, "lateness of a wait, %g ms%s", us / 1000,
           others ? ", 8 others waiting" : "");
  unsigned long ticks = (unsigned long)(us * ticks_per_us);
  /* Few turns: others come and go with each. */
  enum { turns = 2 };
  for (int turn = 0; turn < turns; turn++)
    for (enum who w = 0; w < whos; w++) {
      pthread_t threads[max_threads];
      next_block();
      waiting.who = w;
      __atomic_store_n(&waiting.stop, 0, __ATOMIC_RELEASE);
      for (int i = 0; i < others; i++)
        pthread_create(&threads[i], NULL, keep_waiting, NULL);
      void *s = stream_create(w);
      struct bound b = at_most((us < 5000 ? 700 : 200) / turns, 4. / turns);
      for (long done = -5; within(&b, done); done++) {
        double t0 = now();
        launch(w, spin[w], s, (void *[]){&ticks});
        synchronize(w, s);
        double late = now() - t0 - us;
        if (done >= 0)
          sample(work, w, late);
      }
      stream_destroy(w, s);
      __atomic_store_n(&waiting.stop, 1, __ATOMIC_RELEASE);
      for (int i = 0; i < others; i++)
        pthread_join(threads[i], NULL);
    }
}
