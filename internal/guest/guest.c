//go:build linux && amd64 && !mgpu_plain

/* Runs Go in a host process without side effects on the host.
 *
 * A Go shared library starts its runtime from an ELF constructor, takes over signals for the
 * whole process, and reads its settings from the user's environment. A library that is
 * preloaded into shells and linked into other people's programs must do none of that. This
 * file and the files that it calls are between the library's C functions and its Go exports:
 *
 *   - nothing happens before the first mgpu call (start.c);
 *   - at a thread's first call Go adopts the thread and changes its signal mask and
 *     alternate stack: guest_first restores both;
 *   - threads that Go creates for itself take no asynchronous signals
 *     (threads.c);
 *   - no thread is cancelled within Go or while it holds a lock (cancel.c);
 *   - a child of fork has no Go threads, so it must not enter Go (after_fork_in_child).
 *
 * Lock order: first_mu, then create_mu of threads.c. first_mu is held while the runtime
 * starts and while Go adopts a thread, create_mu while a Go thread is created. Neither is
 * held during the call itself.
 *
 * The library must be linked with -E=mgpu_late_entry, --wrap=pthread_create and
 * --wrap=crosscall2. Without the first, the runtime starts from the constructor as in any
 * Go library, and this file only does the work per thread. */

#define _GNU_SOURCE
#include "start.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>

#include "_cgo_export.h"
#include "cancel.h"

static pthread_mutex_t first_mu = PTHREAD_MUTEX_INITIALIZER;

static bool started; /* the runtime runs; guarded by first_mu */
static bool forked;  /* the runtime had started in the parent process */
static bool exiting;

static int exit_status;

static void note_exit(int status, void *unused) {
  (void)unused;
  exit_status = status;
  __atomic_store_n(&exiting, true, __ATOMIC_SEQ_CST);
}

/*---- Fork ------------------------------------------------------------------
 *
 * Only the forking thread lives on in the child. A runtime that had started is dead
 * there, and a call into it would hang. The fork happens under the locks, so that no
 * thread that the child lacks holds them. */

static void before_fork(void) {
  pthread_mutex_lock(&first_mu);
  threads_lock();
}

static void after_fork_in_parent(void) {
  threads_unlock();
  pthread_mutex_unlock(&first_mu);
}

static void after_fork_in_child(void) {
  after_fork_in_parent();
  if (started)
    forked = true;
  failures_forked();
  guest_library.forget(); /* the next call goes through guest_first */
}

/* Registers the fork handlers, once. Called by this library's constructor and by a first
 * call, since constructors of other libraries may call in before. */
static void watch_forks(void) {
  static bool done;
  if (!__atomic_exchange_n(&done, true, __ATOMIC_SEQ_CST))
    pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child);
}

__attribute__((constructor)) static void loaded(void) { watch_forks(); }

/*---- Threads of the host ---------------------------------------------------*/

static bool first_call(const char *call) {
  if (forked) {
    if (!guest_exiting()) /* exit prints nothing */
      guest_fail(call, "process forked after the GPU runtime had started; "
                       "the child may only exec");
    return false;
  }
  if (!guest_library.attach()) {
    guest_fail(call, "out of memory");
    return false;
  }
  int err = errno;
  const char *why = signals_refused();
  if (why != NULL) {
    guest_library.detach();
    guest_fail(call, why);
    errno = err;
    return false;
  }
  watch_forks();
  /* When Go adopts a thread, it unblocks signals, and gives the thread an alternate stack of
   * 32 KiB if it has none. */
  sigset_t all, mask;
  stack_t alternate;
  sigfillset(&all);
  sigaltstack(NULL, &alternate);
  pthread_sigmask(SIG_SETMASK, &all, &mask);
  /* One thread at a time: if Go adopts 500 threads at once, they spin for a second. */
  pthread_mutex_lock(&first_mu);
  if (!started && (why = start_runtime()) == NULL) {
    on_exit(note_exit, NULL);
    __atomic_store_n(&started, true, __ATOMIC_RELEASE);
  }
  /* A host's handler without SA_ONSTACK runs on the interrupted stack. A goroutine's stack
   * has 8 KiB until it is enlarged here. */
  if (why == NULL) {
    goAdopted();
    guest_library.adopted();
  }
  pthread_mutex_unlock(&first_mu);
  if (why == NULL)
    cancel_watch_exit();
  if (alternate.ss_flags & SS_DISABLE)
    sigaltstack(&(stack_t){.ss_flags = SS_DISABLE}, NULL);
  pthread_sigmask(SIG_SETMASK, &mask, NULL);
  if (why != NULL) {
    guest_library.detach(); /* the next call tries again */
    guest_fail(call, why);
  }
  errno = err;
  return why == NULL;
}

__attribute__((noinline, cold)) bool guest_first(const char *call) {
  struct cancel was = cancel_disable();
  bool ok = first_call(call);
  cancel_restore(was);
  return ok;
}

bool guest_started(void) { return __atomic_load_n(&started, __ATOMIC_ACQUIRE); }

bool guest_forked(void) { return forked; }

bool guest_exiting(void) { return __atomic_load_n(&exiting, __ATOMIC_RELAXED); }

/* Runs after the program's last calls: exit runs destructors after all exit handlers, and
 * those of the program before those of the libraries that it needs. */
__attribute__((destructor)) static void finish(void) {
  if (!__atomic_load_n(&started, __ATOMIC_ACQUIRE) || forked)
    return;
  if (guest_library.attached() || first_call("exit"))
    end_library(exit_status);
}
