/* Shared by entry.c and entry_extensions.c. */
#ifndef MGPU_ENTRY_H
#define MGPU_ENTRY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "guest.h"
#include "layout.h"
#include "mgpu_runtime.h"
#include "reset.h"
#include "thread.h"
#include "trace.h"

#define API __attribute__((visibility("default")))

/* Prepares a thread for Go at its first call. Returns false if Go can't be entered. */
bool first_call(const char *call) __attribute__((visibility("hidden")));

/* Prepares the calling thread for Go. Returns false if Go can't be entered. */
static inline bool guest_enter(const char *call) {
  return __builtin_expect(this_thread != NULL, true) || first_call(call);
}

/* Begins the entry of a function according to its row in include/mgpu_calls.def; the
 * generated calls.h has the code for each function. In functions that regions record or end
 * recordings for, it declares id, the recording of the calling thread; a function that
 * ignores id does not compile. */
#define ENTER(call) ENTER_##call

/* Counts a call, and records it if calls are recorded. If Go can't be entered, returns the
 * given value from the function. */
#define CALL_BEGINS(call, fails)                                               \
  do {                                                                         \
    if (!guest_enter(#call))                                                   \
      return fails;                                                            \
    count_call(call_##call);                                                   \
  } while (0);                                                                 \
  TRACE_CALL(call)

/* Returns the session of the thread's innermost scope, 0 if none is open. */
static inline uintptr_t session(void) {
  uint32_t n = this_thread->scopes_open;
  return n == 0 ? 0 : this_thread->scopes[n - 1].session;
}

/* Makes each call that creates or releases something from now on tell Go. */
void note_resources(void) __attribute__((visibility("hidden")));

/* Makes the driver call that Go has left to C. Then Go ends the mgpu call. */
void finish_call(struct wait *w) __attribute__((visibility("hidden")));

#endif
