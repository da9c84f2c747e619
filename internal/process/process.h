/* What C asks about the host process. */
#ifndef MGPU_PROCESS_H
#define MGPU_PROCESS_H

#include <stdbool.h>
#include <stdint.h>

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
