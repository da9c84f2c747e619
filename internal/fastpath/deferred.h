/* Modules that global constructors load. They are loaded when the program looks up a
 * function. */
#ifndef MGPU_FASTPATH_DEFERRED_H
#define MGPU_FASTPATH_DEFERRED_H

#include <stdbool.h>
#include <stdint.h>

/* Notes an image for the compiler level opt, or no_compiler, and returns a new handle for
 * it; 0 if out of memory. The image must stay in place. */
uintptr_t deferred_load(uintptr_t image, int32_t opt);

/* Returns the module of a handle. The first call loads it by load; other threads wait
 * meanwhile. Returns 0 after a failed load. A handle from elsewhere is returned unchanged. */
uintptr_t deferred_module(uintptr_t handle,
                          uintptr_t (*load)(uintptr_t image, int32_t opt));

/* Drops an image that was never loaded, and returns true. Otherwise sets *handle to the
 * module to unload. */
bool deferred_unload(uintptr_t *handle);

#endif
