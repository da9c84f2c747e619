//go:build linux && amd64 && !mgpu_plain

/* Starts the Go runtime, at the process's first call. */

#define _GNU_SOURCE
#include "start.h"

#include <elf.h>
#include <errno.h>
#include <link.h>
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

enum { processors_first = 16, processors_most = 64 };
static char processors[] = "GOMAXPROCS=16";

static void set_processors(void) {
  long cores = sysconf(_SC_NPROCESSORS_ONLN);
  if (cores > processors_first)
    snprintf(processors, sizeof processors, "GOMAXPROCS=%d",
             cores < processors_most ? (int)cores : processors_most);
}

/* argv and, after its NULL, the environment and an empty auxiliary vector, laid
 * out as the kernel does; the runtime then reads the real vector from /proc.
 *
 * GOMAXPROCS   bounds the runtime's threads: its default, one per core, is 256
 *              on large machines. Not few on small ones: a host's thread keeps
 *              one between its calls, and a thread without one has to take it
 *              from another first. Making one takes memory and time, so the
 *              runtime starts with 16, or one per core, and more threads of the
 *              host than half of 16 make it 64 (doc.go).
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

/* What Go and the software GPU map until their first kernel has run, beside threads' stacks:
 * 1.5 GB of addresses, of which 0.1 GB are writable (measured on 2 cores). The rest is for
 * larger machines. */
static const size_t most_addresses = (size_t)1792 << 20;
static const size_t most_writable = (size_t)128 << 20;

static bool limited(int resource) {
  struct rlimit limit;
  return getrlimit(resource, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
}

static bool can_map(size_t size, int protection) {
  void *at = mmap(NULL, size, protection,
                  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return at != MAP_FAILED && munmap(at, size) == 0;
}

/* Returns NULL, or which limit of the process leaves the runtime too little memory. */
static const char *memory_refused(void) {
  if (limited(RLIMIT_AS) && !can_map(most_addresses, PROT_NONE))
    return "the process has too little address space left: raise RLIMIT_AS "
           "(ulimit -v) by 1792 MiB";
  if (limited(RLIMIT_DATA) && !can_map(most_writable, PROT_READ | PROT_WRITE))
    return "the process may have too little memory: raise RLIMIT_DATA "
           "(ulimit -d) by 128 MiB";
  return NULL;
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
