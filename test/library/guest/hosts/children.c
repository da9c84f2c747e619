/* SIGPIPE ignored by the host stays ignored in its children, and no SIGURG
 * arrives at the host's handler. */
#include "host.h"

static volatile sig_atomic_t urgent;
static void count(int s) { (void)s, urgent++; }

static void *spin(void *arg) {
  for (int i = 0; i < 300000; i++)
    use();
  return arg;
}

int main(int argc, char **argv) {
  signal(SIGPIPE, SIG_IGN);
  signal(SIGURG, count);
  load(argc, argv);
  pthread_t t[4];
  for (int i = 0; i < 4; i++)
    pthread_create(&t[i], NULL, spin, NULL);
  for (int i = 0; i < 4; i++)
    pthread_join(t[i], NULL);
  printf("SIGURG: %d\n", (int)urgent);
  fflush(stdout);
  int status = system("kill -PIPE $$; exit 6");
  printf("child: %d\n", WIFEXITED(status) ? WEXITSTATUS(status) : -1);
}
