#define _GNU_SOURCE
#include "process.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "../fakehip.h"
#include "call.h"
#include "cost.h"
#include "device.h"
#include "fault.h"
#include "memory.h"
#include "object.h"
#include "option.h"
#include "violation.h"

enum { strict_status = 86 };

static bool forked;

/* At exit the program's status is told by an exit handler, and the report is written by a destructor; which of them comes
 * first depends on whether the library was linked or opened. The later one ends the process. */
static struct {
  bool told, reported;
  int status;
  uint64_t violations;
} end;

static void finish(void) {
  if (!end.told || !end.reported || end.status != 0 || end.violations == 0 ||
      !option_set("FAKEHIP_STRICT"))
    return;
  fflush(NULL);
  _exit(strict_status);
}

static void in_child(void) { forked = true; }

static void tell_status(int status, void *unused) {
  (void)unused;
  end.told = true;
  end.status = status;
  finish();
}

__attribute__((constructor)) static void configure(void) {
  violation_configure();
  fault_configure();
  cost_configure();
  device_configure();
  const char *trace = getenv("FAKEHIP_TRACE");
  if (trace && *trace)
    call_trace(trace);
  pthread_atfork(NULL, NULL, in_child);
  on_exit(tell_status, NULL);
}

bool process_forked(void) {
  if (forked)
    violation(
        violation_fork,
        "called in the child of a fork: a GPU's runtime does not survive one");
  return forked;
}

uint64_t fakehip_report(void) {
  call_current = "exit";
  object_report_leaks();
  memory_report_leaks();
  call_current = "-";
  const char *path = getenv("FAKEHIP_COUNTS");
  if (path && *path)
    call_write_counts(path);
  return violation_count();
}

/* Runs after the exit handlers and the destructors of the program. */
__attribute__((destructor)) static void report(void) {
  if (forked)
    return;
  end.violations = fakehip_report();
  end.reported = true;
  finish();
}
