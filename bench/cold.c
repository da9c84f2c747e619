/* cold ROUNDS FOLDER...: what a process costs that makes one launch and ends: from exec to
 * its exit, with each folder's libmlir_cuda_runtime.so in turns. The kernel's result is
 * checked. Prints medians, what lies between, resident memory at most, and the ratio to
 * the first folder's.
 *
 * "cold" alone is such a process. "cold --bare" one that calls nothing. */

#define _GNU_SOURCE
#include "raw.h"

#include <mgpu_runtime.h>

#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "image.h"

extern char **environ;

static int one_launch(void) {
  void *m = runtime_module(kernels_image);
  void *args = mgpuModuleGetFunction(m, "args"), *s = mgpuStreamCreate();
  float *a = mgpuMemAlloc(64, s, 0), *b = mgpuMemAlloc(64, s, 0);
  mgpuMemset32(b, 0x40000000, 16, s); /* 2.0 */
  unsigned long n = 3;
  unsigned flag = 1;
  float x = 3, result = 0;
  mgpuLaunchKernel(args, 1, 1, 1, 1, 1, 1, 0, s,
                   (void *[]){&a, &b, &n, &flag, &x}, NULL, 5);
  mgpuMemcpy(&result, a + 3, 4, s);
  mgpuStreamSynchronize(s);
  return result == 6 ? 0 : 1;
}

enum { most_folders = 4, most_rounds = 1001 };

static double run(char *program, const char *folder, const char *how,
                  long *rss) {
  char path[4096];
  snprintf(path, sizeof path, "LD_LIBRARY_PATH=%s", folder);
  putenv(path);
  struct timespec from, to;
  struct rusage used;
  pid_t p;
  int status;
  clock_gettime(CLOCK_MONOTONIC, &from);
  if (posix_spawn(&p, program, NULL, NULL,
                  (char *[]){program, (char *)how, NULL}, environ) != 0 ||
      wait4(p, &status, 0, &used) != p || status != 0) {
    fprintf(stderr, "cold: with %s it failed\n", folder);
    exit(1);
  }
  clock_gettime(CLOCK_MONOTONIC, &to);
  *rss = used.ru_maxrss;
  return (double)(to.tv_sec - from.tv_sec) * 1e3 +
         (double)(to.tv_nsec - from.tv_nsec) * 1e-6;
}

static int ascending(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

int main(int argc, char **argv) {
  static double ms[most_folders][most_rounds], mib[most_folders][most_rounds];
  if (argc == 1)
    _exit(one_launch());
  if (argc == 2)
    return 0;
  int rounds = atoi(argv[1]), folders = argc - 2;
  if (rounds < 1 || rounds > most_rounds || folders > most_folders)
    return 2;
  for (int bare = 0; bare < 2; bare++) {
    for (int r = -1; r < rounds; r++)
      for (int f = 0; f < folders; f++) {
        long rss;
        double took = run(argv[0], argv[f + 2], bare ? "--bare" : NULL, &rss);
        if (r >= 0)
          ms[f][r] = took, mib[f][r] = (double)rss / 1024;
      }
    double first = 0;
    for (int f = 0; f < folders; f++) {
      qsort(ms[f], (size_t)rounds, sizeof(double), ascending);
      qsort(mib[f], (size_t)rounds, sizeof(double), ascending);
      double median = ms[f][rounds / 2];
      if (f == 0)
        first = median;
      printf("%s, %s: %.3f ms (%.3f to %.3f), %.1f MiB, %.3f x\n",
             bare ? "loaded only" : "one launch", argv[f + 2], median, ms[f][0],
             ms[f][rounds - 1], mib[f][rounds / 2], median / first);
    }
  }
  return 0;
}
