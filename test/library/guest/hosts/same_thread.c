/* C code that the library reaches through Go runs on the thread that called:
 * the library reads the environment with C's secure_getenv, which is this program's. */
#include "host.h"

static _Thread_local int mine;
static volatile int elsewhere, reached;

__attribute__((visibility("default"))) char *secure_getenv(const char *name) {
  extern char **environ;
  if (strncmp(name, "MGPU_", 5) == 0) {
    reached++;
    elsewhere += mine != 1;
  }
  size_t n = strlen(name);
  for (char **e = environ; *e != NULL; e++)
    if (strncmp(*e, name, n) == 0 && (*e)[n] == '=')
      return *e + n + 1;
  return NULL;
}

static void report(void) { printf("elsewhere: %d\n", elsewhere); }

int main(int argc, char **argv) {
  mine = 1;
  load(argc, argv);
  use();
  if (argc > 1 && reached == 0)
    printf("secure_getenv was not reached\n");
  report();
}
