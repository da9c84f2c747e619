/* The table of HIP's functions. */
#ifndef MGPU_HIP_TABLE_H
#define MGPU_HIP_TABLE_H

#include "calls.h"

/* The table: a pointer per row. */
struct hip {
#define SYMBOL(need, result, name, params) result(*name) params;
#include "symbols.h"
#undef SYMBOL
  hip *next;
};

/* The rows' numbers. */
enum {
#define SYMBOL(need, result, name, params) row_##name,
#include "symbols.h"
#undef SYMBOL
  rows
};

static inline struct hip_value given(hip_status status, uintptr_t value) {
  return (struct hip_value){status == hip_success ? value : 0, (int32_t)status};
}

/* The status of a query, whose "not ready" HIP is made to forget. */
int32_t hip_queried(hip *h, hip_status status);

#endif
