/* Copies and fills on streams of the pool: the driver's function is called from here,
 * and the submission is counted as a launch's. */

#include "copy.h"

#include <stddef.h>

#include "alloc.h"
#include "direct.h"
#include "stream.h"

#include "_cgo_export.h"

/* Notes where a copy writes, unless the library allocated the memory: a free asks for it
 * later (mgpu/copy_destinations.go), and that copy is the thread's latest. Returns false if
 * there is no place to note it. */
HOT static bool note_destination(uintptr_t dst, struct noted_copy copy) {
  struct destinations *d = direct.destinations;
  if (d == NULL || alloc_holds(dst))
    return true;
  _Static_assert(destination_slots == 64, "the hash keeps six bits");
  for (unsigned i = 0; i < destination_tries; i++) {
    uintptr_t *slot =
        &d->slots[((dst * 0x9E3779B97F4A7C15u >> 58) + i) % destination_slots];
    uintptr_t old = __atomic_load_n(slot, __ATOMIC_SEQ_CST);
    if (old == dst || (old == 0 && __atomic_compare_exchange_n(
                                       slot, &old, dst, false, __ATOMIC_SEQ_CST,
                                       __ATOMIC_SEQ_CST))) {
      this_thread->noted_copy = copy;
      return true;
    }
  }
  return false;
}

HOT static bool make_call(enum call call, driver_call function, bool copies,
                          uintptr_t dst, uintptr_t what, uint64_t amount,
                          uintptr_t stream) {
  uint64_t word, submission;
  struct pool_entry *e;
  if (!direct_offered() || function == NULL || amount == 0 || stream == 0 ||
      (e = stream_live_entry(stream, &word)) == NULL ||
      (submission = stream_begin_submission(e, word)) == 0)
    return false;
  if (copies && !note_destination(dst, (struct noted_copy){
                                           e, latest_submission(submission)})) {
    stream_end_submission(e, submission);
    return false;
  }
  uint64_t from = direct_begin();
  int32_t status = function(direct.driver, dst, what, amount, stream);
  stream_end_submission(e, submission);
  direct_end(call, from);
  if (__builtin_expect(status != 0, 0))
    goCallFailed(call, stream, status);
  return true;
}

HOT bool copy_memory(uintptr_t dst, uintptr_t src, uint64_t bytes,
                     uintptr_t stream) {
  return make_call(call_mgpuMemcpy, direct.copy, true, dst, src, bytes, stream);
}

/* Go refuses counts of more bytes than there are addresses. */
HOT bool copy_value(enum call call, uintptr_t dst, uint32_t value,
                    uint64_t count, uintptr_t stream) {
  return count <= UINT64_MAX / 4 &&
         make_call(call,
                   call == call_mgpuMemset32 ? direct.memset32
                                             : direct.memset16,
                   false, dst, value, count, stream);
}
