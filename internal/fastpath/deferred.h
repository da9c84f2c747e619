/* Modules that global constructors load: remembered, and loaded when the program asks
 * for a function. */
#ifndef MGPU_FASTPATH_DEFERRED_H
#define MGPU_FASTPATH_DEFERRED_H

#include <stdbool.h>
#include <stdint.h>

/* Remembers an image for the compiler level opt, or no_compiler, and returns a handle of
 * its own for it; 0 where there is no memory. The image must stay where it is. */
uintptr_t deferred_load(uintptr_t image, int32_t opt);

/* Returns the module of a handle, loading it by load at the first call; any other handle
 * is returned as it is. After a load that failed it is 0. Threads that ask meanwhile wait. */
uintptr_t deferred_module(uintptr_t handle,
                          uintptr_t (*load)(uintptr_t image, int32_t opt));

/* Drops an image that was never loaded, and returns true. Otherwise sets *handle to the
 * module that has to be unloaded. */
bool deferred_unload(uintptr_t *handle);

#endif
