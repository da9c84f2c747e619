/* The primary context of the calling thread's current device. Calls of libcuda are made in
 * it. */
#ifndef MGPU_CUDA_CONTEXT_H
#define MGPU_CUDA_CONTEXT_H

#include "table.h"

/* Makes the context current until context_leave. The result is a status as in
 * internal/gpuapi/api.h. */
cuda_status context_enter(table *t, bool *pushed);
static inline void context_leave(table *t, bool pushed) {
  CUcontext popped;
  if (__builtin_expect(pushed, 0))
    (void)t->cuCtxPopCurrent_v2(&popped);
}

/* Makes a call in the context. The result is libcuda's status, or that of context_enter. */
#define CALL(t, call)                                                          \
  ({                                                                           \
    bool pushed;                                                               \
    cuda_status called = context_enter((t), &pushed);                          \
    if (__builtin_expect(called == cuda_success, 1)) {                         \
      called = (t)->call;                                                      \
      context_leave((t), pushed);                                              \
    }                                                                          \
    called;                                                                    \
  })

#endif
