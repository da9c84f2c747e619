/* cold ROUNDS FOLDER...: the cost of a process that makes one launch and ends, with each
 * folder's libmlir_cuda_runtime.so in turns: from exec to the kernel's result, which is
 * checked, and to the exit. Prints medians, the first and the third quarter, the ratio to
 * the first folder's, and the same of resident memory.
 *
 * "cold" alone is such a process: it writes the time of its result to its standard output.
 * "cold --idle" has as many idle threads as a Go runtime starts, measured with the first
 * folder only: the cost of the threads alone. "cold --bare" calls nothing. */

#define _GNU_SOURCE
#include "raw.h"

#include <mgpu_runtime.h>

#include <pthread.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "image.h"

extern char **environ;

static double now_ms(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

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
  double at = now_ms();
  return result == 6 && write(1, &at, sizeof at) == sizeof at ? 0 : 1;
}

static void *idle(void *none) {
  for (;;)
    pause();
  return none;
}

static void start_idle_threads(void) {
  pthread_t t;
  for (int i = 0; i < 8; i++)
    pthread_create(&t, NULL, idle, NULL);
}

enum { most_folders = 4, most_rounds = 1001 };

struct took {
  double result, exit; /* ms from exec; result is 0 without a launch */
  double mib;
};

static struct took run(char *program, const char *folder, const char *how) {
  char path[4096];
  snprintf(path, sizeof path, "LD_LIBRARY_PATH=%s", folder);
  putenv(path);
  int out[2], status;
  posix_spawn_file_actions_t files;
  if (pipe(out) != 0 || posix_spawn_file_actions_init(&files) != 0 ||
      posix_spawn_file_actions_adddup2(&files, out[1], 1) != 0 ||
      posix_spawn_file_actions_addclose(&files, out[0]) != 0 ||
      posix_spawn_file_actions_addclose(&files, out[1]) != 0)
    exit(2);
  struct rusage used;
  pid_t p;
  double from = now_ms(), at = from;
  if (posix_spawn(&p, program, &files, NULL,
                  (char *[]){program, (char *)how, NULL}, environ) != 0 ||
      wait4(p, &status, 0, &used) != p || status != 0) {
    fprintf(stderr, "cold: with %s it failed\n", folder);
    exit(1);
  }
  double to = now_ms();
  close(out[1]);
  if ((how == NULL || strcmp(how, "--idle") == 0) &&
      read(out[0], &at, sizeof at) != sizeof at)
    exit(1);
  close(out[0]);
  posix_spawn_file_actions_destroy(&files);
  return (struct took){at - from, to - from, (double)used.ru_maxrss / 1024};
}

static int ascending(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static struct took took[most_folders][most_rounds];

/* Prints a line for each folder; at is where the number is in a struct took. */
static void table(const char *what, size_t at, int rounds, char **folder,
                  int folders) {
  double first = 0;
  for (int f = 0; f < folders; f++) {
    static double n[most_rounds];
    for (int r = 0; r < rounds; r++)
      memcpy(&n[r], (char *)&took[f][r] + at, sizeof n[r]);
    qsort(n, (size_t)rounds, sizeof *n, ascending);
    double median = n[rounds / 2];
    if (f == 0)
      first = median;
    printf("%s, %s: %.3f (quarters %.3f to %.3f), %.3f x\n", what, folder[f],
           median, n[rounds / 4], n[rounds * 3 / 4], median / first);
  }
}

int main(int argc, char **argv) {
  if (argc == 1)
    _exit(one_launch());
  if (argc == 2 && strcmp(argv[1], "--idle") == 0) {
    start_idle_threads();
    _exit(one_launch());
  }
  if (argc == 2)
    return 0;
  int rounds = atoi(argv[1]), folders = argc - 2;
  if (rounds < 1 || rounds > most_rounds || folders > most_folders)
    return 2;
  char **folder = argv + 2;
  static const char *const modes[] = {NULL, "--idle", "--bare"};
  for (int m = 0; m < 3; m++) {
    int measured = m == 1 ? 1 : folders;
    for (int r = -1; r < rounds; r++)
      for (int f = 0; f < measured; f++) {
        struct took t = run(argv[0], folder[f], modes[m]);
        if (r >= 0)
          took[f][r] = t;
      }
    if (m == 0) {
      table("to the first result, ms", offsetof(struct took, result), rounds,
            folder, measured);
      table("to the exit, ms", offsetof(struct took, exit), rounds, folder,
            measured);
      table("resident at most, MiB", offsetof(struct took, mib), rounds, folder,
            measured);
    } else {
      table(m == 1 ? "to the exit with 8 idle threads, ms" : "loaded only, ms",
            offsetof(struct took, exit), rounds, folder, measured);
    }
  }
  return 0;
}
