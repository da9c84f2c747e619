/* A signal handler that interrupts calls and calls exit, as handlers of SIGINT do. The program's exit handler
 * and destructor call the library. Arguments: the library, the signal's time in microseconds, "alternate" for a handler with a stack of its own. */
#include "host.h"
#include <sys/time.h>

static void *stream;

static void handler(int s) {
  (void)s;
  exit(7);
}

static void first(void) { mem_free(mem_alloc(1 << 12, stream, 0), stream); }
__attribute__((destructor)) static void last(void) { stream_destroy(stream); }

int main(int argc, char **argv) {
  load(argc, argv);
  struct sigaction a = {.sa_handler = handler};
  if (argc > 3) {
    stack_t own = {.ss_sp = malloc(1 << 16), .ss_size = 1 << 16};
    sigaltstack(&own, NULL);
    a.sa_flags = SA_ONSTACK;
  }
  sigaction(SIGALRM, &a, NULL);
  enum { words = 1 << 22 };
  stream = stream_create();
  atexit(first);
  void *p = mem_alloc(4 * words, stream, 0);
  struct itimerval once = {{0, 0}, {0, atoi(argv[2])}};
  setitimer(ITIMER_REAL, &once, NULL);
  for (uint32_t i = 0;; i++) {
    memset32(p, i, words, stream);
    stream_synchronize(stream);
  }
}
