/* Streams, and waits for them and for devices. */
#include "operations.h"

#include <sched.h>

bool op_stream_create(const struct operation *o) {
  struct stream *s = &world.stream[o->a % (stream_slots - 1)];
  if (s->live)
    return false;
  bool by_hip = hip_may(o->b) && (o->b & 2) && !options.no_own_streams,
       blocking = !by_hip || (o->b & 4);
  unsigned id = ++world.ids * most_devices + (unsigned)world.device;
  *s = (struct stream){.live = true,
                       .by_hip = by_hip,
                       .blocking = blocking,
                       .device = world.device,
                       .id = id};
  say("stream %d (%u) on device %d by %s%s", (int)(s - world.stream), id,
      world.device, by_hip ? "HIP" : "mgpu", blocking ? "" : ", non-blocking");
  if (by_hip)
    OK(hipStreamCreateWithFlags(
        &s->handle, blocking ? hip_stream_default : hip_stream_non_blocking));
  else
    MGPU(s->handle = mgpuStreamCreate());
  if (!s->handle)
    fail("no stream");
  for (int i = 0; i < stream_slots - 1; i++)
    if (&world.stream[i] != s && world.stream[i].live &&
        world.stream[i].handle == s->handle)
      fail("stream %d has the same handle", i);
  return true;
}

bool op_stream_destroy(const struct operation *o) {
  struct stream *s = &world.stream[o->a % (stream_slots - 1)];
  bool by_hip = hip_ends(s->by_hip, o->b);
  if (!s->live || (by_hip && world.region) ||
      (s->by_hip && !by_hip && world.region) || (s->capturing && world.region))
    return false;
  say("stream %d (%u, %s's) by %s%s", (int)(s - world.stream), s->id,
      s->by_hip ? "HIP" : "mgpu", by_hip ? "HIP" : "mgpu",
      s->capturing ? ", while it captures" : "");
  if (by_hip)
    OK(hipStreamDestroy(s->handle));
  else
    MGPU(mgpuStreamDestroy(s->handle));
  if (s->capturing)
    world.graph = (struct graph){0};
  s->live = false;
  return true;
}

bool op_synchronize(const struct operation *o) {
  struct stream *s = stream_at(o->a);
  if (!s || s->capturing)
    return false;
  bool by_hip = hip_works(o->b);
  say("waits");
  name_stream(s, by_hip);
  set_device(s->device, false);
  if (by_hip)
    OK(hipStreamSynchronize(s->handle));
  else
    MGPU(mgpuStreamSynchronize(s->handle));
  if (!by_hip && s->by_hip && s->handle)
    s->passed = true;
  waited(s, s->id, s->number);
  return true;
}

bool op_query(const struct operation *o) {
  struct stream *s = stream_at(o->a);
  if (!s || s->capturing || world.region || options.no_vendor_work)
    return false;
  say("asks until it is idle");
  name_stream(s, true);
  set_device(s->device, false);
  int status;
  while ((status = hip.hipStreamQuery(s->handle)) == hip_not_ready)
    sched_yield();
  ok("hipStreamQuery", status);
  (void)hip.hipGetLastError();
  waited(s, s->id, s->number);
  return true;
}

/* What the host has waited for is done, whatever it waited by. */
bool op_ready(const struct operation *o) {
  struct stream *s = stream_at(o->a);
  struct event *e = &world.event[o->b % event_slots];
  if (world.region || options.no_ready)
    return false;
  if (o->c & 1) {
    /* A stream with default flags is busy while the default stream is. */
    const struct stream *null = s ? &world.null[s->device] : NULL;
    if (!s || s->capturing || !s->handle || s->done < s->number ||
        (s->blocking && null->done < null->number))
      return false;
    name_stream(s, true);
    set_device(s->device, false);
    if (hip.hipStreamQuery(s->handle) != hip_success)
      fail("hipStreamQuery does not say that the stream is idle");
    return true;
  }
  struct stream *of = e->live && e->recorded ? stream_by_id(e->stream) : NULL;
  if (!of || of->done < e->number)
    return false;
  say("event %d", (int)(e - world.event));
  if (hip.hipEventQuery(e->handle) != hip_success)
    fail("hipEventQuery does not say that the event is reached");
  return true;
}

bool op_device_synchronize(const struct operation *o) {
  (void)o;
  if (world.region || capturing())
    return false;
  say("device %d", world.device);
  OK(hipDeviceSynchronize());
  waited_for_device(world.device, false);
  return true;
}

static void call_back(handle s, int status, void *data) {
  (void)s;
  __atomic_fetch_add((int *)data, status == hip_success ? 1 : 1000,
                     __ATOMIC_SEQ_CST);
}

bool op_callback(const struct operation *o) {
  struct stream *s = stream_at(o->a);
  if (!hip.hipStreamAddCallback || options.no_callbacks || !s || s->capturing ||
      !s->handle || world.region)
    return false;
  name_stream(s, true);
  OK(hipStreamAddCallback(s->handle, call_back, &world.called, 0));
  world.expected++;
  OK(hipStreamSynchronize(s->handle));
  waited(s, s->id, s->number);
  if (__atomic_load_n(&world.called, __ATOMIC_SEQ_CST) != world.expected)
    fail("%d callbacks and not %d", world.called, world.expected);
  return true;
}
