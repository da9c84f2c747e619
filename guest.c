//go:build linux && amd64 && !mgpu_plain

/* Starting the Go runtime late, and keeping it unnoticed.
 *
 * A Go shared library starts its runtime from an ELF constructor, takes over
 * signals for the whole process, and reads its settings from the user's
 * environment. In a library that is preloaded into shells and linked into other
 * people's programs none of that may happen. This file stands between the C ABI
 * (entry.c) and Go (export.go):
 *
 *   - nothing happens before the first mgpu call (start_runtime);
 *   - at a thread's first call Go adopts the thread, which changes its signal
 *     mask and alternate stack: both are put back (guest_first);
 *   - threads that Go creates for itself take no asynchronous signals
 *     (__wrap_pthread_create);
 *   - a child of fork has no Go threads, so it must not enter Go (in_child).
 *
 * Lock order: first_mu, create_mu. first_mu is held while the runtime starts and
 * while Go adopts a thread; create_mu while a Go thread is created. Neither is
 * held during an mgpu call proper.
 *
 * The library must be linked with -E=mgpu_late_entry and
 * --wrap=pthread_create. Without the first the runtime starts from the
 * constructor as in any Go library and only the work per thread is done here. */

#define _GNU_SOURCE
#include "guest.h"

#include <elf.h>
#include <errno.h>
#include <link.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
#include <xmmintrin.h>

#include "_cgo_export.h"

static pthread_mutex_t first_mu = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t create_mu = PTHREAD_MUTEX_INITIALIZER;

static bool started;  /* the runtime runs; under first_mu */
static bool starting; /* it is being started; under create_mu */
static bool forked;   /* this process is a child of one that had started it */
static bool exiting;

/*---- Dispositions ----------------------------------------------------------*/

enum { signals = 65 }; /* Linux numbers them 1 to 64 */

/* What a signal does, as the kernel has it. */
struct kernel_action {
  void (*handler)(int, siginfo_t *, void *);
  unsigned long flags;
  void (*restorer)(void);
  uint64_t mask;
};

static int kernel_action(int sig, const struct kernel_action *set,
                         struct kernel_action *get) {
  return (int)syscall(SYS_rt_sigaction, sig, set, get, sizeof set->mask);
}

/* The same as the C library tells it, and as the kernel has it. The two differ
 * under sanitizers, which keep the host's handlers to themselves, and by a flag
 * that the C library adds to whatever it sets. */
struct disposition {
  struct sigaction libc;
  struct kernel_action kernel;
};

static void save(int sig, struct disposition *d) {
  sigaction(sig, NULL, &d->libc);
  kernel_action(sig, NULL, &d->kernel);
}

static void restore(int sig, const struct disposition *d) {
  struct disposition now = {0};
  save(sig, &now);
  if (now.libc.sa_sigaction != d->libc.sa_sigaction ||
      now.libc.sa_flags != d->libc.sa_flags)
    sigaction(sig, &d->libc, NULL);
  save(sig, &now);
  if (memcmp(&now.kernel, &d->kernel, sizeof now.kernel) != 0)
    kernel_action(sig, &d->kernel, NULL);
}

/*---- Threads that Go creates ------------------------------------------------
 *
 * A host that reads a signal with sigwait or signalfd blocks it in all of its
 * threads; one thread that does not block it takes it away. Go unblocks SIGCHLD,
 * SIGPROF and others on each of its threads when the thread starts, in code that
 * can't be changed from here, after anything that a thread's start function
 * could do. So the start function blocks everything and leaves a SIGCHLD pending
 * for its thread; it is delivered at the very moment when Go unblocks it, and
 * the handler then chooses the mask that the return from the signal installs.
 * SIGCHLD because Go unblocks it whatever its settings say, its default is to be
 * ignored, and debuggers don't stop at it. */

static sem_t acked; /* posted by each new thread once its mask is right */
static unsigned created; /* by the runtime's start; under create_mu */
static struct kernel_action host_sigchld; /* while set_mask is installed */

