/* Copies by way of page-locked memory. */
#ifndef MGPU_FASTPATH_DOWNLOAD_H
#define MGPU_FASTPATH_DOWNLOAD_H

#include <stdint.h>

/* What mgpu.staged begins with; layout.go compares the two. */
struct staged {
  struct blocking_call {
    uintptr_t fn;
    uintptr_t arg[5];
  } copy, wait; /* driver.Blocking */
  uintptr_t dst, pinned;
  uint64_t bytes;
  uint64_t behind; /* 1: behind work that is waited for first */
};

/* The address of the function that makes the copy of a struct staged: a
 * driver.Blocking whose first argument is the address of that. */
uintptr_t download_function(void);

#endif
