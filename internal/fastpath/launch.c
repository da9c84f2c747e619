/* Launches without entering Go. C calls the driver's function, and counts the submission in
 * the stream's entry, which Go's pool reads.
 *
 * C makes only common launches: without dynamic workgroup memory, on a stream of the pool.
 * Go makes all others, and handles every failure. */

#include "launch.h"

#include <stddef.h>

#include "driver.h"
#include "kernels.h"
#include "onenode.h"
#include "stream.h"
#include "thread.h"
#include "trace.h"
#include "tune.h"

#include "_cgo_export.h"

HOT int32_t launch_plain(const struct launch *l) {
  return driver.launch(
      driver.self, l->function, (uint32_t)l->grid[0], (uint32_t)l->grid[1],
      (uint32_t)l->grid[2], (uint32_t)l->block[0], (uint32_t)l->block[1],
      (uint32_t)l->block[2], 0, l->stream, l->params, l->extra);
}

/* Makes the launch, by graph if that is cheaper. Times it if calls are timed, or if plain
 * launches are being compared with launches by graph. */
HOT static int32_t launch_cheaper(const struct launch *l,
                                  const struct pool_entry *e,
                                  struct onenode_launched *launched) {
  uint64_t from = driver.watched ? monotonic_ns() : 0;
  int32_t status = 0;
  uint32_t way = trace_graph;
  if (!onenode_enabled || !onenode_launch(l, e, launched)) {
    way = trace_launch;
    bool measured = onenode_enabled && tune_measures_plain();
    uint64_t measured_from = __builtin_expect(measured, 0) ? monotonic_ns() : 0;
    status = launch_plain(l);
    if (__builtin_expect(measured, 0))
      tune_launched(measured_from, monotonic_ns(), l->stream, status == 0);
  }
  if (__builtin_expect(driver.timed, 0)) {
    thread_count(&this_thread->driver_ns[call_mgpuLaunchKernel],
                 monotonic_ns() - from);
    if (status == 0)
      kernels_count(l, way == trace_graph);
  }
  if (__builtin_expect(driver.traced, 0))
    trace_driver_call(way, from);
  return status;
}

HOT bool launch_kernel(const struct launch *l) {
  uint64_t word, submission;
  struct pool_entry *e;
  if (!driver_offered() || l->stream == 0 ||
      (e = stream_live_entry(l->stream, &word)) == NULL || l->shared != 0 ||
      !launch_dims_fit(l->grid) || !launch_dims_fit(l->block) ||
      (submission = stream_begin_submission(e, word)) == 0)
    return false;
  struct onenode_launched launched = {1, NULL};
  int32_t status =
      driver.simple ? launch_plain(l) : launch_cheaper(l, e, &launched);
  stream_end_submission(e, submission);
  if (launched.submission != NULL)
    *launched.submission = latest_submission(submission);
  thread_count(&this_thread->driver_calls[call_mgpuLaunchKernel],
               launched.calls);
  if (__builtin_expect(status != 0, 0))
    goLaunchFailed(l->function, status);
  return true;
}
