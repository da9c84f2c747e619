/* What a process can see of itself. */
#include <dirent.h>
#include <sys/resource.h>

static void print_entries(const char *what, const char *folder) {
  DIR *d = opendir(folder);
  struct dirent *e;
  int n = 0;
  while ((e = readdir(d)) != NULL)
    n += e->d_name[0] != '.';
  closedir(d);
  printf("%s: %d\n", what, n);
}

static void print_threads(void) { print_entries("threads", "/proc/self/task"); }

static void print_descriptors(void) {
  print_entries("descriptors", "/proc/self/fd");
}

static void print_limits(void) {
  for (int i = 0; i < RLIMIT_NLIMITS; i++) {
    struct rlimit r;
    getrlimit(i, &r);
    printf("limit %d: %llu %llu\n", i, (unsigned long long)r.rlim_cur,
           (unsigned long long)r.rlim_max);
  }
}

static void print_dispositions(void) {
  for (int s = 1; s < 65; s++) {
    struct sigaction a;
    if (sigaction(s, NULL, &a) != 0)
      continue;
    printf("signal %d: %s flags %#x\n", s,
           a.sa_handler == SIG_DFL   ? "default"
           : a.sa_handler == SIG_IGN ? "ignore"
                                     : "handler",
           (unsigned)a.sa_flags);
  }
}

/* The calling thread's mask and alternate stack. */
static void print_thread_state(const char *who) {
  sigset_t m;
  stack_t st;
  pthread_sigmask(SIG_SETMASK, NULL, &m);
  sigaltstack(NULL, &st);
  printf("%s: mask %016llx, alternate stack flags %d size %zu\n", who,
         *(unsigned long long *)&m, st.ss_flags,
         st.ss_flags & SS_DISABLE ? 0 : st.ss_size);
}
