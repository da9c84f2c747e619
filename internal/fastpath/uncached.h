/* Calls with MGPU_CACHE=off: each is a driver call. */
#ifndef MGPU_FASTPATH_UNCACHED_H
#define MGPU_FASTPATH_UNCACHED_H

#include <stdbool.h>
#include <stdint.h>

#include "layout.h"
#include "thread.h"

/* Make a call of the ABI. Return false if Go has to make it. The value is 0 if the driver
 * refused the call. */
bool uncached_load(uintptr_t image, int32_t opt, uintptr_t *module);
bool uncached_unload(uintptr_t module);
bool uncached_function(uintptr_t module, const char *name, uintptr_t *function);
bool uncached_launch(const struct launch *l);
bool uncached_stream_create(uintptr_t *stream);
bool uncached_stream_destroy(uintptr_t stream);
bool uncached_synchronize(uintptr_t stream);
bool uncached_alloc(uint64_t bytes, uintptr_t *ptr);
bool uncached_free(uintptr_t ptr);
bool uncached_copy(uintptr_t dst, uintptr_t src, uint64_t bytes,
                   uintptr_t stream);
bool uncached_value(enum call call, uintptr_t dst, uint32_t value,
                    uint64_t count, uintptr_t stream);

/* Notifies Go of destroyed streams from now on, since it has scratch memory for them. */
void uncached_keep_scratch(void);

#endif
