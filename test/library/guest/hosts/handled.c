/* The host's handler of a fault, after a call: it must get the fault, the
 * address, and the thread. */
#include "host.h"
#include <setjmp.h>

static sigjmp_buf back;
static volatile uintptr_t fault;

static void handler(int s, siginfo_t *i, void *u) {
  (void)s, (void)u;
  fault = (uintptr_t)i->si_addr;
  siglongjmp(back, 1);
}

int main(int argc, char **argv) {
  struct sigaction a = {.sa_sigaction = handler, .sa_flags = SA_SIGINFO};
  sigaction(SIGSEGV, &a, NULL);
  load(argc, argv);
  for (int i = 0; i < 3; i++) {
    use();
    if (sigsetjmp(back, 1) == 0)
      *(volatile int *)(uintptr_t)(0x1000 + 4 * i) = 1;
    printf("fault at %#lx\n", (unsigned long)fault);
  }
}
