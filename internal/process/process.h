/* Access to the host process. */
#ifndef MGPU_PROCESS_H
#define MGPU_PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* environment.c */

/* Copies the environment at the first call, and returns the copy: "NAME=value" strings, then
 * NULL. Every first call of a thread calls this before anything else. */
char **environment_read(void);

/* Returns a variable's value, NULL if it is not set. The value is from the copy, or from the
 * environment itself in calls that precede the first one and don't count as one. The value
 * of a copied variable stays valid. */
const char *environment_get(const char *name);

/* Reports whether a variable has a value. */
bool environment_has(const char *name, const char *value);

/* Reports whether the first failure ends the process, by MGPU_ON_ERROR. */
bool failures_abort(void);

/* image.c */

/* Results of image_compare. */
enum image_comparison { image_same, image_differs, image_unreadable };

/* Compares the image at addr with n bytes at copy. An image in a loaded object is read in
 * place. Another image is read by a system call; if that fails, the result is
 * image_unreadable. */
enum image_comparison image_compare(uintptr_t addr, uintptr_t copy, size_t n);

/* Reports whether image_compare finds image_same. */
bool image_holds(uintptr_t addr, uintptr_t copy, size_t n);

/* Reports whether [addr, addr+n) is inside one read-only loaded segment of an object. */
bool image_is_stable(uintptr_t addr, uintptr_t n);

/* constructor.c */

/* Reports whether from, a return address, is in a global constructor. */
bool constructor_calls(uintptr_t from);

/* symbol.c */

/* Reports whether a loaded object defines a function. */
bool symbol_is_defined(const char *name);

/* wait.c */

/* Waits for ns nanoseconds. The further parameters make it usable as a driver.Blocking. */
int32_t wait_nanoseconds(uintptr_t ns, uintptr_t, uintptr_t, uintptr_t,
                         uintptr_t);

/* Returns the address of wait_nanoseconds, for Go. */
uintptr_t wait_function(void);

#endif
