/* A process that drops its rights after its first call: the C library has
 * every thread change its user and groups, by a signal of its own. */
#include "host.h"

#include <dirent.h>
#include <grp.h>

/* Whether the thread's line of /proc says that all its ids are the process's. */
static bool changed(const char *thread) {
  char path[300], line[200];
  unsigned uid = getuid(), is[4];
  bool all = false;
  snprintf(path, sizeof path, "/proc/self/task/%s/status", thread);
  FILE *f = fopen(path, "r");
  if (f == NULL)
    return true; /* it has ended */
  while (fgets(line, sizeof line, f) != NULL)
    if (sscanf(line, "Uid: %u %u %u %u", &is[0], &is[1], &is[2], &is[3]) == 4)
      all = is[0] == uid && is[1] == uid && is[2] == uid && is[3] == uid;
  fclose(f);
  return all;
}

static void become(const char *when, gid_t gid, uid_t uid) {
  int groups = geteuid() == 0 ? setgroups(0, NULL) : 0;
  int group = setgid(gid), user = setuid(uid);
  printf("%s: setgroups %d, setgid %d, setuid %d\n", when, groups, group, user);
  int unchanged = 0;
  DIR *d = opendir("/proc/self/task");
  for (struct dirent *e; (e = readdir(d)) != NULL;)
    unchanged += e->d_name[0] != '.' && !changed(e->d_name);
  closedir(d);
  printf("%s: %d threads unchanged\n", when, unchanged);
  fflush(stdout);
}

int main(int argc, char **argv) {
  enum { nobody = 65534 };
  pthread_t t;
  bool root = geteuid() == 0;
  load(argc, argv);
  use();
  keep_busy();
  become("with its rights", getgid(), getuid());
  become("without", root ? nobody : getgid(), root ? nobody : getuid());
  use();
  keep_busy();
  pthread_create(&t, NULL, use_in_thread, NULL);
  pthread_join(t, NULL);
  become("again", getgid(), getuid());
}
