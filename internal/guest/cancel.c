/* Enters Go, with the thread's cancellation disabled meanwhile.
 *
 * pthread_cancel ends a thread by unwinding its stack, at the next cancellation point or,
 * if its type is asynchronous, anywhere. Go's frames can't be unwound: Go's scheduler would
 * wait for the thread for ever, and so would threads that need its locks. Code that Go
 * calls also has cancellation points: a driver that reads a file, the C streams to which
 * kernels print, the creation of a thread.
 *
 * cgo's exports enter Go through crosscall2. The library is linked with
 * --wrap=crosscall2, so that they enter through this file.
 *
 * A signal handler may interrupt Go and call exit, as many handlers of SIGINT do. The
 * library's destructor and the program's own must not enter Go on that thread then: Go would
 * end the process with its own message. */

#include "cancel.h"

#include <stdbool.h>

/* Weak, so that a program that is linked without --wrap=crosscall2 still links. */
void __real_crosscall2(void (*)(void *), void *, int, size_t)
    __attribute__((weak));
void __wrap_crosscall2(void (*)(void *), void *, int, size_t);

static __thread bool in_go __attribute__((tls_model("initial-exec")));
static __thread bool barred __attribute__((tls_model("initial-exec")));

/* Runs before all exit handlers on the thread that calls exit, and when a thread ends. */
static void bar(void *unused) {
  (void)unused;
  barred = in_go;
}

extern void *__dso_handle __attribute__((visibility("hidden")));
int __cxa_thread_atexit_impl(void (*)(void *), void *, void *);

void cancel_watch_exit(void) {
  __cxa_thread_atexit_impl(bar, NULL, &__dso_handle);
}

void __wrap_crosscall2(void (*fn)(void *), void *arguments, int size,
                       size_t context) {
  if (barred)
    return; /* the results are zero */
  bool nested = in_go;
  struct cancel was = cancel_disable();
  in_go = true;
  __real_crosscall2(fn, arguments, size, context);
  in_go = nested;
  cancel_restore(was);
}
