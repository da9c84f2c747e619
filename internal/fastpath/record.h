/* Calls that are recorded instead of being made: see mgpu/recorder.go. */
#ifndef MGPU_FASTPATH_RECORD_H
#define MGPU_FASTPATH_RECORD_H

#include <stdbool.h>
#include <stdint.h>

#include "thread.h"
#include "replay.h"

/* The number of the recording that the calling thread's calls go to, 0: none. */
static inline uintptr_t recording(void) { return this_thread->recording; }

/* The thread's recording is over. */
static inline void recording_over(void) {
  this_thread->recording = 0;
  this_thread->replay = NULL;
}

/* What Go made of a call. */
enum { made_not_yet = 0, was_recorded = 1, recording_is_over = -1 };

/* Leaves a function of entry.c if its call is recorded and not only noted; what follows
 * makes it. call tells whether that is so, with id being the recording. */
#define RECORD(call)                                                           \
  do {                                                                         \
    uintptr_t id = recording();                                                \
    if (__builtin_expect(id != 0, 0)) {                                        \
      int32_t is_ = (call);                                                    \
      if (is_ == was_recorded && !this_thread->notes)                          \
        return;                                                                \
      if (is_ == recording_is_over)                                            \
        recording_over();                                                      \
    }                                                                          \
  } while (0)

/* Ends the recording before a call that can't be recorded. */
#define NOT_RECORDED(name)                                                     \
  do {                                                                         \
    uintptr_t id = recording();                                                \
    if (__builtin_expect(id != 0, 0)) {                                        \
      goRecordEnd(id, (char *)#name);                                          \
      recording_over();                                                        \
    }                                                                          \
  } while (0)

#endif
