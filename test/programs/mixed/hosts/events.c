/* Events. */
#include "operations.h"

#include <sched.h>

bool op_event_create(const struct operation *o) {
  struct event *e = &world.event[o->a % event_slots];
  if (e->live)
    return false;
  *e = (struct event){
      .live = true, .device = world.device, .by_hip = hip_may(o->b)};
  say("event %d by %s", (int)(e - world.event), e->by_hip ? "HIP" : "mgpu");
  if (e->by_hip)
    OK(hipEventCreateWithFlags(&e->handle, hip_event_disable_timing));
  else
    MGPU(e->handle = mgpuEventCreate());
  return true;
}

bool op_event_destroy(const struct operation *o) {
  struct event *e = &world.event[o->a % event_slots];
  bool by_hip = hip_ends(e->by_hip, o->b);
  if (!e->live || (by_hip && world.region))
    return false;
  say("event %d, %s's, by %s", (int)(e - world.event),
      e->by_hip ? "HIP" : "mgpu", by_hip ? "HIP" : "mgpu");
  if (by_hip)
    OK(hipEventDestroy(e->handle));
  else
    MGPU(mgpuEventDestroy(e->handle));
  e->live = false;
  return true;
}

bool op_record(const struct operation *o) {
  struct event *e = &world.event[o->a % event_slots];
  struct stream *s = stream_at(o->b);
  if (!e->live || !s || s->capturing || e->device != s->device)
    return false;
  bool by_hip = hip_works(o->c);
  say("event %d", (int)(e - world.event));
  name_stream(s, by_hip);
  set_device(s->device, false);
  if (by_hip)
    OK(hipEventRecord(e->handle, s->handle));
  else
    MGPU(mgpuEventRecord(e->handle, s->handle));
  if (!by_hip && s->by_hip && s->handle)
    s->passed = true;
  world.recent_event = (uint32_t)(e - world.event);
  e->recorded = true;
  e->stream = s->id;
  e->number = ++s->number;
  return true;
}

bool op_wait_event(const struct operation *o) {
  struct event *e = &world.event[o->a % event_slots];
  struct stream *s = stream_at(o->b);
  if (!e->live || !e->recorded || !s || s->capturing)
    return false;
  bool by_hip = hip_works(o->c);
  say("for event %d", (int)(e - world.event));
  name_stream(s, by_hip);
  set_device(s->device, false);
  if (by_hip)
    OK(hipStreamWaitEvent(s->handle, e->handle, 0));
  else
    MGPU(mgpuStreamWaitEvent(s->handle, e->handle));
  if (!by_hip && s->by_hip && s->handle)
    s->passed = true;
  s->number++;
  return true;
}

bool op_event_synchronize(const struct operation *o) {
  struct event *e = &world.event[o->a % event_slots];
  bool by_hip = hip_works(o->b), polls = by_hip && (o->b & 2);
  if (!e->live || !e->recorded)
    return false;
  say("event %d by %s", (int)(e - world.event), by_hip ? "HIP" : "mgpu");
  int status = hip_success;
  if (polls) {
    while ((status = hip.hipEventQuery(e->handle)) == hip_not_ready)
      sched_yield();
    ok("hipEventQuery", status);
    (void)hip.hipGetLastError();
  } else if (by_hip) {
    OK(hipEventSynchronize(e->handle));
  } else {
    MGPU(mgpuEventSynchronize(e->handle));
  }
  waited(stream_by_id(e->stream), e->stream, e->number);
  return true;
}
