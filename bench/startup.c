/* What the library costs a process before and at its first call. Prints medians
 * over fresh processes.
 *
 *   cc -O2 bench/startup.c -ldl -o startup
 *   MGPU_DRIVER=null ./startup build/libmlir_rocm_runtime.so [processes, default 51]
 *
 * Every number comes from a child of its own: dlopen, the threads afterwards, the
 * first call (a stream created and destroyed), and resident memory before and
 * after it. */

#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
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
  values
};

static const char *const names[values] = {
    "dlopen, ms",          "threads after dlopen", "first call, ms",
    "threads after a call", "MiB added by dlopen",  "MiB added by the first call"};

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1e3 + t.tv_nsec * 1e-6;
}

static double threads(void) {
  DIR *d = opendir("/proc/self/task");
  struct dirent *e;
  int n = 0;
  while ((e = readdir(d)) != NULL)
    n += e->d_name[0] != '.';
  closedir(d);
  return n;
}

static double resident(void) {
  long size, pages = 0;
  FILE *f = fopen("/proc/self/statm", "r");
  if (fscanf(f, "%ld %ld", &size, &pages) != 2)
    pages = 0;
  fclose(f);
  return pages * (double)sysconf(_SC_PAGESIZE) / (1 << 20);
}

static void measure(const char *library, double *v) {
  threads(); /* so that what these two allocate is not counted */
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
  t = now();
  void *stream = create();
  destroy(stream);
  v[call_ms] = now() - t;
  v[threads_called] = threads();
  v[resident_called] = resident() - loaded;
  if (stream == NULL)
    exit(1);
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
    double v[values];
    if (pipe(p) != 0)
      return 1;
    if (fork() == 0) {
      measure(argv[1], v);
      if (write(p[1], v, sizeof v) != sizeof v)
        _exit(1);
      _exit(0);
    }
    close(p[1]);
    int whole = read(p[0], v, sizeof v) == sizeof v;
    close(p[0]);
    wait(&status);
    if (!whole)
      return 1;
    for (int k = 0; k < values; k++)
      all[k][i] = v[k];
  }
  for (int k = 0; k < values; k++) {
    qsort(all[k], n, sizeof(double), ascending);
    printf("%-28s %8.3f  (%.3f to %.3f)\n", names[k], all[k][n / 2], all[k][0],
           all[k][n - 1]);
  }
  return 0;
}
