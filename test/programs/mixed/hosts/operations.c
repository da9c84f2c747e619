/* The operations of programs: each checks whether it fits, calls mgpu or HIP, and tells the model. */
#include "mixed.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static const char *const kind_names[block_kinds] = {"nothing",
                                                    "mgpuMemAlloc",
                                                    "mgpuMemAlloc, shared",
                                                    "hipMalloc",
                                                    "hipMallocManaged",
                                                    "hipHostMalloc",
                                                    "mgpuMemHostRegister",
                                                    "hipHostRegister",
                                                    "malloc",
                                                    "a variable"};

/* Whether the host may touch a block now. */
static bool host_may(const struct block *b) {
  return b->host && (b->use.stream == 0 || b->use.freed);
}

/* Whether HIP's calls may be made: a region is the thread's own. */
static bool hip_may(uint32_t which) { return (which & 1) && !world.region; }

/* The same for calls that submit work, or wait for it. */
static bool hip_works(uint32_t which) {
  return hip_may(which) && !options.no_vendor_work;
}

/* Who gives something back that HIP's call or mgpu's has made. */
static bool hip_ends(bool made_by_hip, uint32_t which) {
  return options.no_vendor_ends ? made_by_hip : hip_may(which);
}

static struct block *block_in(uint32_t slot) {
  struct block *b = &world.block[slot % block_slots];
  return b->kind ? b : NULL;
}

static int slot_of(const struct block *b) { return (int)(b - world.block); }

/* A block or a variable. */
static struct block *any_in(uint32_t slot) {
  slot %= all_slots;
  if (slot < block_slots)
    return block_in(slot);
  struct module *m = &world.module[(slot - block_slots) / 2];
  struct block *b = slot % 2 ? &m->table : &m->counter;
  return m->live && b->kind ? b : NULL;
}

static uint32_t any_slot(const struct block *b) {
  if (b >= world.block && b < world.block + block_slots)
    return (uint32_t)slot_of(b);
  uint32_t slot = block_slots;
  while (slot < all_slots && any_in(slot) != b)
    slot++;
  return slot;
}

static void name_block(const struct block *b) {
  world.recent_block = any_slot(b);
  for (int i = 0; i < module_slots; i++)
    if (b == &world.module[i].table || b == &world.module[i].counter)
      say("%s of module %d", b == &world.module[i].table ? "table" : "counter",
          i);
  if (b >= world.block && b < world.block + block_slots)
    say("block %d (%s)", slot_of(b), kind_names[b->kind]);
}

static void name_stream(const struct stream *s, bool by_hip) {
  world.recent_stream =
      s->handle ? (uint32_t)(s - world.stream) : stream_slots - 1;
  if (!s->handle)
    say(" on the default stream");
  else
    say(" on stream %d (%u, %s)", (int)(s - world.stream), s->id,
        s->by_hip ? "HIP's" : "mgpu's");
  say(by_hip ? " by HIP" : " by mgpu");
}

/* Of work that HIP's calls have put into mgpu's streams, mgpu does not know what memory of the host's it uses. */
static void use_block(struct block *b, struct stream *s, bool by_hip) {
  use(&b->use, s, by_hip);
  if (by_hip && b->host && !s->by_hip)
    use_unseen(&b->use);
}

/* Whether the captured graph reads or writes a block. */
static bool in_graph(const struct block *b) {
  for (int i = 0; i < world.graph.n; i++)
    if (&world.block[world.graph.node[i].to] == b ||
        (world.graph.node[i].does == node_copy &&
         &world.block[world.graph.node[i].from] == b))
      return true;
  return false;
}

static void put(struct block *b, uint32_t at, uint32_t n, uint32_t value) {
  for (uint32_t i = at; i < at + n; i++)
    b->model[i] = value;
}

/* Captures an operation; false where it can't be. */
static bool capture(struct stream *s, struct node n) {
  struct graph *g = &world.graph;
  struct block *to = &world.block[n.to];
  bool blocks = n.to >= 0 && n.to < block_slots &&
                (n.does != node_copy || (n.from >= 0 && n.from < block_slots));
  (void)s;
  if (!blocks || s->spoiled || g->n == most_nodes || to->use.stream != 0 ||
      to->kind == pageable ||
      (n.does == node_copy && (world.block[n.from].use.stream != 0 ||
                               world.block[n.from].kind == pageable)))
    return false;
  g->node[g->n++] = n;
  return true;
}

