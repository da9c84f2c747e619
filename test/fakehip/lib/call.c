#include "call.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "../fakehip.h"
#include "cost.h"
#include "fault.h"
#include "process.h"

const char *const call_name[call_functions] = {
#define F(name, fault, parameters, arguments) #name,
#define D(name, fault, type) #name,
#define S(name) #name,
#include "functions.h"
#undef F
#undef D
#undef S
    "kernel",
    "copy",
    "fill",
};

_Thread_local const char *call_current = "-";
static _Thread_local hipError_t last_error;
static _Atomic uint64_t count[call_functions];
static _Atomic uint64_t calls;

static void (*watch)(const char *function, int over);

void fakehip_watch(void (*f)(const char *, int)) { watch = f; }

static int trace = -1;

void call_trace(const char *path) {
  trace = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (trace < 0)
    fprintf(stderr, "fakehip: FAKEHIP_TRACE: %s: %s\n", path, strerror(errno));
}

static hipError_t counted(enum function f, bool is_call) {
  uint64_t nth = atomic_fetch_add(&count[f], 1) + 1;
  uint64_t any = is_call ? atomic_fetch_add(&calls, 1) + 1 : 0;
  cost_charge(f);
  return fault_of(f, nth, any);
}

hipError_t call_begin(enum function f) {
  call_current = call_name[f];
  if (trace >= 0)
    dprintf(trace, "%s\n", call_name[f]);
  hipError_t e = counted(f, true);
  if (watch)
    watch(call_name[f], 0);
  return process_forked() ? hipErrorNotInitialized : e;
}

hipError_t call_end(enum function f, hipError_t e) {
  bool asks = f == call_hipGetLastError || f == call_hipPeekAtLastError;
  /* As with HIP 7, "not ready" is not an error. */
  if (e != hipSuccess && e != hipErrorNotReady && !asks)
    last_error = e;
  call_current = "-";
  if (watch)
    watch(call_name[f], 1);
  return e;
}

hipError_t call_last_error(bool reset) {
  hipError_t e = last_error;
  if (reset)
    last_error = hipSuccess;
  return e;
}

hipError_t call_on_stream(enum function f) { return counted(f, false); }

uint64_t call_count(enum function f) { return atomic_load(&count[f]); }

enum function call_find(const char *name, size_t length) {
  enum function f = 0;
  while (f < call_functions && (strlen(call_name[f]) != length ||
                                memcmp(call_name[f], name, length) != 0))
    f++;
  return f;
}

uint64_t fakehip_count(const char *function) {
  enum function f = call_find(function, strlen(function));
  return f < call_functions ? call_count(f) : 0;
}

void call_write_counts(const char *path) {
  FILE *out = fopen(path, "w");
  if (!out) {
    fprintf(stderr, "fakehip: FAKEHIP_COUNTS: %s: %s\n", path, strerror(errno));
    return;
  }
  for (enum function f = 0; f < call_functions; f++)
    if (call_count(f))
      fprintf(out, "%s %llu\n", call_name[f],
              (unsigned long long)call_count(f));
  fclose(out);
}

void call_clear(void) {
  for (enum function f = 0; f < call_functions; f++)
    atomic_store(&count[f], 0);
  atomic_store(&calls, 0);
}
