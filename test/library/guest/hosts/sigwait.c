/* A host that blocks its signals everywhere and reads them with sigwait: none
 * may be lost to another thread, whose default action would end the process. */
#include "host.h"
#include <dirent.h>

enum { times = 200 };
static const int read_here[] = {SIGCHLD, SIGTERM,  SIGINT,  SIGHUP,
                                SIGPROF, SIGALRM,  SIGUSR1, SIGUSR2,
                                SIGURG,  SIGWINCH, SIGIO,   SIGVTALRM};

/* Every thread that is not the host's own must block what the host reads. */
static void print_leaks(void) {
  DIR *d = opendir("/proc/self/task");
  struct dirent *e;
  int leaks = 0;
  while ((e = readdir(d)) != NULL) {
    char path[300], line[256];
    snprintf(path, sizeof path, "/proc/self/task/%s/status", e->d_name);
    FILE *f = fopen(path, "r");
    while (f != NULL && fgets(line, sizeof line, f) != NULL) {
      unsigned long long blocked;
      if (sscanf(line, "SigBlk: %llx", &blocked) != 1)
        continue;
      for (size_t i = 0; i < sizeof read_here / sizeof *read_here; i++)
        if (!(blocked & 1ull << (read_here[i] - 1))) {
          leaks++;
          fprintf(stderr, "thread %s takes signal %d\n", e->d_name,
                  read_here[i]);
        }
    }
    if (f != NULL)
      fclose(f);
  }
  closedir(d);
  printf("leaks: %d\n", leaks);
}

int main(int argc, char **argv) {
  sigset_t m;
  sigemptyset(&m);
  for (size_t i = 0; i < sizeof read_here / sizeof *read_here; i++)
    sigaddset(&m, read_here[i]);
  pthread_sigmask(SIG_BLOCK, &m, NULL);
  load(argc, argv);
  use();
  keep_busy();
  pthread_t t[100];
  for (int i = 0; i < 100; i++)
    pthread_create(&t[i], NULL, use_in_thread, NULL);
  for (int i = 0; i < 100; i++)
    pthread_join(t[i], NULL);
  print_leaks();
  int got = 0, s;
  for (int n = 0; n < times; n++)
    for (size_t i = 0; i < sizeof read_here / sizeof *read_here; i++) {
      kill(getpid(), read_here[i]);
      struct timespec limit = {2, 0};
      s = sigtimedwait(&m, NULL, &limit);
      got += s == read_here[i];
      use();
    }
  printf("signals read: %d\n", got);
  for (int n = 0; n < 20; n++) { /* the ends of real children */
    fflush(stdout);
    pid_t p = fork();
    if (p == 0)
      _exit(0);
    sigwait(&m, &s);
    printf("%d", s == SIGCHLD && waitpid(p, NULL, 0) == p);
    use();
  }
  printf("\n");
}