/* Memory */

static bool op_alloc(const struct operation *o) {
  struct block *b = &world.block[o->a % block_slots];
  enum block_kind kind = (enum block_kind)(1 + o->b % (variable - 1));
  uint32_t words = 16 << o->c % 7;
  size_t bytes = 4 * words;
  if (options.no_kind[kind])
    return false;
  if (b->kind || (world.region && kind != mgpu_device && kind != pageable))
    return false;
  if (words > most_words)
    words = most_words;
  memset(b, 0, sizeof *b);
  *b = (struct block){.kind = kind, .device = world.device, .words = words};
  name_block(b);
  say(" of %u words on device %d", words, world.device);
  switch (kind) {
  case mgpu_device:
    MGPU(b->at = mgpuMemAlloc(bytes, NULL, 0));
    break;
  case mgpu_managed:
    MGPU(b->at = b->host = mgpuMemAlloc(bytes, NULL, 1));
    break;
  case hip_device:
    OK(hipMalloc((void **)&b->at, bytes));
    break;
  case hip_managed:
    OK(hipMallocManaged((void **)&b->at, bytes, hip_attach_global));
    b->host = b->at;
    break;
  case hip_pinned:
    OK(hipHostMalloc((void **)&b->host, bytes, 0));
    OK(hipHostGetDevicePointer((void **)&b->at, b->host, 0));
    break;
  default:
    if (posix_memalign((void **)&b->host, 4096, (bytes + 4095) & ~4095ul) != 0)
      fail("out of memory");
    b->at = b->host;
    if (kind == mgpu_registered)
      MGPU(mgpuMemHostRegister(b->host, bytes));
    if (kind == hip_registered)
      OK(hipHostRegister(b->host, bytes, hip_register_mapped));
    if (kind != pageable)
      OK(hipHostGetDevicePointer((void **)&b->at, b->host, 0));
  }
  if (!b->at)
    fail("no memory");
  if (b->host && (o->d & 1)) {
    for (uint32_t i = 0; i < words; i++)
      b->host[i] = b->model[i] = o->d + i;
    return true;
  }
  if (b->kind == pageable) {
    memset(b->host, 0, bytes);
    return true;
  }
  /* Behind everything: the default stream, and a wait. */
  put(b, 0, words, o->d);
  handle s;
  OK(hipStreamCreateWithFlags(&s, hip_stream_non_blocking));
  OK(hipMemsetD32Async(b->at, (int)o->d, words, s));
  OK(hipStreamSynchronize(s));
  OK(hipStreamDestroy(s));
  return true;
}

/* What pending says of work under way when memory is given back. */
static bool may_free(const struct block *b, bool waits) {
  const struct pending *p = &b->use;
  return !in_graph(b) &&
         (p->stream == 0 ||
          (waits && (!p->unseen || options.stock) && stream_by_id(p->stream) &&
           stream_by_id(p->stream)->device == b->device)) &&
         !(capturing() && p->stream != 0);
}

static bool op_free(const struct operation *o) {
  struct block *b = block_in(o->a);
  if (!b)
    return false;
  /* HIP's free of managed memory waits for nothing that does not use it. */
  bool waits = b->kind <= hip_managed,
       for_all = b->kind == mgpu_device || b->kind == hip_device,
       by_hip = hip_ends(b->kind != mgpu_device && b->kind != mgpu_managed &&
                             b->kind != mgpu_registered,
                         o->b);
  if ((b->kind == pageable && b->use.stream != 0) || !may_free(b, waits) ||
      (world.region && b->kind != mgpu_device && b->kind != pageable))
    return false;
  uint32_t recent = world.recent_block;
  name_block(b);
  world.recent_block = recent; /* what is freed is not what is of interest */
  say(" of device %d", b->device);
  int device = b->device;
  if (waits && !by_hip) {
    say(" by mgpuMemFree");
    MGPU(mgpuMemFree(b->at, NULL));
  } else if (waits) {
    say(" by hipFree");
    OK(hipFree(b->at));
  } else if (b->kind == hip_pinned) {
    OK(hipHostFree(b->host));
  } else {
    if (b->kind == mgpu_registered && !by_hip)
      MGPU(mgpuMemHostUnregister(b->host));
    else if (b->kind != pageable)
      OK(hipHostUnregister(b->host));
    free(b->host);
  }
  b->kind = block_none;
  if (for_all)
    waited_for_device(device, !by_hip);
  return true;
}

