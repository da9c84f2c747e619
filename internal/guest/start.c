//go:build linux && amd64 && !mgpu_plain

/* Starts the Go runtime, at the process's first call. */

#define _GNU_SOURCE
#include "start.h"

#include <elf.h>
#include <errno.h>
#include <link.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

typedef void (*go_entry)(int argc, char **argv);

extern ElfW(Dyn) _DYNAMIC[] __attribute__((visibility("hidden")));
extern const char __ehdr_start[] __attribute__((visibility("hidden")));

/* Returns Go's own entry point from mgpu_late_entry, which is in .init_array. It is
 * recognized by the bytes after its two instructions (see late/entry_amd64.s). Returns NULL
 * if the library was linked without mgpu_late_entry. */
static go_entry find_entry(void) {
  static const unsigned char tail[] = {0xc3, 'm', 'g', 'p', 'u',
                                       'R',  'T', '0', 0};
  enum { lea = 7 }; /* length of the LEAQ before the RET */
  ElfW(Addr) array = 0;
  size_t n = 0;
  for (const ElfW(Dyn) *d = _DYNAMIC; d->d_tag != DT_NULL; d++) {
    if (d->d_tag == DT_INIT_ARRAY)
      array = (ElfW(Addr))__ehdr_start + d->d_un.d_ptr;
    else if (d->d_tag == DT_INIT_ARRAYSZ)
      n = d->d_un.d_val / sizeof(void *);
  }
  for (size_t i = 0; i < n; i++) {
    const unsigned char *code = ((const unsigned char **)array)[i];
    if (code[0] == 0x48 && code[1] == 0x8d && code[2] == 0x05 &&
        memcmp(code + lea, tail, sizeof tail) == 0)
      return ((go_entry (*)(void))(uintptr_t)code)();
  }
  return NULL;
}

enum { processors_fewest = 4, processors_first = 16, processors_most = 64 };
static char processors[] = "GOMAXPROCS=16";
static int most =
    processors_most; /* processors; fewer under a limit on memory */

int guest_most_processors(void) { return most; }

static void set_processors(void) {
  long n = sysconf(_SC_NPROCESSORS_ONLN);
  n = n < processors_first ? processors_first : n;
  snprintf(processors, sizeof processors, "GOMAXPROCS=%d",
           n < most ? (int)n : most);
}

/* argv and, after its NULL, the environment and an empty auxiliary vector, laid
 * out as the kernel does; the runtime then reads the real vector from /proc.
 *
 * GOMAXPROCS   bounds the runtime's threads: its default, one per core, is 256
 *              on large machines. Not few on small ones: a host's thread keeps
 *              one between its calls, and a thread without one has to take it
 *              from another first. Making one takes memory and time, so the
 *              runtime starts with 16, or one per core, and more threads of the
 *              host than half of 16 make it 64 (doc.go). Each has a thread: a
 *              limit on memory allows fewer.
 * GOGC, GOMEMLIMIT  steady state allocates nothing, so nothing is collected
 *              unless something leaks. With the software GPU, whose decoded
 *              kernels are on the heap, the limit grows (internal/heaplimit).
 * asyncpreemptoff  no SIGURG to the host's threads.
 * containermaxprocs, updatemaxprocs  no file kept open to watch a cgroup.
 * gcshrinkstackoff  stacks stay as large as guest_first makes them.
 * cpu.rdtscp=off  valgrind does not know the instruction on AMD processors (seen
 *              with 3.19), though its CPUID says that there is one. Go then uses
 *              RDTSC, 12 ns slower, and only where its own locks are contended. */
static char *go_block[] = {
    NULL, /* guest_library.name */
    NULL,
    processors,
    "GOGC=off",
    "GOMEMLIMIT=256MiB",
    "GOTRACEBACK=single",
    "GODEBUG=asyncpreemptoff=1,containermaxprocs=0,updatemaxprocs=0,"
    "gcshrinkstackoff=1,cpu.rdtscp=off",
    NULL,
    NULL,
    NULL};

static int stop_at_first(struct dl_phdr_info *info, size_t size, void *unused) {
  (void)info, (void)size, (void)unused;
  return 1;
}

