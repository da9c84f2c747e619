/* Functions for all programs of this folder. */
#ifndef HIP_H
#define HIP_H

#define __HIP_PLATFORM_AMD__
#include <hip/hip_runtime_api.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../internal/chost/module.h"

/* Ends the program if a call fails. */
#define CHECK(call)                                                            \
  do {                                                                         \
    hipError_t error_ = (call);                                                \
    if (error_ != hipSuccess) {                                                \
      printf("%s: %s\n", #call, hipGetErrorName(error_));                      \
      exit(1);                                                                 \
    }                                                                          \
  } while (0)

#define EXPECT(condition)                                                      \
  do {                                                                         \
    if (!(condition)) {                                                        \
      printf("line %d: not %s\n", __LINE__, #condition);                       \
      exit(1);                                                                 \
    }                                                                          \
  } while (0)

/* Loads the module that the environment variable MODULE names. */
static inline hipModule_t module(void) {
  hipModule_t m;
  CHECK(hipModuleLoadData(&m, read_module(getenv("MODULE"))));
  return m;
}

static inline hipFunction_t function(hipModule_t m, const char *name) {
  hipFunction_t f;
  CHECK(hipModuleGetFunction(&f, m, name));
  return f;
}

/* Launches a function with one axis. */
static inline void launch(hipFunction_t f, unsigned groups, unsigned items,
                          hipStream_t s, void **arguments) {
  CHECK(hipModuleLaunchKernel(f, groups, 1, 1, items, 1, 1, 0, s, arguments,
                              NULL));
}

#endif