static void fill(struct block *b, struct stream *s, uint32_t value,
                 uint32_t words, bool by_hip, bool half) {
  void *at = b->at;
  if (by_hip)
    OK(hipMemsetD32Async(at, (int)value, words, s->handle));
  else if (half)
    MGPU(mgpuMemset16(at, (uint16_t)value, 2 * (size_t)words, s->handle));
  else
    MGPU(mgpuMemset32(at, value, words, s->handle));
}

static bool op_fill(const struct operation *o) {
  struct block *b = any_in(o->a);
  struct stream *s = stream_at(o->b);
  if (!b || !s || b->kind == pageable || b->device != s->device ||
      !may_use(&b->use, s) || (options.no_host_fills && b->host))
    return false;
  uint32_t words = 1 + o->c % b->words, value = o->d;
  bool by_hip = hip_works(o->c >> 12), half = !by_hip && (o->c & 1 << 13);
  if (half)
    value = (value & 0xffff) * 0x10001;
  if (s->capturing) {
    if (b->kind == variable || half ||
        !capture(s, (struct node){node_fill, slot_of(b), -1, words, value}))
      return false;
  }
  name_block(b);
  say(": %u words of %#x", words, value);
  name_stream(s, by_hip);
  if (s->capturing) {
    set_device(s->device, false);
    fill(b, s, value, words, by_hip, false);
    return true;
  }
  use_block(b, s, by_hip);
  set_device(s->device, false);
  fill(b, s, value, words, by_hip, half);
  put(b, 0, words, value);
  return true;
}

static bool op_copy(const struct operation *o) {
  struct block *to = any_in(o->a), *from = any_in(o->b);
  struct stream *s = stream_at(o->c);
  if (!to || !from || to == from || !s || !may_use(&to->use, s) ||
      !may_use(&from->use, s) ||
      (to->kind == pageable && from->kind == pageable) ||
      (from->kind == pageable && from->use.stream != 0 && options.test_hip) ||
      /* HIP 5.2.3 faults in copies between devices. */
      (options.test_hip
           ? to->device != s->device && from->device != s->device
           : to->device != s->device || from->device != s->device) ||
      (to->kind == variable && from->kind == variable) ||
      (options.no_downloads && to->host && to->kind != pageable))
    return false;
  bool by_hip = hip_works(o->c >> 12);
  uint32_t words = to->words < from->words ? to->words : from->words;
  words = 1 + o->d % words;
  if (s->capturing && (to->kind == variable || from->kind == variable ||
                       !capture(s, (struct node){node_copy, slot_of(to),
                                                 slot_of(from), words, 0})))
    return false;
  name_block(to);
  say(" = ");
  name_block(from);
  say(": %u words", words);
  name_stream(s, by_hip);
  if (!s->capturing) {
    use_block(to, s, by_hip);
    use_block(from, s, by_hip);
  }
  set_device(s->device, false);
  void *p = to->host && (o->d & 1 << 20) ? to->host : to->at,
       *q = from->host && (o->d & 1 << 21) ? from->host : from->at;
  if (by_hip)
    OK(hipMemcpyAsync(p, q, 4 * words, hip_copy_default, s->handle));
  else
    MGPU(mgpuMemcpy(p, q, 4 * words, s->handle));
  if (s->capturing)
    return true;
  memcpy(to->model, from->model, 4 * words);
  /* A copy to pageable memory is done when its call returns. The test HIP's is not. */
  if (to->kind == pageable && options.test_hip)
    to->use.host_unseen = true;
  else if (to->kind == pageable && !world.region)
    to->use = (struct pending){0};
  return true;
}

static void launch(handle f, uint32_t words, struct stream *s, bool by_hip,
                   void **params, size_t n) {
  uint32_t groups = (words + 63) / 64;
  if (by_hip)
    OK(hipModuleLaunchKernel(f, groups, 1, 1, 64, 1, 1, 0, s->handle, params,
                             NULL));
  else
    MGPU(mgpuLaunchKernel(f, groups, 1, 1, 64, 1, 1, 0, s->handle, params, NULL,
                          n));
}

