/* Calls: descriptors, limits, dispositions afterwards, and whether the number of
 * threads is one that does not depend on the machine. */
#include "host.h"
#include "inventory.h"

static void handler(int s) { (void)s; }

int main(int argc, char **argv) {
  struct sigaction a = {.sa_handler = handler, .sa_flags = SA_RESTART};
  sigaction(SIGUSR1, &a, NULL);
  sigaction(SIGSEGV, &a, NULL);
  sigaction(SIGURG, &a, NULL);
  signal(SIGPIPE, SIG_IGN);
  signal(SIGCHLD, SIG_IGN);
  load(argc, argv);
  for (int i = 0; i < 100; i++)
    use();
  print_descriptors();
  print_limits();
  print_dispositions();
  DIR *d = opendir("/proc/self/task");
  struct dirent *e;
  int n = 0;
  while ((e = readdir(d)) != NULL)
    n += e->d_name[0] != '.';
  closedir(d);
  printf("threads %s\n", n <= 20 ? "few" : "many");
}
