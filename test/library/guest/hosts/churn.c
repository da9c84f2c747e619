/* Threads that come, call once and go: what Go keeps of each must be used again
 * for the next, or memory would grow. */
#include "host.h"

static long resident(void) {
  long pages = 0, size;
  FILE *f = fopen("/proc/self/statm", "r");
  if (fscanf(f, "%ld %ld", &size, &pages) != 2)
    exit(6);
  fclose(f);
  return pages * 4;
}

static void churn(int n) {
  for (int i = 0; i < n; i++) {
    pthread_t t;
    pthread_create(&t, NULL, use_in_thread, NULL);
    pthread_join(t, NULL);
  }
}

int main(int argc, char **argv) {
  load(argc, argv);
  churn(200);
  long before = resident();
  churn(3000);
  long kib = resident() - before;
  printf("%s\n", kib < 4096 ? "steady" : "grows");
  fprintf(stderr, "%ld KiB more\n", kib);
}