/* The module in a slot, if it is of the stream's device. */
static struct module *module_for(uint32_t slot, const struct stream *s) {
  struct module *m = &world.module[slot % module_slots];
  return m->live && m->device == s->device && may_use(&m->code, s) ? m : NULL;
}

/* Whether kernels may be given a block. */
static bool kernels_use(const struct block *b, const struct stream *s) {
  return b && b->kind != pageable && b->kind != variable &&
         b->device == s->device && may_use(&b->use, s) &&
         (!s->capturing || options.test_hip) && !(world.region && b->host);
}

/* A launch does not tell mgpu what memory of the vendor's its arguments point to. */
static void used_by_kernel(struct block *b, struct stream *s, bool by_hip) {
  use_block(b, s, by_hip);
  if (b->kind == hip_pinned || b->kind == hip_managed ||
      b->kind == hip_registered) {
    use_unseen(&b->use);
  }
}

static bool op_step(const struct operation *o) {
  struct block *b = block_in(o->a);
  struct stream *s = stream_at(o->b);
  struct module *m = s ? module_for(o->c, s) : NULL;
  if (!m || !kernels_use(b, s))
    return false;
  bool by_hip = hip_works(o->c >> 12);
  uint32_t words = 1 + (o->c >> 14) % b->words, k = o->d;
  if (s->capturing &&
      (by_hip ||
       !capture(s, (struct node){node_step, slot_of(b), -1, words, k})))
    return false;
  say("module %d's step of ", (int)(m - world.module));
  name_block(b);
  say(": %u words, %#x", words, k);
  name_stream(s, by_hip);
  if (!s->capturing) {
    used_by_kernel(b, s, by_hip);
    use(&m->code, s, by_hip);
  }
  set_device(s->device, false);
  launch(m->step, words, s, by_hip, (void *[]){&b->at, &words, &k}, 3);
  for (uint32_t i = 0; i < words && !s->capturing; i++)
    b->model[i] = b->model[i] * 3 + k;
  return true;
}

static bool op_look(const struct operation *o) {
  struct block *b = block_in(o->a);
  struct stream *s = stream_at(o->b);
  struct module *m = s ? module_for(o->c, s) : NULL;
  if (!m || s->capturing || !kernels_use(b, s) ||
      (m->table.kind && !may_use(&m->table.use, s)) ||
      (m->counter.kind && !may_use(&m->counter.use, s)))
    return false;
  bool by_hip = hip_works(o->c >> 12);
  uint32_t words = b->words;
  say("module %d's variables into ", (int)(m - world.module));
  name_block(b);
  name_stream(s, by_hip);
  used_by_kernel(b, s, by_hip);
  use(&m->code, s, by_hip);
  if (m->table.kind)
    use(&m->table.use, s, by_hip);
  if (m->counter.kind)
    use(&m->counter.use, s, by_hip);
  set_device(s->device, false);
  launch(m->look, words, s, by_hip, (void *[]){&b->at, &words}, 2);
  for (uint32_t i = 0; i < words; i++)
    b->model[i] = (m->table.kind ? m->table.model[i & 15]
                                 : first_value(m->image, true, i & 15)) *
                      1000 +
                  (m->counter.kind ? m->counter.model[i & 15]
                                   : first_value(m->image, false, i & 15));
  return true;
}

static bool op_bump(const struct operation *o) {
  struct stream *s = stream_at(o->b);
  struct module *m = s ? module_for(o->c, s) : NULL;
  if (!m || s->capturing || !m->counter.kind || !may_use(&m->counter.use, s))
    return false;
  bool by_hip = hip_works(o->c >> 12);
  uint32_t k = o->d;
  void *none = NULL;
  say("module %d's counter + %#x", (int)(m - world.module), k);
  name_stream(s, by_hip);
  use(&m->counter.use, s, by_hip);
  use(&m->code, s, by_hip);
  set_device(s->device, false);
  launch(m->bump, 16, s, by_hip, (void *[]){&none, &k}, 2);
  for (uint32_t i = 0; i < table_words; i++)
    m->counter.model[i] += k;
  return true;
}

