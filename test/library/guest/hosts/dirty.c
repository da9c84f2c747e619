/* Prints how many KiB of the library's memory are this process's own, after it is
 * loaded and after it is called, and how many more there are of no file's then. */
#include "host.h"

static long dirty(const char *library) {
  char line[4352], rights[8], path[4096];
  unsigned long begin, end;
  bool here = false;
  long sum = 0, n;
  FILE *f = fopen("/proc/self/smaps", "r");
  if (f == NULL)
    return -1;
  while (fgets(line, sizeof line, f) != NULL) {
    path[0] = 0;
    if (sscanf(line, "%lx-%lx %7s %*s %*s %*s %4095[^\n]", &begin, &end, rights,
               path) >= 3)
      here = strcmp(path, library) == 0;
    else if (here && sscanf(line, "Private_Dirty: %ld kB", &n) == 1)
      sum += n;
  }
  fclose(f);
  return sum;
}

static long anonymous(void) {
  char line[256];
  long n = 0;
  FILE *f = fopen("/proc/self/status", "r");
  while (fgets(line, sizeof line, f) != NULL)
    sscanf(line, "RssAnon: %ld kB", &n);
  fclose(f);
  return n;
}

int main(int argc, char **argv) {
  load(argc, argv);
  printf("%ld\n", dirty(argv[1]));
  long before = anonymous();
  use();
  printf("%ld\n", dirty(argv[1]));
  printf("%ld\n", anonymous() - before);
}
