/* Calls of a recording that repeat the calls of the recording before: see replay.c. */
#ifndef MGPU_FASTPATH_REPLAY_H
#define MGPU_FASTPATH_REPLAY_H

#include <stdbool.h>
#include <stdint.h>

#include "layout.h"

/* Each reports whether a call of the calling thread is the next one of the recording
 * before, and takes its parameters. Otherwise Go has to record the call. recording is
 * the thread's. */
bool replay_launch(uintptr_t recording, const struct launch *l);
bool replay_synchronize(uintptr_t recording, uintptr_t stream);
bool replay_create(uintptr_t recording, uintptr_t stream);

/* Reports whether parts of the thread's recording were launched on the stream. */
bool replay_uses(uintptr_t stream);

#endif
