/* A crash in C code that was reached through Go: the library reads the
 * environment with C's secure_getenv, and this program has its own. Without the library
 * it crashes in the same function, called directly. */
#include "host.h"
#include <sys/resource.h>

static volatile int crash_in_it;
static volatile int *volatile nowhere;

__attribute__((visibility("default"))) char *secure_getenv(const char *name) {
  extern char **environ;
  if (crash_in_it)
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
  crash_in_it = 1;
  use();
  secure_getenv("HOME");
}
