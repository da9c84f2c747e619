/* Calls that are recorded instead of being made: see mgpu/internal/region. entry.c includes
 * this file after the Go exports. */
#ifndef MGPU_FASTPATH_RECORD_H
#define MGPU_FASTPATH_RECORD_H

#include <stddef.h>
#include <stdint.h>

#include "thread.h"
#include "trace.h"

/* Returns the number of the recording for the calling thread's calls; 0: none. */
static inline uintptr_t recording(void) { return this_thread->recording; }

/* Ends recording on the calling thread: further calls are made. */
static inline void recording_over(void) { this_thread->recording = 0; }

/* Results of Go's record functions. After call_not_recorded the caller makes the call, and
 * the recording continues. */
enum { call_not_recorded = 0, call_recorded = 1, recording_ended = -1 };

/* Declares the recording of the calling thread; 0: none. */
#define RECORDING_IS(id) const uintptr_t id = recording()

/* Records a call and returns from a function of entry.c, unless the call still has to be
 * made. result is the expression that records, with id as the recording. */
#define RECORD(result)                                                         \
  do {                                                                         \
    if (__builtin_expect(id != 0, 0)) {                                        \
      int32_t result_ = (result);                                              \
      if (result_ == call_recorded && !this_thread->notes) {                   \
        TRACE_WAY(trace_recorded);                                             \
        return;                                                                \
      }                                                                        \
      if (result_ == recording_ended)                                          \
        recording_over();                                                      \
    }                                                                          \
  } while (0)

/* Ends the recording before a call that can't be recorded. */
#define NOT_RECORDED(name)                                                     \
  do {                                                                         \
    uintptr_t ended_ = recording();                                            \
    if (__builtin_expect(ended_ != 0, 0)) {                                    \
      goRecordEnd(ended_, (char *)#name);                                      \
      recording_over();                                                        \
    }                                                                          \
  } while (0)

#endif