/* Signals that a thread's own instructions raise stay open: blocked, they would
 * kill without reaching the host's handler. 32 and 33 are the C library's, for
 * cancellation and for changing user ids in all threads. */
static const int kept_open[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL,
                                SIGTRAP, SIGSYS, 32,     33};

/* Must not touch errno. */
static void set_mask(int sig, siginfo_t *info, void *context) {
  if (info->si_code != SI_TKILL || info->si_pid != getpid()) {
    /* A child of the host ended meanwhile. */
    uintptr_t host = (uintptr_t)host_sigchld.handler;
    if (host != (uintptr_t)SIG_DFL && host != (uintptr_t)SIG_IGN)
      host_sigchld.handler(sig, info, context);
    return;
  }
  uint64_t mask = ~(uint64_t)0;
  for (size_t i = 0; i < sizeof kept_open / sizeof *kept_open; i++)
    mask &= ~((uint64_t)1 << (kept_open[i] - 1));
  /* The kernel's signal set is the first eight bytes of the C library's. */
  memcpy(&((ucontext_t *)context)->uc_sigmask, &mask, sizeof mask);
  sem_post(&acked);
}

/* How a handler that the C library did not install returns. */
void mgpu_sigreturn(void) __attribute__((visibility("hidden")));
__asm__(".pushsection .text\n"
        ".hidden mgpu_sigreturn\n"
        ".globl mgpu_sigreturn\n"
        ".type mgpu_sigreturn, @function\n"
        "mgpu_sigreturn:\n"
        "  mov $15, %eax\n" /* rt_sigreturn */
        "  syscall\n"
        ".size mgpu_sigreturn, . - mgpu_sigreturn\n"
        ".popsection");

/* Puts set_mask in the place of the host's handler of SIGCHLD, keeping what that
 * says about stopped and ended children. Not through the C library: ThreadSanitizer
 * would run set_mask later, when it is too late. */
static void install_set_mask(void) {
  enum { restorer = 0x04000000 }; /* the kernel's SA_RESTORER */
  kernel_action(SIGCHLD, NULL, &host_sigchld);
  struct kernel_action a = {
      .handler = set_mask,
      .flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART | restorer |
               (host_sigchld.flags & (SA_NOCLDSTOP | SA_NOCLDWAIT)),
      .restorer = mgpu_sigreturn,
  };
  if ((uintptr_t)host_sigchld.handler == (uintptr_t)SIG_IGN)
    a.flags |= SA_NOCLDWAIT;
  kernel_action(SIGCHLD, &a, NULL);
}

static void remove_set_mask(void) {
  kernel_action(SIGCHLD, &host_sigchld, NULL);
}

/* Waits for one new thread to have its mask. A thread that the machine does not
 * let run for so long is left alone: its mask is then Go's own. */
static void await_ack(void) {
  struct timespec limit;
  clock_gettime(CLOCK_REALTIME, &limit);
  limit.tv_nsec += 100 * 1000 * 1000;
  if (limit.tv_nsec >= 1000 * 1000 * 1000) {
    limit.tv_nsec -= 1000 * 1000 * 1000;
    limit.tv_sec++;
  }
  while (sem_timedwait(&acked, &limit) == -1 && errno == EINTR)
    ;
}

struct start {
  void *(*fn)(void *);
  void *arg;
};

static void *start_masked(void *v) {
  struct start s = *(struct start *)v;
  free(v);
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, NULL);
  _mm_setcsr(0x1f80); /* a host may flush denormals, and threads inherit that */
  syscall(SYS_tgkill, getpid(), syscall(SYS_gettid), SIGCHLD);
  return s.fn(s.arg);
}

/* Weak, so that a program that is linked without --wrap=pthread_create still
 * links. */
int __real_pthread_create(pthread_t *, const pthread_attr_t *,
                          void *(*)(void *), void *) __attribute__((weak));
