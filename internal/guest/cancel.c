/* Disables a thread's cancellation while it runs Go.
 *
 * pthread_cancel ends a thread by unwinding its stack, at the next cancellation point or,
 * if its type is asynchronous, anywhere. Go's frames can't be unwound: Go's scheduler would
 * wait for the thread for ever, and so would threads that need its locks. Code that Go
 * calls also has cancellation points: a driver that reads a file, the C streams to which
 * kernels print, the creation of a thread.
 *
 * cgo's exports enter Go through crosscall2. The library is linked with
 * --wrap=crosscall2, so that they enter through this file. */

#include "cancel.h"

/* Weak, so that a program that is linked without --wrap=crosscall2 still links. */
void __real_crosscall2(void (*)(void *), void *, int, size_t)
    __attribute__((weak));
void __wrap_crosscall2(void (*)(void *), void *, int, size_t);

void __wrap_crosscall2(void (*fn)(void *), void *arguments, int size,
                       size_t context) {
  struct cancel was = cancel_disable();
  __real_crosscall2(fn, arguments, size, context);
  cancel_restore(was);
}
