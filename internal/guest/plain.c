//go:build !(linux && amd64) || mgpu_plain

/* Enters Go as every Go shared library does: the loader starts the runtime, with Go's signal
 * handlers. For architectures that guest.c does not support, and for comparison (make
 * GUEST=plain). */

#define _GNU_SOURCE
#include "start.h"

#include <pthread.h>
#include <stdlib.h>

#include "cancel.h"

static pthread_once_t once = PTHREAD_ONCE_INIT;
static bool started, exiting;

static int exit_status;

static void note_exit(int status, void *unused) {
  (void)unused;
  exit_status = status;
  __atomic_store_n(&exiting, true, __ATOMIC_SEQ_CST);
}

static void start(void) {
  guest_library.start();
  on_exit(note_exit, NULL);
  __atomic_store_n(&started, true, __ATOMIC_RELEASE);
}

static bool first_call(const char *call) {
  if (!guest_library.attach()) {
    guest_fail(call, "out of memory");
    return false;
  }
  pthread_once(&once, start);
  guest_library.adopted();
  cancel_watch_exit();
  return true;
}

bool guest_first(const char *call) {
  struct cancel was = cancel_disable();
  bool ok = first_call(call);
  cancel_restore(was);
  return ok;
}

bool guest_forked(void) { return false; }

bool guest_started(void) { return true; } /* a constructor has started it */

bool guest_exiting(void) { return __atomic_load_n(&exiting, __ATOMIC_RELAXED); }

__attribute__((destructor)) static void finish(void) {
  if (__atomic_load_n(&started, __ATOMIC_ACQUIRE))
    end_library(exit_status);
}

int guest_most_processors(void) { return 64; }
