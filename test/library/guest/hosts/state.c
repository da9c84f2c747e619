/* Mask, alternate stack and errno of a thread before and after its first call,
 * for a thread with its own alternate stack and for ones without. */
#include "host.h"
#include "inventory.h"

static char stack[64 * 1024];

static void *plain(void *arg) {
  errno = 77;
  use();
  printf("errno %d\n", errno);
  print_thread_state("plain");
  return arg;
}

static void *blocking(void *arg) {
  sigset_t m;
  sigfillset(&m);
  pthread_sigmask(SIG_SETMASK, &m, NULL);
  use();
  print_thread_state("blocking");
  return arg;
}

static void *with_stack(void *arg) {
  stack_t st = {.ss_sp = stack, .ss_size = sizeof stack};
  stack_t old; /* a sanitizer's */
  sigaltstack(&st, &old);
  use();
  stack_t now;
  sigaltstack(NULL, &now);
  printf("own stack %s\n", now.ss_sp == stack ? "kept" : "lost");
  print_thread_state("with stack");
  sigaltstack(&old, NULL);
  return arg;
}

static void run(void *(*f)(void *)) {
  pthread_t t;
  pthread_create(&t, NULL, f, NULL);
  pthread_join(t, NULL);
}

int main(int argc, char **argv) {
  load(argc, argv);
  sigset_t m;
  sigemptyset(&m);
  sigaddset(&m, SIGUSR2);
  sigaddset(&m, SIGCHLD);
  sigprocmask(SIG_SETMASK, &m, NULL);
  plain(NULL);
  run(plain);
  run(blocking);
  run(with_stack);
}
