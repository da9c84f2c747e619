/* 500 threads make their first call at once, the process's first among them. */
#include "host.h"

static pthread_barrier_t barrier;

static void *first(void *arg) {
  pthread_barrier_wait(&barrier);
  use();
  return arg;
}

int main(int argc, char **argv) {
  load(argc, argv);
  enum { n = 500 };
  static pthread_t t[n];
  pthread_attr_t small;
  pthread_attr_init(&small);
  pthread_attr_setstacksize(&small, 256 * 1024);
  pthread_barrier_init(&barrier, NULL, n);
  for (int i = 0; i < n; i++)
    if (pthread_create(&t[i], &small, first, NULL) != 0)
      return 5;
  for (int i = 0; i < n; i++)
    pthread_join(t[i], NULL);
  printf("%d threads\n", n);
}
