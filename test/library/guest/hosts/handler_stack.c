/* A handler without SA_ONSTACK that needs 100 KiB of stack, interrupting calls
 * all the time, on the main thread and on others. */
#include "host.h"
#include <sys/time.h>

static volatile sig_atomic_t ran;

static void handler(int s) {
  volatile char frame[100 * 1024];
  for (size_t i = 0; i < sizeof frame; i += 64)
    frame[i] = (char)s;
  ran++;
}

static void *work(void *arg) {
  for (int i = 0; i < 200000; i++)
    use();
  return arg;
}

int main(int argc, char **argv) {
  struct sigaction a = {.sa_handler = handler, .sa_flags = SA_RESTART};
  sigaction(SIGALRM, &a, NULL);
  load(argc, argv);
  struct itimerval often = {{0, 200}, {0, 200}};
  setitimer(ITIMER_REAL, &often, NULL);
  work(NULL);
  pthread_t t[4];
  for (int i = 0; i < 4; i++)
    pthread_create(&t[i], NULL, work, NULL);
  for (int i = 0; i < 4; i++)
    pthread_join(t[i], NULL);
  struct itimerval never = {{0, 0}, {0, 0}};
  setitimer(ITIMER_REAL, &never, NULL);
  while (ran == 0)
    raise(SIGALRM);
  printf("done, handler ran\n");
}
