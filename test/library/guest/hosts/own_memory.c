/* Prints by how many KiB the memory of the process's own, which no other process shares,
 * has grown: when the library is loaded, and when it is called. */
#include "host.h"

static long own(void) {
  char line[256];
  long n = -1;
  FILE *f = fopen("/proc/self/smaps_rollup", "r");
  if (f == NULL)
    exit(1);
  while (fgets(line, sizeof line, f) != NULL)
    sscanf(line, "Anonymous: %ld kB", &n);
  fclose(f);
  return n;
}

int main(int argc, char **argv) {
  own(); /* the buffers that it makes */
  long before = own();
  load(argc, argv);
  long loaded = own();
  use();
  long called = own();
  printf("%ld %ld\n", loaded - before, called - loaded);
}
