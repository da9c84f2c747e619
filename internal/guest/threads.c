//go:build linux && amd64 && !mgpu_plain

/* Blocks asynchronous signals on the threads that Go creates.
 *
 * A host that reads a signal with sigwait or signalfd blocks it in all of its threads; a
 * thread that does not block the signal takes it away. Go unblocks SIGCHLD, SIGPROF and
 * others when one of its threads starts, after the thread's start function. So the start
 * function blocks everything and leaves a SIGCHLD pending for its thread. The signal
 * arrives at the very moment when Go unblocks it, and its handler chooses the mask that
 * the return from the signal installs. SIGCHLD, because Go unblocks it whatever its
 * settings are, it is ignored by default, and debuggers don't stop at it. */

#define _GNU_SOURCE
#include "start.h"

#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
#include <xmmintrin.h>

static pthread_mutex_t create_mu = PTHREAD_MUTEX_INITIALIZER;

static sem_t acked;      /* posted by each new thread once its mask is right */
static unsigned created; /* threads of the runtime's start; under create_mu */
static bool starting;    /* the runtime is being started; under create_mu */
static struct kernel_action host_sigchld; /* while set_mask is installed */

/* Signals that stay unblocked. If a thread's own instruction raises a blocked signal, the
 * signal kills the process and does not reach the host's handler. The C library uses 32 and
 * 33, for cancellation and for changing user IDs in all threads. */
static const int unblocked[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL,
                                SIGTRAP, SIGSYS, 32,     33};

static bool host_handles(void) {
  uintptr_t h = (uintptr_t)host_sigchld.handler;
  return h != (uintptr_t)SIG_DFL && h != (uintptr_t)SIG_IGN;
}

/* Handles SIGCHLD while threads are created: sets the mask of a new thread. Must not
 * touch errno. */
static void set_mask(int sig, siginfo_t *info, void *context) {
  if (info->si_code != SI_TKILL || info->si_pid != getpid()) {
    if (host_handles()) /* a child of the host has ended */
      host_sigchld.handler(sig, info, context);
    return;
  }
  uint64_t mask = ~(uint64_t)0;
  for (size_t i = 0; i < sizeof unblocked / sizeof *unblocked; i++)
    mask &= ~((uint64_t)1 << (unblocked[i] - 1));
  /* The kernel's signal set is the first eight bytes of the C library's. */
  memcpy(&((ucontext_t *)context)->uc_sigmask, &mask, sizeof mask);
  sem_post(&acked);
}

/* Returns from a handler that was not installed by the C library. */
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

/* Installs set_mask as the handler of SIGCHLD, with the host's settings for stopped and
 * ended children, blocked signals and interrupted calls. In a host without a handler
 * interrupted calls are restarted, except those that no flag restarts (poll, nanosleep):
 * they fail with EINTR if a child of the host ends in just this window. Not through the C
 * library: ThreadSanitizer would run set_mask too late. */
static void install_set_mask(void) {
  enum { restorer = 0x04000000 }; /* the kernel's SA_RESTORER */
  unsigned long keep = SA_NOCLDSTOP | SA_NOCLDWAIT;
  kernel_action(SIGCHLD, NULL, &host_sigchld);
  struct kernel_action a = {
      .handler = set_mask,
      .flags = SA_SIGINFO | SA_ONSTACK | restorer,
      .restorer = mgpu_sigreturn,
  };
  if (host_handles()) {
    a.mask = host_sigchld.mask;
    keep |= SA_RESTART | SA_NODEFER;
  } else {
    a.flags |= SA_RESTART;
  }
  a.flags |= host_sigchld.flags & keep;
  if ((uintptr_t)host_sigchld.handler == (uintptr_t)SIG_IGN)
    a.flags |= SA_NOCLDWAIT;
  kernel_action(SIGCHLD, &a, NULL);
}

static void remove_set_mask(void) {
  kernel_action(SIGCHLD, &host_sigchld, NULL);
}

/* Waits until one new thread has its mask, for at most 100 ms. A thread that has not run by
 * then keeps Go's mask. */
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
  _mm_setcsr(0x1f80); /* threads inherit the host's flushing of denormals */
  syscall(SYS_tgkill, getpid(), syscall(SYS_gettid), SIGCHLD);
  return s.fn(s.arg);
}

/* Weak, so that a test's program, which is linked without --wrap=pthread_create, still
 * links. */
int __real_pthread_create(pthread_t *, const pthread_attr_t *,
                          void *(*)(void *), void *) __attribute__((weak));
int __wrap_pthread_create(pthread_t *, const pthread_attr_t *,
                          void *(*)(void *), void *);

/* Replaces pthread_create within the library, where only the Go runtime calls it. */
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attr,
                          void *(*fn)(void *), void *arg) {
  struct start *s = malloc(sizeof *s);
  if (s == NULL)
    return EAGAIN;
  s->fn = fn;
  s->arg = arg;
  pthread_mutex_lock(&create_mu);
  /* While the runtime starts, set_mask stays installed, and threads_started waits for all
   * threads together. */
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

static void *end_when_unlocked(void *mu) {
  pthread_mutex_lock(mu);
  pthread_mutex_unlock(mu);
  return NULL;
}

int threads_try(const char *(*meanwhile)(void), const char **why) {
  pthread_mutex_t mu = PTHREAD_MUTEX_INITIALIZER;
  pthread_t threads[threads_first];
  int err = 0, n = 0;
  pthread_mutex_lock(&mu);
  while (err == 0 && n < threads_first) {
    err = __real_pthread_create(&threads[n], NULL, end_when_unlocked, &mu);
    n += err == 0;
  }
  if (err == 0)
    *why = meanwhile();
  pthread_mutex_unlock(&mu);
  while (n > 0)
    pthread_join(threads[--n], NULL);
  return err;
}

void threads_starting(void) {
  sem_init(&acked, 0, 0);
  pthread_mutex_lock(&create_mu);
  starting = true;
  install_set_mask();
  pthread_mutex_unlock(&create_mu);
}

void threads_started(void) {
  for (unsigned n = 0;; n++) {
    pthread_mutex_lock(&create_mu);
    if (n < created) {
      pthread_mutex_unlock(&create_mu);
      await_ack();
      continue;
    }
    /* Before starting is cleared: the next creation of a thread takes the installed handler
     * for the host's. */
    remove_set_mask();
    starting = false;
    pthread_mutex_unlock(&create_mu);
    return;
  }
}

void threads_lock(void) { pthread_mutex_lock(&create_mu); }
void threads_unlock(void) { pthread_mutex_unlock(&create_mu); }
