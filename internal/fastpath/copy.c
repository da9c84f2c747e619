/* Copies and fills on streams of the pool. C calls the driver's function, and counts the
 * submission like a launch. */

#include "copy.h"

#include <stddef.h>

#include "alloc.h"
#include "driver.h"
#include "stream.h"

#include "_cgo_export.h"

/* Notes the addresses of a copy (or with src 0 of a fill) in memory that the library did not
 * allocate, about which a free asks the driver later (mgpu/copy_addresses.go). If the
 * destination is such memory, notes the copy as the thread's latest one. Returns false if
 * there is no slot for an address. */
HOT static bool note_addresses(uintptr_t dst, uintptr_t src,
                               struct noted_copy copy) {
  struct copy_addresses *a = driver.addresses;
  if (a == NULL)
    return true;
  bool ours = alloc_holds(dst);
  if ((!ours && !copy_addresses_add(a, dst)) ||
      (src != 0 && !alloc_holds(src) && !copy_addresses_add(a, src)))
    return false;
  if (!ours && src != 0)
    this_thread->noted_copy = copy;
  return true;
}

/* Makes a copy or a fill. what is the source address of a copy or the value of a fill. */
HOT static bool make_call(enum call call, driver_call function, bool copies,
                          uintptr_t dst, uintptr_t what, uint64_t amount,
                          uintptr_t stream) {
  uint64_t word, submission;
  struct pool_entry *e;
  if (!driver_offered() || function == NULL || amount == 0 || stream == 0 ||
      (e = stream_live_entry(stream, &word)) == NULL ||
      (submission = stream_begin_submission(e, word)) == 0)
    return false;
  if (!note_addresses(dst, copies ? what : 0,
                      (struct noted_copy){e, latest_submission(submission)})) {
    stream_end_submission(e, submission);
    return false;
  }
  uint64_t from = driver_call_begin();
  int32_t status = function(driver.self, dst, what, amount, stream);
  stream_end_submission(e, submission);
  driver_call_end(call, from);
  if (__builtin_expect(status != 0, 0))
    goCallFailed(call, stream, status);
  return true;
}

HOT bool copy_memory(uintptr_t dst, uintptr_t src, uint64_t bytes,
                     uintptr_t stream) {
  return make_call(call_mgpuMemcpy, driver.copy, true, dst, src, bytes, stream);
}

/* Go refuses counts whose size in bytes overflows. */
HOT bool copy_value(enum call call, uintptr_t dst, uint32_t value,
                    uint64_t count, uintptr_t stream) {
  return count <= UINT64_MAX / 4 &&
         make_call(call,
                   call == call_mgpuMemset32 ? driver.memset32
                                             : driver.memset16,
                   false, dst, value, count, stream);
}