/* Keeps a stream busy for some milliseconds: what follows is pending. */
static bool op_delay(const struct operation *o) {
  struct stream *s = stream_at(o->a);
  if (!s || s->capturing)
    return false;
  bool by_hip =
      hip_works(o->c >> 12) || (s->by_hip && !s->passed && !world.region);
  struct pending p = {0};
  uint32_t rounds = 5000 + o->b % 60000;
  if (o->b / 60000 % 4 == 1) /* where others keep the machine busy too */
    rounds *= 8;
  void *none = NULL;
  say("%u rounds", rounds);
  name_stream(s, by_hip);
  use(&p, s, by_hip);
  set_device(s->device, false);
  launch(world.spin[s->device], 1, s, by_hip, (void *[]){&none, &rounds}, 2);
  return true;
}

/* The host's own accesses */

static bool op_host_write(const struct operation *o) {
  struct block *b = block_in(o->a);
  if (!b || !host_may(b))
    return false;
  uint32_t at = o->b % b->words, n = 1 + o->c % (b->words - at);
  name_block(b);
  say(": words %u to %u", at, at + n - 1);
  for (uint32_t i = at; i < at + n; i++)
    b->host[i] = b->model[i] = o->d ^ i;
  return true;
}

static bool op_host_read(const struct operation *o) {
  struct block *b = block_in(o->a);
  if (!b || !host_may(b))
    return false;
  name_block(b);
  expect(b, b->host, "read by the host");
  return true;
}

/* Copies memory to the host, waits and compares. */
static bool op_check(const struct operation *o) {
  static uint32_t words[most_words];
  struct block *b = any_in(o->a);
  struct stream *s = stream_at(o->b);
  if (!b || !s || s->capturing || world.region || b->kind == pageable ||
      b->device != s->device || !may_use(&b->use, s))
    return false;
  bool by_hip = hip_works(o->c);
  name_block(b);
  name_stream(s, by_hip);
  use_block(b, s, by_hip);
  set_device(s->device, false);
  if (by_hip)
    OK(hipMemcpyAsync(words, b->at, 4 * b->words, hip_copy_default, s->handle));
  else
    MGPU(mgpuMemcpy(words, b->at, 4 * b->words, s->handle));
  if (by_hip)
    OK(hipStreamSynchronize(s->handle));
  else
    MGPU(mgpuStreamSynchronize(s->handle));
  waited(s, s->id, s->number);
  expect(b, words, "copied to the host");
  return true;
}

/* Waits */

