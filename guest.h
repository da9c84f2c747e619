/* The Go runtime as a guest in someone else's process: what entry.c and
 * export.go use of guest.c or, in a plain build, of guest_plain.c. */
#ifndef MGPU_GUEST_H
#define MGPU_GUEST_H

#include <stdbool.h>
#include <stdint.h>

#include "calls.h"

/* Prepares the calling thread, and at the process's first call the Go runtime;
 * calls_here is there afterwards. call is the function to blame: where Go can't be entered, false comes back and one line about it has been
 * printed. Leaves errno, the signal mask, the alternate stack and every signal
 * disposition as they were. */
bool guest_first(const char *call);

/* Whether the calling thread may call into Go. */
static inline bool guest_enter(const char *call) {
  return __builtin_expect(calls_here != NULL, true) || guest_first(call);
}

/* Whether exit() has begun. */
bool guest_exiting(void);

/* Prints "'<call>' failed with '<why>'" in one write, from any context. */
void guest_fail(const char *call, const char *why);

/* image.c */

/* A number that is never the same again once the shared object that holds addr
 * has left the process and another one lies there: 0 in the main program, else
 * how many objects were loaded so far. UINT64_MAX: no object holds addr, so
 * nothing is known. */
uint64_t image_generation(uintptr_t addr);

/* Whether [addr, addr+n) lies in one read-only loaded segment of an object. */
bool image_is_stable(uintptr_t addr, uintptr_t n);

/* wait.c */

/* Waits for ns nanoseconds; the other arguments are there for the form of
 * driver.Blocking's function. */
int32_t wait_nanoseconds(uintptr_t ns, uintptr_t, uintptr_t, uintptr_t,
                         uintptr_t);

/* The address of wait_nanoseconds, which Go has no other way to name. */
uintptr_t wait_function(void);

#endif
