/* While a thread of the library is being created the library handles SIGCHLD:
 * with what the host wants of it. The library's pthread_create is this one. */
#include "host.h"

#include <sys/syscall.h>

struct action { /* as the kernel has it */
  void *handler;
  unsigned long flags;
  void *restorer;
  uint64_t mask;
};

static struct action action(void) {
  struct action a = {0};
  syscall(SYS_rt_sigaction, SIGCHLD, NULL, &a, sizeof a.mask);
  return a;
}

static void *mine; /* what SIGCHLD does by the host's will */
static int seen, calls_go_on, stopped, ended, nested, blocked;

int pthread_create(pthread_t *t, const pthread_attr_t *attr,
                   void *(*fn)(void *), void *arg) {
  struct action a = action();
  if (a.handler != mine) {
    seen++;
    calls_go_on += (a.flags & SA_RESTART) != 0;
    stopped += (a.flags & SA_NOCLDSTOP) != 0;
    ended += (a.flags & SA_NOCLDWAIT) != 0;
    nested += (a.flags & SA_NODEFER) != 0;
    blocked += (a.mask & 1 << (SIGUSR1 - 1)) != 0;
  }
  return ((int (*)(pthread_t *, const pthread_attr_t *, void *(*)(void *),
                   void *))dlsym(RTLD_NEXT, "pthread_create"))(t, attr, fn,
                                                               arg);
}

static void handler(int s) { (void)s; }

static const char *of(int n) {
  return n == 0 ? "no" : n == seen ? "yes" : "at times";
}

/* A thread of the library may be starting now: its handler goes soon. */
static int back(void) {
  for (int waits = 0; action().handler != mine; waits++) {
    if (waits == 1000)
      return 0;
    usleep(10000);
  }
  return 1;
}

/* window LIBRARY default|ignore|FLAGS, these in hexadecimal digits */
int main(int argc, char **argv) {
  struct sigaction a = {0};
  a.sa_handler = handler;
  if (strcmp(argv[2], "default") == 0)
    a.sa_handler = SIG_DFL;
  else if (strcmp(argv[2], "ignore") == 0)
    a.sa_handler = SIG_IGN;
  else
    a.sa_flags = (int)strtoul(argv[2], NULL, 16);
  sigaddset(&a.sa_mask, SIGUSR1);
  sigaction(SIGCHLD, &a, NULL);
  mine = action().handler;
  load(argc, argv);
  use();
  keep_busy();
  printf(
      "seen %s, calls go on %s, stopped %s, ended %s, nested %s, blocked %s, "
      "back %d\n",
      seen ? "yes" : "no", of(calls_go_on), of(stopped), of(ended), of(nested),
      of(blocked), back());
}