int __wrap_pthread_create(pthread_t *, const pthread_attr_t *,
                          void *(*)(void *), void *);

/* The library's own pthread_create: only the Go runtime's calls come here. */
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attr,
                          void *(*fn)(void *), void *arg) {
  struct start *s = malloc(sizeof *s);
  if (s == NULL)
    return EAGAIN;
  s->fn = fn;
  s->arg = arg;
  pthread_mutex_lock(&create_mu);
  /* While the runtime starts, set_mask stays installed throughout and
   * start_runtime waits for all threads together. */
  bool late = !starting;
  if (late) {
    while (sem_trywait(&acked) == 0)
      ;
    install_set_mask();
  }
  int err = __real_pthread_create(thread, attr, start_masked, s);
  if (err != 0)
    free(s);
  else if (late)
    await_ack();
  else
    created++;
  if (late)
    remove_set_mask();
  pthread_mutex_unlock(&create_mu);
  return err;
}

/*---- Starting the runtime --------------------------------------------------*/

typedef void (*go_entry)(int argc, char **argv);

extern ElfW(Dyn) _DYNAMIC[] __attribute__((visibility("hidden")));
extern const char __ehdr_start[] __attribute__((visibility("hidden")));

/* Finds Go's own entry point through mgpu_late_entry, which sits in .init_array
 * and is known by the bytes after its two instructions (see
 * internal/guest/entry_amd64.s). NULL if the library was linked without it. */
static go_entry find_entry(void) {
  static const unsigned char tail[] = {0xc3, 'm', 'g', 'p', 'u',
                                       'R',  'T', '0', 0};
  enum { lea = 7 }; /* the bytes of the LEAQ before the RET */
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
      return ((go_entry(*)(void))(uintptr_t)code)();
  }
  return NULL;
}

/* argv and, after its NULL, the environment and an empty auxiliary vector, laid
 * out as the kernel does; the runtime then reads the real vector from /proc.
 *
 * GOMAXPROCS   bounds the runtime's threads: its default, one per core, is 256
 *              on large machines. Not fewer on small ones: a host's thread keeps
 *              one between its calls, and a thread without one has to take it
 *              from another first. An unused one takes 10 KiB.
 * GOGC, GOMEMLIMIT  steady state allocates nothing, so nothing is collected
 *              unless something leaks.
 * asyncpreemptoff  no SIGURG to the host's threads.
 * containermaxprocs, updatemaxprocs  no file kept open to watch a cgroup.
 * gcshrinkstackoff  stacks stay as large as guest_first makes them. */
static char *go_block[] = {
    "libmlir_rocm_runtime", NULL,
    "GOMAXPROCS=64", "GOGC=off", "GOMEMLIMIT=256MiB", "GOTRACEBACK=single",
    "GODEBUG=asyncpreemptoff=1,containermaxprocs=0,updatemaxprocs=0,"
    "gcshrinkstackoff=1",
    NULL,
    NULL, NULL};

static void at_exit(void) { __atomic_store_n(&exiting, true, __ATOMIC_SEQ_CST); }

