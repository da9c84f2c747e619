/* The table of libcuda's functions, and how calls are made through it. */
#ifndef MGPU_CUDA_TABLE_H
#define MGPU_CUDA_TABLE_H

#include "calls.h"

#include <pthread.h>

/* The table: a pointer per row. */
struct cuda {
#define SYMBOL(need, result, name, params) result(*name) params;
#include "symbols.h"
#undef SYMBOL
  int devices;
  CUcontext *primary; /* by device; NULL until it is retained, which is once */
  pthread_mutex_t retaining;
  cuda *next;
};

/* The rows' numbers. */
enum {
#define SYMBOL(need, result, name, params) row_##name,
#include "symbols.h"
#undef SYMBOL
  rows
};

static inline struct cuda_value given(cuda_status status, uintptr_t value) {
  return (struct cuda_value){status == cuda_success ? value : 0,
                             (int32_t)status};
}

/* A failure of a call that was made on the way to another one: the row of the one
 * to blame above 16 bits of its status. */
static inline cuda_status blame(int i, cuda_status status) {
  return status == cuda_success ? 0 : (unsigned)i << 16 | (status & 0xffff);
}

/* Makes the context of the thread's device current until cuda_leave. */
cuda_status cuda_enter(cuda *c, int *pushed);
void cuda_leave(cuda *c, int pushed);

/* Makes a call in the context of the thread's device. */
#define IN_CONTEXT(c, call)                                                    \
  ({                                                                           \
    int pushed;                                                                \
    cuda_status entered = cuda_enter((c), &pushed);                            \
    if (__builtin_expect(entered == cuda_success, 1)) {                        \
      entered = (c)->call;                                                     \
      cuda_leave((c), pushed);                                                 \
    }                                                                          \
    entered;                                                                   \
  })

#endif
