/* devices [SECONDS [DEVICES]]: the throughput of several devices together, each with a thread of its
 * own, beside one device alone. The image, with the kernels of internal/drivertest, lies in
 * the program's constants, as compilers put it. Measures the library that it finds as
 * libmlir_cuda_runtime.so, in rounds of a SECOND for each piece of work and each set of
 * devices, and prints medians:
 *
 *   loop 19     LLVM 19's calls for a launch: load, stream, launch, wait, unload
 *   loop 22     the same with a module that stays
 *   copies      alloc, 64 KiB to the device, launch, 64 KiB back, free
 *
 * then what as many processes do, each with one device, and what device 0 does beside
 * threads that only count: what the machine allows. */
#define _GNU_SOURCE
#include <mgpu_runtime.h>

#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "image.h"

enum { max_devices = 16, rounds = 5, works = 3, bytes = 64 << 10, every = 8 };

static const char *const names[works] = {"loop 19", "loop 22", "copies"};

static double seconds = 1;
static pthread_barrier_t barrier;

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* Stock has no such function. */
extern __typeof__(mgpuxGetDeviceCount) mgpuxGetDeviceCount
    __attribute__((weak));

/* PTX is text. */
static void *load(void) {
  void *image = (void *)kernels_image;
  return kernels_image[0] == 0x7f ? mgpuModuleLoad(image, 0)
                                  : mgpuModuleLoadJIT(image, 2, 0);
}

static void launch(void *module, void *stream) {
  mgpuLaunchKernel(mgpuModuleGetFunction(module, "empty"), 1, 1, 1, 1, 1, 1, 0,
                   stream, NULL, NULL, 0);
}

static void turn(int work, void *module, void *host) {
  void *m = work == 0 ? load() : module;
  void *stream = mgpuStreamCreate();
  if (work < 2)
    launch(m, stream);
  else {
    void *p = mgpuMemAlloc(bytes, stream, 0);
    mgpuMemcpy(p, host, bytes, stream);
    launch(m, stream);
    mgpuMemcpy(host, p, bytes, stream);
    mgpuStreamSynchronize(stream);
    mgpuMemFree(p, stream);
  }
  mgpuStreamSynchronize(stream);
  mgpuStreamDestroy(stream);
  if (work == 0)
    mgpuModuleUnload(m);
}

struct task {
  int device, work;
  bool alone; /* begins without others */
  double rate;
};

static void *run(void *argument) {
  struct task *t = argument;
  mgpuSetDefaultDevice(t->device);
  void *module = t->work == 0 ? NULL : load(), *host = calloc(1, bytes);
  for (int i = 0; i < 50; i++)
    turn(t->work, module, host);
  if (!t->alone)
    pthread_barrier_wait(&barrier);
  double begin = now(), end;
  long n = 0;
  do {
    for (int i = 0; i < every; i++)
      turn(t->work, module, host);
    n += every;
  } while ((end = now()) < begin + seconds);
  t->rate = (double)n / (end - begin);
  if (module != NULL)
    mgpuModuleUnload(module);
  free(host);
  return NULL;
}

/* Turns per second of devices first to first+n-1 together. */
static double together(int work, int first, int n) {
  pthread_t thread[max_devices];
  struct task task[max_devices];
  double rate = 0;
  pthread_barrier_init(&barrier, NULL, (unsigned)n);
  for (int i = 0; i < n; i++) {
    task[i] = (struct task){.device = first + i, .work = work};
    pthread_create(&thread[i], NULL, run, &task[i]);
  }
  for (int i = 0; i < n; i++) {
    pthread_join(thread[i], NULL);
    rate += task[i].rate;
  }
  pthread_barrier_destroy(&barrier);
  return rate;
}

/* The same by n processes. A process that has called can't fork: main does this in
 * children that have not. */
