/* Calls of a recording that are those of the recording before: see replay.c. */
#ifndef MGPU_FASTPATH_REPLAY_H
#define MGPU_FASTPATH_REPLAY_H

#include <stdbool.h>
#include <stdint.h>

#include "launch.h"

/* What launchgraph.Replay and launchgraph.Replayed say; layout.go compares. */
struct replay {
  uint64_t next; /* calls that were the same; beyond count: no more will be */
  uint64_t count;
  uintptr_t calls;
  uintptr_t values;
  uint64_t border;
  uintptr_t on;
  uint64_t unawaited; /* work from before that a wait may be for */
};

struct replayed {
  uint32_t kind, nodes, first, shared;
  uint32_t grid[3], block[3];
  uintptr_t stream, what;
  uintptr_t sizes;
  uint32_t params, values;
  uint64_t before; /* Go's */
};

enum { replayed_launch = 1, replayed_synchronize = 2, replayed_create = 3 };

/* Whether the call of the calling thread, whose recording has the number, is the one
 * that came next the last time. Otherwise it is Go's to record. */
bool replay_launch(uintptr_t recording, const struct launch *l);
bool replay_synchronize(uintptr_t recording, uintptr_t stream);
bool replay_create(uintptr_t recording, uintptr_t stream);

/* Whether parts of the thread's recording were launched on the stream. */
bool replay_uses(uintptr_t stream);

#endif
