/* growth: what calls cost as a program grows: modules, blocks, streams, images, threads.
 * Prints "curve <tab> n <tab> nanoseconds per call".
 *
 *   cc -O2 -pthread -Iinclude bench/growth.c -Lbuild -lmlir_rocm_runtime
 *   MGPU_DRIVER=null ./a.out
 *
 * With MGPU_DRIVER=null this is the time of the library alone. */

#define _GNU_SOURCE
#include <mgpu_runtime.h>

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Processor time of the process: it may share the machine. */
static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static int ascending(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* Prints the median over some rounds of so many calls each. */
enum { rounds = 5 };
typedef void (*call)(void *argument, long i);

static void measure(const char *curve, long n, long calls, call f,
                    void *argument) {
  double ns[rounds];
  for (int r = -1; r < rounds; r++) {
    double from = now();
    for (long i = 0; i < calls; i++)
      f(argument, i);
    if (r >= 0)
      ns[r] = (now() - from) / (double)calls;
  }
  qsort(ns, rounds, sizeof *ns, ascending);
  printf("%s\t%ld\t%.1f\n", curve, n, ns[rounds / 2]);
  fflush(stdout);
}

/*---- Modules ---------------------------------------------------------------*/

/* A text of some length that no other image equals. */
static char *image(long number, size_t bytes) {
  char *text = malloc(bytes + 1);
  memset(text, ' ', bytes);
  text[bytes] = 0;
  char head[256];
  int n = snprintf(head, sizeof head,
                   ".version 7.0\n.target sm_70\n.address_size 64\n"
                   ".visible .entry kernel() { ret; }\n// %ld",
                   number);
  memcpy(text, head, (size_t)n);
  text[n] = '\n';
  return text;
}

struct modules {
  long n;
  char **images;
  void **modules;
};

static void look_up(void *argument, long i) {
  const struct modules *m = argument;
  mgpuModuleGetFunction(m->modules[i * 7919 % m->n], "kernel");
}

static void load_again(void *argument, long i) {
  const struct modules *m = argument;
  mgpuModuleUnload(mgpuModuleLoad(m->images[i * 7919 % m->n], 0));
}

static void load_anew(void *argument, long i) {
  (void)i;
  struct modules *m = argument;
  char *text = image(1000000000 + m->n++, 1024);
  mgpuModuleUnload(mgpuModuleLoad(text, 0));
  free(text);
}

static void modules(void) {
  for (long n = 1; n <= 10000; n *= 10) {
    struct modules m = {n, calloc((size_t)n, sizeof(char *)),
                        calloc((size_t)n, sizeof(void *))};
    for (long i = 0; i < n; i++) {
      m.images[i] = image(100000 * n + i, 1024);
      m.modules[i] = mgpuModuleLoad(m.images[i], 0);
    }
    measure("look-up of a function, by modules", n, 5000, look_up, &m);
    measure("load and unload of a loaded image, by modules", n, 500, load_again,
            &m);
    struct modules fresh = {n * 1000000, NULL, NULL};
    measure("load and unload of a new image, by modules", n, 200, load_anew,
            &fresh);
    for (long i = 0; i < n; i++) {
      mgpuModuleUnload(m.modules[i]);
      free(m.images[i]);
    }
    free(m.images);
    free(m.modules);
  }
  for (size_t bytes = 1 << 10; bytes <= 100u << 20; bytes *= 10) {
    char *text = image((long)bytes, bytes);
    struct modules m = {1, &text, (void *[]){mgpuModuleLoad(text, 0)}};
    measure("load and unload of a loaded image, by bytes", (long)bytes,
            bytes > 1 << 20 ? 5 : 500, load_again, &m);
    mgpuModuleUnload(m.modules[0]);
    free(text);
  }
}

/*---- Blocks and streams ----------------------------------------------------*/

static void alloc_and_free(void *stream, long i) {
  mgpuMemFree(mgpuMemAlloc(4096 + 4096 * (uint64_t)(i % 4), stream, 0), stream);
}

static void launch_and_wait(void *stream, long i) {
  static void *kernel;
  (void)i;
  if (kernel == NULL)
    kernel =
        mgpuModuleGetFunction(mgpuModuleLoad(image(-1, 1024), 0), "kernel");
  mgpuLaunchKernel(kernel, 1, 1, 1, 64, 1, 1, 0, stream, NULL, NULL, 0);
  mgpuStreamSynchronize(stream);
}

/* A free behind a launch, which marks every stream with work. */
static void free_behind(void *stream, long i) {
  void *p = mgpuMemAlloc(4096, stream, 0);
  static void *kernel;
  (void)i;
  if (kernel == NULL)
    kernel =
        mgpuModuleGetFunction(mgpuModuleLoad(image(-2, 1024), 0), "kernel");
  mgpuLaunchKernel(kernel, 1, 1, 1, 64, 1, 1, 0, stream, NULL, NULL, 0);
  mgpuMemFree(p, stream);
  mgpuStreamSynchronize(stream);
}

static void blocks(void) {
  void *stream = mgpuStreamCreate();
  long have = 0;
  void **p = calloc(1000000, sizeof *p);
  for (long n = 1; n <= 1000000; n *= 10) {
    for (; have < n; have++)
      p[have] = mgpuMemAlloc(4096, stream, 0);
    measure("alloc and free, by blocks", n, 5000, alloc_and_free, stream);
    measure("alloc, launch, free, wait, by blocks", n, 1000, free_behind,
            stream);
  }
  while (have > 0)
    mgpuMemFree(p[--have], stream);
  free(p);
  mgpuStreamDestroy(stream);
}

static void streams(void) {
  static void *s[4096];
  long have = 0;
  for (long n = 1; n <= 4096; n *= 4) {
    for (; have < n; have++)
      s[have] = mgpuStreamCreate();
    measure("launch and wait, by streams", n, 5000, launch_and_wait, s[n - 1]);
    measure("alloc and free, by streams", n, 5000, alloc_and_free, s[n - 1]);
    measure("alloc, launch, free, wait, by streams", n, 1000, free_behind,
            s[n - 1]);
  }
  while (have > 0)
    mgpuStreamDestroy(s[--have]);
}

/*---- Threads ---------------------------------------------------------------*/

enum { cycles = 20000 };
static pthread_barrier_t together;

static void *cycle(void *spent) {
  struct timespec from, to;
  void *s = mgpuStreamCreate();
  launch_and_wait(s, 0);
  mgpuStreamDestroy(s);
  pthread_barrier_wait(&together);
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &from);
  for (int i = 0; i < cycles; i++) {
    s = mgpuStreamCreate();
    alloc_and_free(s, i);
    launch_and_wait(s, i);
    mgpuStreamDestroy(s);
  }
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &to);
  *(double *)spent = ((double)(to.tv_sec - from.tv_sec) * 1e9 +
                      (double)(to.tv_nsec - from.tv_nsec)) /
                     cycles;
  return NULL;
}

/* Processor time, since there may be more threads than processors. */
static void threads(void) {
  for (int n = 1; n <= 64; n *= 2) {
    pthread_t t[64];
    double ns[64];
    pthread_barrier_init(&together, NULL, (unsigned)n);
    for (int i = 0; i < n; i++)
      pthread_create(&t[i], NULL, cycle, &ns[i]);
    for (int i = 0; i < n; i++)
      pthread_join(t[i], NULL);
    pthread_barrier_destroy(&together);
    qsort(ns, (size_t)n, sizeof *ns, ascending);
    printf("six calls of a round, processor time, by threads\t%d\t%.1f\n", n,
           ns[n / 2]);
  }
}

int main(void) {
  launch_and_wait(mgpuStreamCreate(), 0);
  threads();
  streams();
  blocks();
  modules();
  return 0;
}
