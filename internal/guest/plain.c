//go:build !(linux && amd64) || mgpu_plain

/* The plain entry layer: the Go runtime as every Go shared library has it,
 * started by the loader, with Go's signal handlers. For architectures that
 * guest.c does not know, and to compare with (make GUEST=plain). */

#include "guest.h"

#include <pthread.h>
#include <stdlib.h>

#include "cancel.h"

static pthread_once_t once = PTHREAD_ONCE_INIT;
static bool started, exiting;

static void at_exit(void) {
  __atomic_store_n(&exiting, true, __ATOMIC_SEQ_CST);
}

static void start(void) {
  guest_library.start();
  atexit(at_exit);
  __atomic_store_n(&started, true, __ATOMIC_RELEASE);
}

static bool first(const char *call) {
  if (!guest_library.attach()) {
    guest_fail(call, "out of memory");
    return false;
  }
  pthread_once(&once, start);
  guest_library.adopted();
  return true;
}

bool guest_first(const char *call) {
  struct cancel was = cancel_disable();
  bool ok = first(call);
  cancel_restore(was);
  return ok;
}

bool guest_forked(void) { return false; }

bool guest_exiting(void) { return __atomic_load_n(&exiting, __ATOMIC_RELAXED); }

__attribute__((destructor)) static void finish(void) {
  if (__atomic_load_n(&started, __ATOMIC_ACQUIRE))
    guest_library.end();
}