static bool limited(int resource) {
  struct rlimit limit;
  return getrlimit(resource, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
}

static bool can_map(size_t size, int protection) {
  void *at = mmap(NULL, size, protection,
                  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return at != MAP_FAILED && munmap(at, size) == 0;
}

/* What Go and the software GPU need until the first kernels have run, in bytes: once, and for
 * each thread beside its stack, where the C library's allocator reserves 64 MiB. Measured with
 * glibc 2.36: up to 11 threads with 4 processors, and 17 with 16. */
enum { threads_more = 7 }; /* threads beyond the number of processors */
static const size_t addresses_once = (size_t)1200 << 20;
static const size_t addresses_each = (size_t)64 << 20;
static const size_t writable_once = (size_t)80 << 20;
static const size_t writable_each = (size_t)1 << 20;

static size_t stack_size(void) {
  size_t size = 0;
  pthread_attr_t attr;
  if (pthread_attr_init(&attr) == 0) {
    pthread_attr_getstacksize(&attr, &size);
    pthread_attr_destroy(&attr);
  }
  return size;
}

/* Lowers most to the processors for which memory is left beside the stacks of threads_first
 * threads. Returns 0, or the bytes that the fewest processors need if that is too much. */
static size_t lacking(size_t once, size_t each, int protection) {
  size_t stack = stack_size();
  for (;; most /= 2) {
    size_t need = once + (size_t)(most + threads_more) * (each + stack) -
                  threads_first * stack;
    if (can_map(need, protection))
      return 0;
    if (most == processors_fewest)
      return need;
  }
}

/* Returns NULL, or which limit of the process leaves the runtime too little memory. */
static const char *memory_refused(void) {
  static char why[128];
  most = processors_most;
  size_t need;
  if (limited(RLIMIT_AS) &&
      (need = lacking(addresses_once, addresses_each, PROT_NONE)) != 0)
    snprintf(why, sizeof why,
             "the process has too little address space left: raise RLIMIT_AS "
             "(ulimit -v) by %zu MiB",
             need >> 20);
  else if (limited(RLIMIT_DATA) &&
           (need = lacking(writable_once, writable_each,
                           PROT_READ | PROT_WRITE)) != 0)
    snprintf(why, sizeof why,
             "the process may have too little memory: raise RLIMIT_DATA "
             "(ulimit -d) by %zu MiB",
             need >> 20);
  else
    return NULL;
  return why;
}

/* Returns NULL, or why Go can't start in this process: the runtime would abort. */
static const char *start_refused(void) {
  /* A library that a statically linked program has opened gets its own C library, without a
   * loader: no library is listed there, and pthread_create crashes. */
  if (dl_iterate_phdr(stop_at_first, NULL) == 0)
    return "the program is linked statically: a library that it opens can't "
           "start threads; link it dynamically";
  const char *why = NULL;
  switch (threads_try(memory_refused, &why)) {
  case 0:
    return why;
  case EAGAIN:
    return "the process can't start seven threads: a limit on threads or "
           "memory is reached";
  default:
    return "the process can't start a thread: the system forbids it";
  }
}

const char *start_runtime(void) {
  go_entry entry = find_entry();
  if (entry == NULL) { /* the loader has started the runtime */
    guest_library.start();
    return NULL;
  }
  const char *why = start_refused();
  if (why != NULL)
    return why;
  /* Go installs handlers for every signal that it knows, so that a fault in the host or in a
   * driver would end in a Go traceback. It also remembers SIG_IGN wrongly. It has done so
   * when its entry point returns, so everything is restored right there. */
  signals_save();
  struct rlimit files; /* Go raises the soft limit to the hard one */
  bool have_files = getrlimit(RLIMIT_NOFILE, &files) == 0;
  go_block[0] = (char *)guest_library.name;
  set_processors();
  threads_starting();
  entry(1, go_block);
  signals_restore();
  guest_library
      .start(); /* waits until the runtime and all packages are initialized */
  struct rlimit now;
  if (have_files && getrlimit(RLIMIT_NOFILE, &now) == 0 &&
      now.rlim_cur != files.rlim_cur) {
    now.rlim_cur = files.rlim_cur;
    setrlimit(RLIMIT_NOFILE, &now);
  }
  threads_started();
  return NULL;
}
