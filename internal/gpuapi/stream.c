#include "calls.h"

__attribute__((hot)) int32_t gpu_stream_idle(table *t, uintptr_t stream) {
  enum { relaxed = 2 }; /* in this mode a query ends no thread's capture */
  struct given capturing = gpu_stream_capturing(t, stream);
  if (capturing.status != 0 || capturing.value != 0)
    return -1;
  struct given before = gpu_capture_mode(t, relaxed);
  int32_t status = gpu_stream_query(t, stream);
  if (before.status == 0)
    gpu_capture_mode(t, before.value);
  return status;
}

__attribute__((hot)) int32_t gpu_stream_usable(table *t, uintptr_t stream) {
  struct given capturing = gpu_stream_capturing(t, stream);
  return capturing.status != 0 ? capturing.status : (int32_t)capturing.value;
}

/* Records an event on a stream, unless the program captures the stream. */
__attribute__((hot)) int32_t gpu_event_record_uncaptured(table *t,
                                                         uintptr_t event,
                                                         uintptr_t stream) {
  struct given capturing = gpu_stream_capturing(t, stream);
  if (capturing.status == 0 && capturing.value != 0)
    return -1;
  return gpu_event_record(t, event, stream);
}