static double apart(int work, int n) {
  struct task *task =
      mmap(NULL, sizeof *task * max_devices, PROT_READ | PROT_WRITE,
           MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  pthread_barrierattr_t shared;
  pthread_barrier_t *all = mmap(NULL, sizeof *all, PROT_READ | PROT_WRITE,
                                MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  pthread_barrierattr_init(&shared);
  pthread_barrierattr_setpshared(&shared, PTHREAD_PROCESS_SHARED);
  pthread_barrier_init(all, &shared, (unsigned)n);
  for (int i = 0; i < n; i++)
    if (fork() == 0) {
      task[i] = (struct task){.device = i, .work = work, .alone = true};
      double all_of_it = seconds;
      seconds = 0;
      run(&task[i]); /* first calls are not measured */
      seconds = all_of_it;
      pthread_barrier_wait(all);
      run(&task[i]);
      _exit(0);
    }
  double rate = 0;
  while (wait(NULL) > 0)
    ;
  for (int i = 0; i < n; i++)
    rate += task[i].rate;
  munmap(task, sizeof *task * max_devices);
  munmap(all, sizeof *all);
  return rate;
}

static bool counting;

static void *busy(void *unused) {
  while (__atomic_load_n(&counting, __ATOMIC_RELAXED))
    ;
  return unused;
}

/* Turns per second of device 0 beside n threads that make no calls. */
static double beside(int work, int n) {
  pthread_t thread[max_devices];
  __atomic_store_n(&counting, true, __ATOMIC_RELAXED);
  for (int i = 0; i < n; i++)
    pthread_create(&thread[i], NULL, busy, NULL);
  double rate = together(work, 0, 1);
  __atomic_store_n(&counting, false, __ATOMIC_RELAXED);
  for (int i = 0; i < n; i++)
    pthread_join(thread[i], NULL);
  return rate;
}

static int ascending(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static double median(double *v, int n) {
  qsort(v, (size_t)n, sizeof *v, ascending);
  return v[n / 2];
}

/* How many devices there are, asked by a child. */
static int count(void) {
  int p[2], n = 0;
  if (pipe(p) != 0)
    return 0;
  if (fork() == 0) {
    n = mgpuxGetDeviceCount();
    _exit(write(p[1], &n, sizeof n) != sizeof n);
  }
  close(p[1]);
  if (read(p[0], &n, sizeof n) != sizeof n)
    n = 0;
  close(p[0]);
  wait(NULL);
  return n < max_devices ? n : max_devices;
}

int main(int argc, char **argv) {
  if (argc > 1)
    seconds = atof(argv[1]);
  int devices = argc > 2 ? atoi(argv[2]) : mgpuxGetDeviceCount ? count() : 0;
  if (devices < 1)
    return 1;
  double separate[works][rounds];
  for (int w = 0; w < works; w++)
    for (int r = 0; r < rounds; r++)
      separate[w][r] = apart(w, devices);
  printf("%d devices; turns per second, medians of %d rounds\n", devices,
         rounds);
  for (int w = 0; w < works; w++) {
    double one[max_devices][rounds], many[max_devices + 1][rounds];
    double shares[max_devices + 1][rounds], crowded[rounds];
    for (int r = 0; r < rounds; r++) {
      double sum = 0;
      for (int d = 0; d < devices; d++) {
        sum += one[d][r] = together(w, d, 1);
        int n = d + 1;
        if (n == 1 || (n & (n - 1) && n != devices))
          continue;
        many[n][r] = together(w, 0, n);
        shares[n][r] = many[n][r] / sum;
      }
      crowded[r] = beside(w, devices - 1) / one[0][r];
    }
    printf("%-8s", names[w]);
    for (int d = 0; d < devices; d++)
      printf("  device %d: %.0f", d, median(one[d], rounds));
    for (int n = 2; n <= devices; n++)
      if ((n & (n - 1)) == 0 || n == devices)
        printf("  %d together: %.0f, %.2f of the sum", n,
               median(many[n], rounds), median(shares[n], rounds));
    printf("  %d processes: %.0f  device 0 beside %d busy: %.2f\n", devices,
           median(separate[w], rounds), devices - 1, median(crowded, rounds));
  }
  return 0;
}
