/* Calls of a recording that are those of the recording before: see replay.c. */
#ifndef MGPU_FASTPATH_REPLAY_H
#define MGPU_FASTPATH_REPLAY_H

#include <stdbool.h>
#include <stdint.h>

#include "layout.h"

/* Whether the call of the calling thread, whose recording has the number, is the one
 * that came next the last time. Otherwise it is Go's to record. */
bool replay_launch(uintptr_t recording, const struct launch *l);
bool replay_synchronize(uintptr_t recording, uintptr_t stream);
bool replay_create(uintptr_t recording, uintptr_t stream);

/* Whether parts of the thread's recording were launched on the stream. */
bool replay_uses(uintptr_t stream);

#endif
