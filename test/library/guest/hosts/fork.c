/* Forks before and after the first call. */
#include "host.h"

static void child_uses(const char *when) {
  fflush(stdout);
  pid_t p = fork();
  if (p == 0) {
    alarm(300);
    if (stream_create != NULL) {
      void *s = stream_create();
      fprintf(stderr, "child forked %s: %s\n", when, s ? "stream" : "none");
      stream_destroy(s);
    }
    exit(0);
  }
  int status;
  waitpid(p, &status, 0);
  printf("child forked %s: status %d\n", when, status);
}

static void child_execs(void) {
  fflush(stdout);
  pid_t p = fork();
  if (p == 0) {
    execlp("sh", "sh", "-c", "exit 5", NULL);
    _exit(127);
  }
  int status;
  waitpid(p, &status, 0);
  printf("child that execs: status %d\n", status);
}

static void *forks(void *arg) {
  child_uses("by a thread");
  return arg;
}

int main(int argc, char **argv) {
  load(argc, argv);
  child_uses("before");
  use();
  child_uses("after");
  pthread_t t;
  pthread_create(&t, NULL, forks, NULL);
  pthread_join(t, NULL);
  child_execs();
  use();
  printf("parent goes on\n");
}
