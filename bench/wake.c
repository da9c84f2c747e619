/* wake [ROUNDS [IDLE_MS...]]: the least that a wake through a write-protected page takes: a
 * thread stores to a page that userfaultfd protects, another that waits in poll(2) reads the
 * message, lifts the protection and writes an answer, and the first one sees it. Prints the
 * quickest and the median of the rounds, by the time for which both were idle before.
 *
 * The software GPU hears doorbells that way, and runs a kernel before it answers:
 * go test -run '^$' -bench Wake ./softgpu/rocm/hsa */

#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { page = 4096, most_rounds = 10000 };
static int fault;
static unsigned long *bell, answer;

static double now_us(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e6 + (double)t.tv_nsec * 1e-3;
}

static void protect(int on) {
  struct uffdio_writeprotect w = {{(unsigned long)bell, page},
                                  on ? UFFDIO_WRITEPROTECT_MODE_WP : 0};
  if (ioctl(fault, UFFDIO_WRITEPROTECT, &w) != 0)
    perror("wake: UFFDIO_WRITEPROTECT"), exit(1);
}

static void *answers(void *none) {
  (void)none;
  for (;;) {
    struct pollfd p = {fault, POLLIN, 0};
    struct uffd_msg m;
    if (poll(&p, 1, -1) != 1 || read(fault, &m, sizeof m) != sizeof m)
      continue;
    protect(0);
    __atomic_store_n(&answer, 1, __ATOMIC_RELEASE);
  }
  return NULL;
}

static int ascending(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static void measure(int rounds, double idle_ms) {
  static double took[most_rounds];
  for (int r = 0; r < rounds; r++) {
    protect(1);
    __atomic_store_n(&answer, 0, __ATOMIC_RELEASE);
    struct timespec idle = {0, (long)(idle_ms * 1e6)};
    nanosleep(&idle, NULL);
    double from = now_us();
    __atomic_store_n(bell, (unsigned long)r, __ATOMIC_RELEASE);
    while (!__atomic_load_n(&answer, __ATOMIC_ACQUIRE))
      ;
    took[r] = now_us() - from;
  }
  qsort(took, (size_t)rounds, sizeof *took, ascending);
  printf("after %g ms: %.1f us at least, median %.1f us\n", idle_ms, took[0],
         took[rounds / 2]);
}

int main(int argc, char **argv) {
  int rounds = argc > 1 ? atoi(argv[1]) : 100;
  if (rounds < 1 || rounds > most_rounds)
    return 2;
  fault = (int)syscall(SYS_userfaultfd, O_CLOEXEC | UFFD_USER_MODE_ONLY);
  struct uffdio_api api = {UFFD_API, UFFD_FEATURE_PAGEFAULT_FLAG_WP, 0};
  bell = mmap(NULL, page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
              -1, 0);
  if (fault < 0 || bell == MAP_FAILED || ioctl(fault, UFFDIO_API, &api) != 0)
    return perror("wake: userfaultfd"), 1;
  *bell = 1;
  struct uffdio_register r = {
      {(unsigned long)bell, page}, UFFDIO_REGISTER_MODE_WP, 0};
  if (ioctl(fault, UFFDIO_REGISTER, &r) != 0)
    return perror("wake: UFFDIO_REGISTER"), 1;
  pthread_t t;
  pthread_create(&t, NULL, answers, NULL);
  if (argc < 3) {
    measure(rounds, 0);
    measure(rounds, 10);
    measure(rounds, 50);
  }
  for (int i = 2; i < argc; i++)
    measure(rounds, atof(argv[i]));
  return 0;
}
