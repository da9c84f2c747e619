/* C code that the library reaches through Go runs on the thread that called: Go asks
 * C's dladdr by which name the library was loaded, and dladdr is this program's. */
#include "host.h"

static _Thread_local int mine;
static volatile int elsewhere, reached;

__attribute__((visibility("default"))) int dladdr(const void *addr,
                                                  Dl_info *info) {
  (void)addr;
  (void)info;
  reached++;
  elsewhere += mine != 1;
  return 0;
}

static void report(void) { printf("elsewhere: %d\n", elsewhere); }

int main(int argc, char **argv) {
  mine = 1;
  load(argc, argv);
  use();
  if (argc > 1 && reached == 0)
    printf("dladdr was not reached\n");
  report();
}
