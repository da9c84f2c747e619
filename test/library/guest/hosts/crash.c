/* A crash in C code that was reached through Go: the library reads the
 * environment with C's getenv, and this program has its own. Without the library
 * it crashes in the same function, called directly. */
#include "host.h"
#include <sys/resource.h>

static volatile int crash_in_getenv;
static volatile int *volatile nowhere;

__attribute__((visibility("default"))) char *getenv(const char *name) {
  extern char **environ;
  if (crash_in_getenv)
    *nowhere = 1;
  size_t n = strlen(name);
  for (char **e = environ; *e != NULL; e++)
    if (strncmp(*e, name, n) == 0 && (*e)[n] == '=')
      return *e + n + 1;
  return NULL;
}

int main(int argc, char **argv) {
  struct rlimit none = {0, 0};
  setrlimit(RLIMIT_CORE, &none);
  load(argc, argv);
  crash_in_getenv = 1;
  use();
  getenv("HOME");
}
