/* Calls after HIP's end.
 *
 * When the process exits, HIP ends before the exit handlers and destructors that the program
 * registered before HIP was opened, such as those of global C++ objects. A call into HIP
 * would crash then. MLIR's own library is linked with HIP, which ends last there. */

#define _GNU_SOURCE
#include "calls.h"

#include <stdlib.h>

/* The library that ends first. NULL: it was in the process before. */
static table *opened;

/* HIP has waited for all work and released everything. */
static hip_status nothing_left(void) { return hip_success; }

static hip_status ended(void) { return hip_deinitialized; }

/* Replaces HIP's functions. Runs right after HIP's own exit handlers. */
static void end(int status, void *unused) {
  (void)status, (void)unused;
  table *t = opened;
  if (t == NULL)
    return;
  void **functions = (void **)&t->hipGetErrorName;
  for (int row = row_hipGetLastError; row < rows; row++)
    __atomic_store_n(&functions[row], (void *)ended, __ATOMIC_RELAXED);
  static const int done[] = {
      row_hipGetLastError, row_hipPeekAtLastError,   row_hipSetDevice,
      row_hipModuleUnload, row_hipStreamDestroy,     row_hipStreamSynchronize,
      row_hipStreamQuery,  row_hipStreamWaitEvent,   row_hipEventDestroy,
      row_hipEventRecord,  row_hipEventSynchronize,  row_hipEventQuery,
      row_hipFree,         row_hipDeviceSynchronize, row_hipHostUnregister,
      row_hipGraphDestroy, row_hipGraphExecDestroy};
  for (size_t i = 0; i < sizeof done / sizeof *done; i++)
    __atomic_store_n(&functions[done[i]], (void *)nothing_left,
                     __ATOMIC_RELAXED);
}

int hip_watch_exit(void) { return on_exit(end, NULL); }

void hip_ends_first(table *t) { opened = t; }
