//go:build linux && amd64 && !mgpu_plain

/* Saves and restores the host's signal dispositions around the start of Go. */

#define _GNU_SOURCE
#include "start.h"

#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

int kernel_action(int sig, const struct kernel_action *set,
                  struct kernel_action *get) {
  return (int)syscall(SYS_rt_sigaction, sig, set, get, sizeof set->mask);
}

/* A signal's disposition, from the C library and from the kernel. They differ under
 * sanitizers, which do not pass the host's handlers to the kernel, and by a flag that the C
 * library adds. */
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

const char *signals_refused(void) {
  stack_t stack;
  sigset_t mask;
  struct kernel_action action;
  if (sigaltstack(NULL, &stack) != 0)
    return "Go's runtime needs sigaltstack, which the system forbids";
  if (sigprocmask(SIG_BLOCK, NULL, &mask) != 0)
    return "Go's runtime needs rt_sigprocmask, which the system forbids";
  if (kernel_action(SIGUSR1, NULL, &action) != 0)
    return "Go's runtime needs rt_sigaction, which the system forbids";
  return NULL;
}

enum { signals = 65 }; /* Linux numbers them 1 to 64 */

/* Reports whether the C library itself uses the signal: for cancellation, and to change user
 * IDs in all threads. */
static bool libc_uses(int sig) { return sig >= 32 && sig < SIGRTMIN; }

static bool is_default(const struct disposition *d) {
  return (uintptr_t)d->kernel.handler == (uintptr_t)SIG_DFL;
}

static struct disposition host[signals];

void signals_save(void) {
  for (int s = 1; s < signals; s++)
    save(s, &host[s]);
}

void signals_restore(void) {
  for (int s = 1; s < signals; s++) {
    if (s == SIGCHLD || s == SIGKILL || s == SIGSTOP)
      continue;
    /* The C library installs its handlers once, at the process's first pthread_create, which
     * may be Go's, and at the first pthread_cancel. Without them a setuid or a cancellation
     * kills the process. */
    if (libc_uses(s) && is_default(&host[s]))
      continue;
    restore(s, &host[s]);
  }
}
