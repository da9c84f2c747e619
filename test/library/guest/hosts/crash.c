/* A crash in C code that was reached through Go: Go asks C's dladdr by which name the
 * library was loaded, and this program has its own. Without the library it crashes in
 * the same function, called directly. */
#include "host.h"
#include <sys/resource.h>

static volatile int *volatile nowhere;

__attribute__((visibility("default"))) int dladdr(const void *addr,
                                                  Dl_info *info) {
  (void)addr;
  (void)info;
  *nowhere = 1;
  return 0;
}

int main(int argc, char **argv) {
  struct rlimit none = {0, 0};
  setrlimit(RLIMIT_CORE, &none);
  load(argc, argv);
  use();
  if (argc > 1)
    printf("dladdr was not reached\n");
  dladdr((void *)main, &(Dl_info){0});
}
