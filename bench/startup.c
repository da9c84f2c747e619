/* What the library costs a process before and at its first call. Prints medians
 * over fresh processes, after the driver that they ran on.
 *
 *   cc -O2 bench/startup.c -ldl -o startup
 *   MGPU_DRIVER=null ./startup build/libmlir_rocm_runtime.so [processes, default 51]
 *
 * Without MGPU_DRIVER the drivers are tried one after the other, as a program has
 * it that sets nothing. Every number comes from a child of its own: dlopen, the
 * threads afterwards, the first call (a stream created and destroyed), and threads,
 * descriptors and resident memory before and after it. */

#define _GNU_SOURCE
#include <mgpu_runtime.h>

#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { most = 1001 };

enum {
  open_ms,
  threads_loaded,
  call_ms,
  threads_called,
  resident_loaded,
  resident_called,
  descriptors_called,
  driver_calls,
  values
};

static const char *const names[values] = {"dlopen, ms",
                                          "threads after dlopen",
                                          "first call, ms",
                                          "threads after a call",
                                          "MiB added by dlopen",
                                          "MiB added by the first call",
                                          "descriptors left open",
                                          "driver calls"};

/* What a child found. */
struct found {
  double v[values];
  char driver[16];
};

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1e3 + t.tv_nsec * 1e-6;
}

static double entries(const char *folder) {
  DIR *d = opendir(folder);
  struct dirent *e;
  int n = 0;
  while ((e = readdir(d)) != NULL)
    n += e->d_name[0] != '.';
  closedir(d);
  return n;
}

static double threads(void) { return entries("/proc/self/task"); }
static double descriptors(void) { return entries("/proc/self/fd"); }

static double resident(void) {
  long size, pages = 0;
  FILE *f = fopen("/proc/self/statm", "r");
  if (fscanf(f, "%ld %ld", &size, &pages) != 2)
    pages = 0;
  fclose(f);
  return pages * (double)sysconf(_SC_PAGESIZE) / (1 << 20);
}

static void measure(const char *library, struct found *found) {
  double *v = found->v;
  threads(); /* so that the allocations of these two are not counted */
  double before = resident();
  double t = now();
  void *lib = dlopen(library, RTLD_NOW);
  v[open_ms] = now() - t;
  if (lib == NULL) {
    fprintf(stderr, "%s\n", dlerror());
    exit(1);
  }
  v[threads_loaded] = threads();
  double loaded = resident();
  v[resident_loaded] = loaded - before;
  void *(*create)(void) = (void *(*)(void))dlsym(lib, "mgpuStreamCreate");
  void (*destroy)(void *) = (void (*)(void *))dlsym(lib, "mgpuStreamDestroy");
  size_t (*stats)(struct mgpux_stats *, size_t) =
      (size_t (*)(struct mgpux_stats *, size_t))dlsym(lib, "mgpuxGetStats");
  double open_files = descriptors();
  int quiet = open("/dev/null", O_WRONLY), said = dup(2);
  dup2(quiet, 2); /* which driver it is, is said below */
  t = now();
  void *stream = create();
  destroy(stream);
  v[call_ms] = now() - t;
  dup2(said, 2);
  close(quiet);
  close(said);
  v[descriptors_called] = descriptors() - open_files;
  v[threads_called] = threads();
  v[resident_called] = resident() - loaded;
  if (stream == NULL)
    exit(1);
  struct mgpux_stats s;
  stats(&s, sizeof s);
  v[driver_calls] = (double)s.total.driver_calls;
  memcpy(found->driver, s.driver, sizeof found->driver);
}

static int ascending(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

int main(int argc, char **argv) {
  static double all[values][most];
  int n = argc > 2 ? atoi(argv[2]) : 51;
  if (argc < 2 || n < 1 || n > most)
    return 2;
  for (int i = 0; i < n; i++) {
    int p[2], status;
    struct found v;
    if (pipe(p) != 0)
      return 1;
    if (fork() == 0) {
      measure(argv[1], &v);
      if (write(p[1], &v, sizeof v) != sizeof v)
        _exit(1);
      _exit(0);
    }
    close(p[1]);
    int whole = read(p[0], &v, sizeof v) == sizeof v;
    close(p[0]);
    wait(&status);
    if (!whole)
      return 1;
    for (int k = 0; k < values; k++)
      all[k][i] = v.v[k];
    if (i == 0)
      printf("driver %s%s:\n", v.driver,
             getenv("MGPU_DRIVER") ? "" : ", the first that could be opened");
  }
  for (int k = 0; k < values; k++) {
    qsort(all[k], n, sizeof(double), ascending);
    printf("%-28s %8.3f  (%.3f to %.3f)\n", names[k], all[k][n / 2], all[k][0],
           all[k][n - 1]);
  }
  return 0;
}
