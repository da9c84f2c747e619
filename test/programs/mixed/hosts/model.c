/* What is pending, and what a wait makes known. */
#include "mixed.h"

#include <stddef.h>

struct world world;

struct stream *stream_by_id(unsigned id) {
  for (int i = 0; i < stream_slots - 1; i++)
    if (world.stream[i].live && world.stream[i].id == id)
      return &world.stream[i];
  for (int i = 0; i < world.devices; i++)
    if (world.null[i].id == id)
      return &world.null[i];
  return NULL;
}

bool capturing(void) {
  for (int i = 0; i < stream_slots - 1; i++)
    if (world.stream[i].live && world.stream[i].capturing)
      return true;
  return false;
}

void set_device(int device, bool by_hip) {
  if (world.device == device)
    return;
  if (by_hip)
    OK(hipSetDevice(device));
  else
    MGPU(mgpuSetDefaultDevice(device));
  world.device = device;
}

struct stream *stream_at(uint32_t slot) {
  slot %= stream_slots;
  struct stream *s = slot == stream_slots - 1 ? &world.null[world.device]
                                              : &world.stream[slot];
  if (!s->live)
    return NULL;
  /* The default stream waits for others, and so for what is captured. */
  if (!s->handle && capturing())
    return NULL;
  return s;
}

/* Whether the two are ordered without a word: by being one, or by the default stream's rule. */
static bool ordered(const struct stream *earlier, const struct stream *later) {
  return earlier == later || (earlier->device == later->device &&
                              ((!earlier->handle && later->blocking) ||
                               (!later->handle && earlier->blocking)));
}

bool may_use(const struct pending *p, const struct stream *s) {
  if (p->stream == 0)
    return true;
  struct stream *before = stream_by_id(p->stream);
  if (!before) /* destroyed: the host has to wait for it */
    return false;
  if (before->capturing && before != s)
    return false;
  if (!before->handle && !ordered(before, s) && capturing())
    return false;
  return !world.region || !p->unseen;
}

/* An event that may be recorded on a stream, made if there is none. */
static struct event *event_for(const struct stream *s) {
  struct event *e = &world.event[world.ids % event_slots];
  if (e->live && e->device == s->device)
    return e;
  if (e->live && e->by_hip)
    OK(hipEventDestroy(e->handle));
  else if (e->live)
    MGPU(mgpuEventDestroy(e->handle));
  set_device(s->device, world.ids & 1);
  *e = (struct event){.live = true,
                      .device = s->device,
                      .by_hip = !world.region && !options.no_vendor_work &&
                                (world.ids & 2)};
  if (e->by_hip)
    OK(hipEventCreateWithFlags(&e->handle, hip_event_disable_timing));
  else
    MGPU(e->handle = mgpuEventCreate());
  return e;
}

static void seen(struct pending *p, void *stream) {
  if (p->stream == ((struct stream *)stream)->id)
    p->unseen = false;
}

void use(struct pending *p, struct stream *s, bool by_hip) {
  struct stream *before = p->stream ? stream_by_id(p->stream) : NULL;
  /* What mgpu submits follows what was there at a free, as far as mgpu knew of it. */
  bool follows = p->freed && !by_hip;
  if (before && !follows && !ordered(before, s)) {
    world.ids++;
    struct event *e = event_for(before);
    /* What mgpu did not see may only be ordered by who did. */
    bool may = !world.region && !options.no_vendor_work;
    bool hip_records = may && (p->unseen || (world.ids & 4)),
         hip_waits = may && (by_hip || (world.ids & 8));
    int device = world.device;
    set_device(before->device, false);
    if (hip_records)
      OK(hipEventRecord(e->handle, before->handle));
    else
      MGPU(mgpuEventRecord(e->handle, before->handle));
    e->recorded = true;
    e->stream = before->id;
    e->number = ++before->number;
    set_device(s->device, false);
    if (hip_waits)
      OK(hipStreamWaitEvent(s->handle, e->handle, 0));
    else
      MGPU(mgpuStreamWaitEvent(s->handle, e->handle));
    if (!hip_records && before->by_hip && before->handle)
      before->passed = true;
    if (!hip_waits && s->by_hip && s->handle)
      s->passed = true;
    set_device(device, false);
    say(" (after stream %u)", before->id);
  }
  struct pending before_use = *p;
  if (!by_hip) {
    if (s->by_hip && s->handle)
      s->passed = true;
    /* Later work covers that of HIP's calls. */
    for_each_pending(seen, s);
  }
  bool unseen = by_hip && !(s->by_hip && s->passed);
  *p = (struct pending){.stream = s->id,
                        .number = ++s->number,
                        .unseen = unseen,
                        .host_unseen =
                            before_use.stream != 0 && before_use.host_unseen,
                        .recorded = world.region};
}

void use_unseen(struct pending *p) { p->host_unseen = true; }

void for_each_pending(void (*f)(struct pending *, void *), void *arg) {
  for (int i = 0; i < block_slots; i++)
    if (world.block[i].kind)
      f(&world.block[i].use, arg);
  for (int i = 0; i < print_slots; i++)
    if (world.print[i].live)
      f(&world.print[i].use, arg);
  for (int i = 0; i < module_slots; i++) {
    struct module *m = &world.module[i];
    if (!m->live)
      continue;
    f(&m->code, arg);
    if (m->table.kind)
      f(&m->table.use, arg);
    if (m->counter.kind)
      f(&m->counter.use, arg);
  }
}

struct wait {
  unsigned stream, number;
  int device;
  bool by_free;
};

static void reached(struct pending *p, void *arg) {
  const struct wait *w = arg;
  if (p->stream == w->stream && p->number <= w->number &&
      !(p->recorded && world.region))
    *p = (struct pending){0};
}

void waited(struct stream *s, unsigned id, unsigned number) {
  struct wait w = {.stream = id, .number = number};
  for_each_pending(reached, &w);
  if (s && s->done < number)
    s->done = number;
}

static void reached_on_device(struct pending *p, void *arg) {
  const struct wait *w = arg;
  struct stream *s = stream_by_id(p->stream);
  int device = s ? s->device : -1;
  if (p->stream == 0 || (p->recorded && world.region) ||
      (w->by_free && (p->unseen || p->host_unseen) && !options.stock))
    return;
  if (!s) /* destroyed: ids tell the device */
    device = (int)(p->stream % most_devices);
  if (device != w->device)
    return;
  if (w->by_free && !options.stock)
    p->freed = true;
  else
    *p = (struct pending){0};
}

/* After a free that did not wait queries may say that work is pending: docs/semantics.md names that. */
static void done(struct stream *s, bool by_free) {
  if (by_free && !options.stock)
    return;
  s->done = s->number;
}

void waited_for_device(int device, bool by_mgpu_free) {
  struct wait w = {.device = device, .by_free = by_mgpu_free};
  if (by_mgpu_free && capturing() && !options.stock)
    return;
  for_each_pending(reached_on_device, &w);
  if (world.region)
    return;
  for (int i = 0; i < stream_slots - 1; i++)
    if (world.stream[i].live && world.stream[i].device == device)
      done(&world.stream[i], by_mgpu_free);
  done(&world.null[device], by_mgpu_free);
}
