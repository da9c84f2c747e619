/* Calls with Go memory, for which cgo has to see pointers. */
#ifndef MGPU_GPUAPI_MODULE_H
#define MGPU_GPUAPI_MODULE_H

#include "calls.h"

static inline struct given gpu_load(table *t, const void *image) {
  return gpu_module_load(t, (uintptr_t)image);
}

static inline struct given gpu_find(table *t, uintptr_t module,
                                    const char *name) {
  return gpu_module_function(t, module, (uintptr_t)name);
}

static inline struct given gpu_has(table *t, uintptr_t module,
                                   const char *name) {
  return gpu_module_has(t, module, (uintptr_t)name);
}

#endif
