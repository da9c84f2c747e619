/* The seven calls that LLVM 19 emits for one synchronous gpu.launch_func, in a
 * loop, with a growing number of threads. Prints medians of several rounds.
 *
 *   cc -O2 -pthread -Iinclude bench/cycle.c -Lbuild -lmlir_rocm_runtime
 *   MGPU_DRIVER=null ./a.out [cycles per round, default 200000] [threads...]
 *
 * With MGPU_DRIVER=null this is the time of the library alone. */

#define _GNU_SOURCE
#include <mgpu_runtime.h>

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { rounds = 7, max_threads = 256 };

/* A real code object in the read-only data of the program, as a compiled program
 * has it. */
#ifndef HSACO
#define HSACO "internal/codeobj/testdata/v5.hsaco"
#endif
__asm__(".section .rodata\n"
        ".balign 4096\n"
        "blob: .incbin \"" HSACO "\"\n"
        "blob_end:\n"
        ".previous");
extern char blob[], blob_end[];

static long cycles;
static pthread_barrier_t barrier;

/* When a thread began and ended. The main thread can't tell: with more threads
 * than cores it runs late. */
struct span {
  double begin, end;
};

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec + t.tv_nsec * 1e-9;
}

static void cycle(void) {
  void *m = mgpuModuleLoad(blob, blob_end - blob);
  void *f = mgpuModuleGetFunction(m, "kernel");
  void *s = mgpuStreamCreate();
  mgpuLaunchKernel(f, 1, 1, 1, 64, 1, 1, 0, s, NULL, NULL, 0);
  mgpuStreamSynchronize(s);
  mgpuStreamDestroy(s);
  mgpuModuleUnload(m);
}

static void *run(void *arg) {
  struct span *s = arg;
  cycle();
  pthread_barrier_wait(&barrier);
  s->begin = now();
  for (long i = 0; i < cycles; i++)
    cycle();
  s->end = now();
  return NULL;
}

static int ascending(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* Seconds for one round of total cycles spread over n threads. */
static double round_of(int n, long total) {
  pthread_t t[max_threads];
  struct span spans[max_threads], all = {0, 0};
  cycles = total / n;
  pthread_barrier_init(&barrier, NULL, n);
  for (int i = 0; i < n; i++)
    pthread_create(&t[i], NULL, run, &spans[i]);
  for (int i = 0; i < n; i++) {
    pthread_join(t[i], NULL);
    if (i == 0 || spans[i].begin < all.begin)
      all.begin = spans[i].begin;
    if (i == 0 || spans[i].end > all.end)
      all.end = spans[i].end;
  }
  pthread_barrier_destroy(&barrier);
  return all.end - all.begin;
}

int main(int argc, char **argv) {
  static const int usual[] = {1, 2, 16, 64};
  long total = argc > 1 ? atol(argv[1]) : 200000;
  int kinds = argc > 2 ? argc - 2 : (int)(sizeof usual / sizeof *usual);
  double single = 0;
  for (int k = 0; k < kinds; k++) {
    int n = argc > 2 ? atoi(argv[k + 2]) : usual[k];
    if (n < 1 || n > max_threads || total < n)
      return 2;
    double seconds[rounds];
    for (int r = 0; r < rounds; r++)
      seconds[r] = round_of(n, total);
    qsort(seconds, rounds, sizeof *seconds, ascending);
    double per_second = total / n * (double)n / seconds[rounds / 2];
    if (k == 0)
      single = per_second;
    printf("%3d threads  %7.3f us per cycle and thread  %6.3f million cycles "
           "per second in all  %.2f x\n",
           n, n / per_second * 1e6, per_second * 1e-6, per_second / single);
  }
  struct mgpux_stats s;
  mgpuxGetStats(&s, sizeof s);
  printf("driver %s; %llu calls, %llu driver calls\n", s.driver,
         (unsigned long long)s.total.calls,
         (unsigned long long)s.total.driver_calls);
  return 0;
}
