//go:build linux && amd64 && !mgpu_plain

/* Keeping the Go runtime unnoticed in the host.
 *
 * A Go shared library starts its runtime from an ELF constructor, takes over
 * signals for the whole process, and reads its settings from the user's
 * environment. In a library that is preloaded into shells and linked into other
 * people's programs none of that may happen. This file, and what it calls, stands
 * between the C ABI (the library's C functions) and Go (export.go):
 *
 *   - nothing happens before the first mgpu call (start.c), not even the
 *     relocation of Go's data (relocate.c);
 *   - at a thread's first call Go adopts the thread, which changes its signal
 *     mask and alternate stack: both are put back (guest_first);
 *   - threads that Go creates for itself take no asynchronous signals
 *     (threads.c);
 *   - no thread is cancelled within Go or while it holds a lock (cancel.c);
 *   - a child of fork has no Go threads, so it must not enter Go (in_child).
 *
 * Lock order: first_mu, that of threads.c. first_mu is held while the runtime
 * starts and while Go adopts a thread, the other while a Go thread is created.
 * Neither is held during an mgpu call proper.
 *
 * The library must be linked with -E=mgpu_late_entry, --wrap=pthread_create and
 * --wrap=crosscall2. Without the first the runtime starts from the
 * constructor as in any Go library and only the work per thread is done here. */

#define _GNU_SOURCE
#include "start.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>

#include "_cgo_export.h"
#include "cancel.h"

static pthread_mutex_t first_mu = PTHREAD_MUTEX_INITIALIZER;

static bool started; /* the runtime runs; under first_mu */
static bool forked;  /* this process is a child of one that had started it */
static bool exiting;

static void at_exit(void) {
  __atomic_store_n(&exiting, true, __ATOMIC_SEQ_CST);
}

/*---- Fork ------------------------------------------------------------------
 *
 * Only the forking thread lives on in the child, so a runtime that had started
 * is dead there and a call into it would hang. The locks are taken before the
 * fork so that the child does not inherit them from a thread it lacks. */

static void before_fork(void) {
  pthread_mutex_lock(&first_mu);
  threads_hold();
}

static void in_parent(void) {
  threads_release();
  pthread_mutex_unlock(&first_mu);
}

static void in_child(void) {
  in_parent();
  if (started)
    forked = true;
  guest_library.forget(); /* so that every thread comes through guest_first */
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

static bool first(const char *call) {
  if (forked) {
    if (!guest_exiting()) /* exit is silent */
      guest_fail(call, "process forked after the GPU runtime had started; "
                       "the child may only exec");
    return false;
  }
  if (!guest_library.attach()) {
    guest_fail(call, "out of memory");
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
  const char *why = NULL;
  if (!started && (why = start_runtime()) == NULL) {
    atexit(at_exit);
    __atomic_store_n(&started, true, __ATOMIC_RELEASE);
  }
  /* A host's handler without SA_ONSTACK runs on whatever stack it interrupts; a
   * goroutine's has 8 KiB unless it is made larger here. */
  if (why == NULL) {
    goGrowStack();
    guest_library.adopted();
  }
  pthread_mutex_unlock(&first_mu);
  if (alternate.ss_flags & SS_DISABLE)
    sigaltstack(&(stack_t){.ss_flags = SS_DISABLE}, NULL);
  pthread_sigmask(SIG_SETMASK, &mask, NULL);
  if (why != NULL) {
    guest_library.detach(); /* so that the next call comes here too */
    guest_fail(call, why);
  }
  errno = err;
  return why == NULL;
}

__attribute__((noinline, cold)) bool guest_first(const char *call) {
  struct cancel was = cancel_disable();
  bool ok = first(call);
  cancel_restore(was);
  return ok;
}

bool guest_forked(void) { return forked; }

bool guest_exiting(void) { return __atomic_load_n(&exiting, __ATOMIC_RELAXED); }

/* Exit runs destructors after all exit handlers, the program's own before those
 * of the libraries it needs, so this sees the program's last calls. */
__attribute__((destructor)) static void finish(void) {
  if (!__atomic_load_n(&started, __ATOMIC_ACQUIRE) || forked)
    return;
  if (guest_library.attached() || first("exit"))
    guest_library.end();
}
