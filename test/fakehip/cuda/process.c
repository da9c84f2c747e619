/* The process's life: rules and costs are read when the library is loaded; at exit it tells what was not destroyed. */
#include "../lib/process.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../lib/call.h"
#include "../lib/cost.h"
#include "../lib/fault.h"
#include "../fakehip.h"
#include "libcuda.h"

static const char *const name[live_kinds] = {"stream", "event", "module",
                                             "memory", "registration"};

static bool forked;
static _Atomic int64_t live[live_kinds], forgiven[live_kinds];

hipError_t created(enum live kind, hipError_t e) {
  if (e == hipSuccess)
    atomic_fetch_add(&live[kind], 1);
  return e;
}

hipError_t destroyed(enum live kind, hipError_t e) {
  if (e == hipSuccess)
    atomic_fetch_sub(&live[kind], 1);
  return e;
}

void forgive(enum live kind) { atomic_fetch_add(&forgiven[kind], 1); }

bool process_forked(void) { return forked; }
static void in_child(void) { forked = true; }

__attribute__((constructor)) static void configure(void) {
  fault_configure();
  cost_configure();
  pthread_atfork(NULL, NULL, in_child);
}

uint64_t fakehip_live(const char *what) {
  for (int kind = 0; kind < live_kinds; kind++)
    if (strcmp(name[kind], what) == 0)
      return (uint64_t)atomic_load(&live[kind]);
  return 0;
}

/* libcuda checks its callers itself. */
uint64_t fakehip_violations(const char *kind) {
  (void)kind;
  return 0;
}

uint64_t fakehip_report(void) {
  uint64_t leaks = 0;
  for (int kind = 0; kind < live_kinds; kind++) {
    int64_t n = atomic_load(&live[kind]) - atomic_load(&forgiven[kind]);
    if (n > 0) {
      fprintf(stderr, "fakehip: leak: exit: %lld %s%s never destroyed\n",
              (long long)n, name[kind], n == 1 ? "" : "s");
      leaks += (uint64_t)n;
    }
  }
  const char *path = getenv("FAKEHIP_COUNTS");
  if (path && *path)
    call_write_counts(path);
  return leaks;
}

/* Makes no call of libcuda, which may be unloaded. */
__attribute__((destructor)) static void finish(void) {
  if (!forked)
    fakehip_report();
}