/* Called once, with first_mu held and every signal blocked on this thread. */
static void start_runtime(void) {
  go_entry entry = find_entry();
  if (entry == NULL) { /* the constructor has done it */
    goStart();
    atexit(at_exit);
    started = true;
    return;
  }
  /* Go takes over every signal that it knows, so that a fault in the host or in
   * a driver would end in a Go traceback, and remembers SIG_IGN wrongly. It
   * does so before its entry point returns: put everything back right there. */
  static struct disposition host[signals];
  for (int s = 1; s < signals; s++)
    save(s, &host[s]);
  struct rlimit files; /* Go raises the soft limit to the hard one */
  bool have_files = getrlimit(RLIMIT_NOFILE, &files) == 0;

  sem_init(&acked, 0, 0);
  pthread_mutex_lock(&create_mu);
  starting = true;
  install_set_mask();
  pthread_mutex_unlock(&create_mu);

  entry(1, go_block);
  for (int s = 1; s < signals; s++)
    if (s != SIGCHLD && s != SIGKILL && s != SIGSTOP)
      restore(s, &host[s]);
  goStart(); /* waits until the runtime and all packages are initialized */

  struct rlimit now;
  if (have_files && getrlimit(RLIMIT_NOFILE, &now) == 0 &&
      now.rlim_cur != files.rlim_cur) {
    now.rlim_cur = files.rlim_cur;
    setrlimit(RLIMIT_NOFILE, &now);
  }

  for (unsigned n = 0;; n++) {
    pthread_mutex_lock(&create_mu);
    if (n < created) {
      pthread_mutex_unlock(&create_mu);
      await_ack();
      continue;
    }
    /* Before starting is cleared: whoever creates a thread next takes what it
     * finds for the host's. */
    remove_set_mask();
    starting = false;
    pthread_mutex_unlock(&create_mu);
    break;
  }
  atexit(at_exit);
  started = true;
}

/*---- Fork ------------------------------------------------------------------
 *
 * Only the forking thread lives on in the child, so a runtime that had started
 * is dead there and a call into it would hang. The locks are taken before the
 * fork so that the child does not inherit them from a thread it lacks. */

static void before_fork(void) {
  pthread_mutex_lock(&first_mu);
  pthread_mutex_lock(&create_mu);
}

static void in_parent(void) {
  pthread_mutex_unlock(&create_mu);
  pthread_mutex_unlock(&first_mu);
}

static void in_child(void) {
  in_parent();
  if (started)
    forked = true;
  calls_here = NULL; /* so that the fast path needs to look at nothing else */
}

/* Constructors of other libraries may call in before this library's own run, so
 * both of them ask for it. */
static void watch_forks(void) {
  static bool done;
  if (!__atomic_exchange_n(&done, true, __ATOMIC_SEQ_CST))
    pthread_atfork(before_fork, in_parent, in_child);
}

__attribute__((constructor)) static void loaded(void) { watch_forks(); }

/*---- Threads of the host ---------------------------------------------------*/

__attribute__((noinline, cold)) bool guest_first(const struct counted *call) {
  if (forked) {
    guest_fail(call->name, "process forked after the GPU runtime had started; "
                     "the child may only exec");
    return false;
  }
  if (!calls_attach()) {
    guest_fail(call->name, "out of memory");
    return false;
  }
  int err = errno;
  watch_forks();
  /* When Go adopts a thread it unblocks signals on it and, if it has none, gives
   * it an alternate stack of 32 KiB that the host knows nothing about. */
  sigset_t all, mask;
  stack_t alternate;
  sigfillset(&all);
  sigaltstack(NULL, &alternate);
  pthread_sigmask(SIG_SETMASK, &all, &mask);
  /* The lock also spares the runtime a herd: 500 threads that ask to be adopted
   * at once would spin for a second. */
  pthread_mutex_lock(&first_mu);
  if (!started)
    start_runtime();
  /* A host's handler without SA_ONSTACK runs on whatever stack it interrupts; a
   * goroutine's has 8 KiB unless it is made larger here. */
  goAdopt();
  pthread_mutex_unlock(&first_mu);
  if (alternate.ss_flags & SS_DISABLE)
    sigaltstack(&(stack_t){.ss_flags = SS_DISABLE}, NULL);
  pthread_sigmask(SIG_SETMASK, &mask, NULL);
  errno = err;
  return true;
}

bool guest_exiting(void) {
  return __atomic_load_n(&exiting, __ATOMIC_RELAXED);
}

/* Exit runs destructors after all exit handlers, the program's own before those
 * of the libraries it needs, so this sees the program's last calls. */
__attribute__((destructor)) static void finish(void) {
  if (!__atomic_load_n(&started, __ATOMIC_ACQUIRE) || forked)
    return;
  static const struct counted at_the_end = {.name = "exit"};
  if (guest_enter(&at_the_end))
    goExit();
}