static bool op_synchronize(const struct operation *o) {
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

static bool op_query(const struct operation *o) {
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
static bool op_ready(const struct operation *o) {
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

static bool op_device_synchronize(const struct operation *o) {
  (void)o;
  if (world.region || capturing())
    return false;
  say("device %d", world.device);
  OK(hipDeviceSynchronize());
  waited_for_device(world.device, false);
  return true;
}

/* Events */

static bool op_event_create(const struct operation *o) {
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

static bool op_event_destroy(const struct operation *o) {
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

static bool op_record(const struct operation *o) {
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

static bool op_wait_event(const struct operation *o) {
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

static bool op_event_synchronize(const struct operation *o) {
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

/* Streams */

static bool op_stream_create(const struct operation *o) {
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

static bool op_stream_destroy(const struct operation *o) {
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

/* Modules */

static void find_variable(struct module *m, struct block *b, const char *name,
                          bool table) {
  void *at;
  size_t bytes;
  OK(hipModuleGetGlobal(&at, &bytes, m->handle, name));
  if (bytes != 4 * table_words)
    fail("%s has %zu bytes", name, bytes);
  *b = (struct block){.kind = variable,
                      .device = m->device,
                      .at = at,
                      .words = table_words,
                      .constant = table};
  for (uint32_t i = 0; i < table_words; i++)
    b->model[i] = first_value(m->image, table, i);
}

static handle function_of(struct module *m, const char *name) {
  handle f = NULL;
  if (m->by_hip)
    OK(hipModuleGetFunction(&f, m->handle, name));
  else
    MGPU(f = mgpuModuleGetFunction(m->handle, name));
  if (!f)
    fail("no function %s", name);
  return f;
}

/* docs/semantics.md: two loads of one image may be one module, which HIP's unload ends for both. */
static void note_shared(struct module *m) {
  for (int i = 0; i < module_slots; i++)
    if (&world.module[i] != m && world.module[i].live &&
        world.module[i].handle == m->handle)
      m->shared = world.module[i].shared = true;
}

static bool op_module_load(const struct operation *o) {
  struct module *m = &world.module[o->a % module_slots];
  if (m->live || world.region ||
      (o->c % images != 0 && (!hip.hipModuleGetGlobal || options.no_variables)))
    return false;
  *m = (struct module){.live = true,
                       .by_hip = o->b % 4 == 1 && !options.no_own_modules,
                       .image = (int)(o->c % images),
                       .device = world.device};
  say("module %d: image %d on device %d by %s", (int)(m - world.module),
      m->image, m->device, m->by_hip ? "HIP" : "mgpu");
  /* docs/semantics.md: mgpuModuleGetFunction goes by mgpu's calls. */
  MGPU(mgpuSetDefaultDevice(world.device));
  if (m->by_hip)
    OK(hipModuleLoadData(&m->handle, image[m->image]));
  else
    MGPU(m->handle = mgpuModuleLoad(image[m->image], 0));
  if (!m->handle)
    fail("no module");
  world.recent_module = (uint32_t)(m - world.module);
  note_shared(m);
  m->step = function_of(m, "step");
  m->look = function_of(m, "look");
  m->bump = function_of(m, "bump");
  if (m->image > 0)
    find_variable(m, &m->table, "table", true);
  if (m->image > 1)
    find_variable(m, &m->counter, "counter", false);
  return true;
}

static bool op_module_unload(const struct operation *o) {
  struct module *m = &world.module[o->a % module_slots];
  bool by_hip = hip_ends(m->by_hip, o->b);
  if (!m->live || (by_hip && (world.region || m->shared)) || m->code.stream ||
      m->table.use.stream || m->counter.use.stream || world.graph.n > 0)
    return false;
  say("module %d, %s's, by %s", (int)(m - world.module),
      m->by_hip ? "HIP" : "mgpu", by_hip ? "HIP" : "mgpu");
  if (by_hip)
    OK(hipModuleUnload(m->handle));
  else
    MGPU(mgpuModuleUnload(m->handle));
  m->live = false;
  return true;
}

/* Capture */

static bool op_capture_begin(const struct operation *o) {
  struct stream *s = &world.stream[o->a % (stream_slots - 1)];
  if (!hip.hipStreamBeginCapture || options.no_capture ||
      !hip.hipStreamEndCapture || world.region || !s->live || capturing() ||
      world.graph.live || (s->by_hip && !options.stock)) /* docs/semantics.md */
    return false;
  name_stream(s, true);
  set_device(s->device, false);
  OK(hipStreamBeginCapture(s->handle, hip_capture_relaxed));
  s->capturing = true;
  world.graph = (struct graph){.device = s->device};
  return true;
}

static bool op_capture_end(const struct operation *o) {
  struct stream *s = &world.stream[o->a % (stream_slots - 1)];
  struct graph *g = &world.graph;
  if (!s->live || !s->capturing || world.region)
    return false;
  name_stream(s, true);
  set_device(s->device, false);
  OK(hipStreamEndCapture(s->handle, &g->graph));
  s->capturing = false;
  if (hip.hipGraphInstantiateWithFlags)
    OK(hipGraphInstantiateWithFlags(&g->exec, g->graph, 0));
  else
    OK(hipGraphInstantiate(&g->exec, g->graph, NULL, NULL, 0));
  g->live = true;
  return true;
}

static bool op_graph_launch(const struct operation *o) {
  struct graph *g = &world.graph;
  struct stream *s = stream_at(o->a);
  if (!g->live || world.region || !s || s->device != g->device || s->capturing)
    return false;
  for (int i = 0; i < g->n; i++)
    if (!may_use(&world.block[g->node[i].to].use, s) ||
        (g->node[i].does == node_copy &&
         !may_use(&world.block[g->node[i].from].use, s)))
      return false;
  say("%d nodes", g->n);
  name_stream(s, true);
  for (int i = 0; i < g->n; i++) {
    struct node *n = &g->node[i];
    struct block *to = &world.block[n->to];
    use_block(to, s, true);
    if (n->does == node_copy) {
      use_block(&world.block[n->from], s, true);
      memcpy(to->model, world.block[n->from].model, 4 * n->words);
    } else if (n->does == node_fill) {
      put(to, 0, n->words, n->value);
    } else {
      for (uint32_t k = 0; k < n->words; k++)
        to->model[k] = to->model[k] * 3 + n->value;
    }
  }
  set_device(s->device, false);
  OK(hipGraphLaunch(g->exec, s->handle));
  /* The exec may not be launched again, or destroyed, while it executes. */
  OK(hipStreamSynchronize(s->handle));
  waited(s, s->id, s->number);
  return true;
}

static bool op_graph_destroy(const struct operation *o) {
  struct graph *g = &world.graph;
  (void)o;
  if (!g->live || world.region)
    return false;
  OK(hipGraphExecDestroy(g->exec));
  OK(hipGraphDestroy(g->graph));
  *g = (struct graph){0};
  return true;
}

/* Devices */

static bool op_device(const struct operation *o) {
  int device = (int)(o->a % (uint32_t)world.devices);
  if (device == world.device || world.region)
    return false;
  say("device %d by %s", device, o->b & 1 ? "HIP" : "mgpu");
  set_device(device, o->b & 1);
  return true;
}

static bool op_reset(const struct operation *o) {
  (void)o;
  if (!hip.hipDeviceReset || options.no_reset || o->a % 4 != 0 || world.region)
    return false;
  say("everything is given back, then hipDeviceReset");
  world_end();
  for (int i = 0; i < world.devices; i++) {
    OK(hipSetDevice(i));
    OK(hipDeviceReset());
  }
  world_begin();
  return true;
}

/* What can be asked for */

static bool op_attributes(const struct operation *o) {
  struct stream *s = stream_at(o->a);
  struct block *b = block_in(o->b);
  unsigned flags = 99;
  int priority = 99;
  if (!s || world.region)
    return false;
  if (s->handle && hip.hipStreamGetFlags) {
    OK(hipStreamGetFlags(s->handle, &flags));
    if (flags != (s->blocking ? hip_stream_default : hip_stream_non_blocking))
      fail("stream %u has the flags %u", s->id, flags);
  }
  if (s->handle && hip.hipStreamGetPriority) {
    OK(hipStreamGetPriority(s->handle, &priority));
    if (priority != 0)
      fail("stream %u has the priority %d", s->id, priority);
  }
  if (b && b->kind <= hip_managed && hip.hipMemGetAddressRange) {
    void *base = NULL;
    size_t bytes = 0;
    OK(hipMemGetAddressRange(&base, &bytes, b->at + b->words / 2));
    if (base != b->at || bytes < 4 * b->words ||
        (options.stock && bytes != 4 * b->words))
      fail("a block of %u words at %p is %zu bytes at %p", b->words,
           (void *)b->at, bytes, base);
  }
  if (b && b->kind <= hip_managed && hip.hipPointerGetAttribute) {
    bool managed = false;
    OK(hipPointerGetAttribute(&managed, hip_attribute_is_managed, b->at));
    if (managed != (b->kind == mgpu_managed || b->kind == hip_managed))
      fail("%s is managed: %d", kind_names[b->kind], managed);
  }
  int device = -1;
  OK(hipGetDevice(&device));
  if (device != world.device)
    fail("the current device is %d and not %d", device, world.device);
  return true;
}

static void call_back(handle s, int status, void *data) {
  (void)s;
  __atomic_fetch_add((int *)data, status == hip_success ? 1 : 1000,
                     __ATOMIC_SEQ_CST);
}

static bool op_callback(const struct operation *o) {
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

/* Regions */

static void recorded_no_more(struct pending *p, void *arg) {
  (void)arg;
  p->recorded = false;
}

static bool op_region_begin(const struct operation *o) {
  if (!options.regions || world.region || capturing())
    return false;
  say("key %u", o->a % 3);
  MGPU(mgpuxGraphBegin(o->a % 3));
  world.region = true;
  return true;
}

static bool op_region_end(const struct operation *o) {
  (void)o;
  if (!world.region)
    return false;
  MGPU(mgpuxGraphEnd());
  world.region = false;
  for_each_pending(recorded_no_more, NULL);
  return true;
}

/* O(name, weight, part, what its four numbers choose: see choose in main.c). Many blocks and streams are made: a free is of
 * interest while other blocks are in use, and only work on streams other than the default one lets it return early. */
#define OPERATIONS                                                             \
  O(alloc, 40, start, ".k..")                                                  \
  O(free, 24, wait, "f...")                                                    \
  O(fill, 10, work, "Bsw.")                                                    \
  O(copy, 26, work, "Ausw")                                                    \
  O(step, 10, work, "bsm.")                                                    \
  O(look, 8, work, "bsm.")                                                     \
  O(bump, 3, work, ".sm.")                                                     \
  O(delay, 8, delay, "s...")                                                   \
  O(host_write, 24, touch, "bzw.")                                             \
  O(host_read, 8, touch, "b...")                                               \
  O(check, 8, touch, "Bs..")                                                   \
  O(synchronize, 5, wait, "s...")                                              \
  O(query, 2, wait, "s...")                                                    \
  O(ready, 4, touch, "se..")                                                   \
  O(device_synchronize, 2, wait, "....")                                       \
  O(event_create, 3, start, "e...")                                            \
  O(event_destroy, 2, end, "e...")                                             \
  O(record, 3, start, "es..")                                                  \
  O(wait_event, 3, start, "es..")                                              \
  O(event_synchronize, 4, wait, "e...")                                        \
  O(stream_create, 20, start, "....")                                          \
  O(stream_destroy, 5, end, "s...")                                            \
  O(module_load, 3, start, "....")                                             \
  O(module_unload, 4, end, "m...")                                             \
  O(capture_begin, 2, start, "s...")                                           \
  O(capture_end, 4, end, "s...")                                               \
  O(graph_launch, 4, work, "s...")                                             \
  O(graph_destroy, 1, end, "....")                                             \
  O(device, 4, start, "....")                                                  \
  O(reset, 1, end, "....")                                                     \
  O(attributes, 1, touch, "sb..")                                              \
  O(callback, 1, wait, "s...")                                                 \
  O(region_begin, 2, start, "....")                                            \
  O(region_end, 3, end, "....")

#define O(name, weight, part, chooses)                                         \
  {#name, weight, part, chooses, op_##name},
const struct operation_kind operation_kinds[] = {OPERATIONS};
#undef O
const int operations = sizeof operation_kinds / sizeof *operation_kinds;

/* Gives everything back. */
void world_end(void) {
  struct operation none = {0};
  if (world.region)
    op_region_end(&none);
  for (uint32_t i = 0; i < stream_slots - 1; i++)
    if (world.stream[i].live && world.stream[i].capturing)
      op_capture_end(&(struct operation){.a = i});
  if (world.graph.live)
    op_graph_destroy(&none);
  for (int d = 0; d < world.devices; d++) {
    set_device(d, true);
    OK(hipDeviceSynchronize());
    waited_for_device(d, false);
  }
  for (uint32_t i = 0; i < all_slots; i++) {
    struct block *b = any_in(i);
    if (!b)
      continue;
    set_device(b->device, false);
    if (b->host)
      op_host_read(&(struct operation){.a = i});
    op_check(&(struct operation){.a = i, .b = stream_slots - 1, .c = i});
  }
  for (uint32_t i = 0; i < block_slots; i++)
    if (block_in(i) &&
        !op_free(&(struct operation){.a = i, .b = world.ids >> i}))
      fail("block %u can't be freed", i);
  for (uint32_t i = 0; i < module_slots; i++)
    if (!op_module_unload(&(struct operation){.a = i, .b = world.ids >> i}))
      op_module_unload(&(struct operation){.a = i});
  for (uint32_t i = 0; i < event_slots; i++)
    op_event_destroy(&(struct operation){.a = i, .b = world.ids >> i});
  for (uint32_t i = 0; i < stream_slots - 1; i++)
    op_stream_destroy(&(struct operation){.a = i, .b = world.ids >> i});
  for (int d = 0; d < world.devices; d++)
    OK(hipModuleUnload(world.helper[d]));
}

void world_begin(void) {
  unsigned ids = world.ids;
  memset(&world, 0, sizeof world);
  world.ids = ids;
  OK(hipGetDeviceCount(&world.devices));
  if (world.devices > most_devices)
    world.devices = most_devices;
  for (int d = world.devices - 1; d >= 0; d--) {
    world.device = d;
    MGPU(mgpuSetDefaultDevice(d));
    OK(hipModuleLoadData(&world.helper[d], image[0]));
    OK(hipModuleGetFunction(&world.spin[d], world.helper[d], "spin"));
    world.null[d] =
        (struct stream){.live = true,
                        .blocking = true,
                        .device = d,
                        .id = ++world.ids * most_devices + (unsigned)d};
  }
}
