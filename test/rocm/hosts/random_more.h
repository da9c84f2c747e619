/* The second set of random.c's calls: pools, pitches, boxes, nodes of all kinds, values that
 * streams wait for and store, peers, reserved addresses. Symbols that not every release has are looked
 * up; a call without its symbol, and one that says it is not supported, is left out. */
#include <dlfcn.h>

/* One call, with two blocks, which may be the same, and a stream. */
typedef void call(struct block *a, struct block *b, int s);

static bool supported(const char *call, hipError_t e) {
  if (e == hipErrorNotSupported)
    return false;
  ok(call, e);
  return true;
}
#define SUPPORTED(call) supported(#call, (call))

/* Runs a kernel on memory beside a block's, which gets the block's words and gives them back. */
static void pass(struct block *b, uint32_t *beside, int s) {
  uint32_t *p = use(b, s), k = (uint32_t)next();
  size_t bytes = b->n * sizeof *p;
  OK(hipMemcpyDtoDAsync(beside, p, bytes, me->stream[s]));
  launch(step, b->n / 64, 64, me->stream[s], (void *[]){&beside, &b->n, &k});
  OK(hipMemcpyDtoDAsync(p, beside, bytes, me->stream[s]));
  launched(b, k);
}

/* HIP 5.2 destroys no stream while a pool has free memory (docs/limits.md). */
static void empty(hipMemPool_t pool, int s) {
  if (release >= 503)
    return;
  wait_for(s);
  OK(hipMemPoolTrimTo(pool, 0));
}

static void pooled(struct block *a, struct block *b, int s) {
  (void)b;
  uint32_t *beside;
  hipMemPool_t pool;
  OK(hipDeviceGetDefaultMemPool(&pool, 0));
  if (!SUPPORTED(hipMallocAsync((void **)&beside, a->n * sizeof *beside,
                                me->stream[s])))
    return;
  pass(a, beside, s);
  OK(hipFreeAsync(beside, me->stream[s]));
  empty(pool, s);
}

/* HIP 7 forgets memory at an address that another thread reserves meanwhile; pools of their own
 * reserve addresses, too (docs/limits.md). */
static pthread_mutex_t in_reserved = PTHREAD_MUTEX_INITIALIZER;

/* Twice from a pool of its own, whose memory may be the same. */
static void own_pool(struct block *a, struct block *b, int s) {
  (void)b;
  hipMemPoolProps of = {.allocType = hipMemAllocationTypePinned,
                        .location = {hipMemLocationTypeDevice, 0}};
  hipMemPool_t pool;
  if (!SUPPORTED(hipMemPoolCreate(&pool, &of)))
    return;
  if (release >= 700)
    pthread_mutex_lock(&in_reserved);
  for (int i = 0; i < 2; i++) {
    uint32_t *beside;
    OK(hipMallocFromPoolAsync((void **)&beside, a->n * sizeof *beside, pool,
                              me->stream[s]));
    pass(a, beside, s);
    OK(hipFreeAsync(beside, me->stream[s]));
  }
  wait_for(s);
  empty(pool, s);
  OK(hipMemPoolDestroy(pool));
  if (release >= 700)
    pthread_mutex_unlock(&in_reserved);
}

/* The host fills its own memory (docs/limits.md): before HIP 7 only the first of a rectangle's rows,
 * and on HIP 6, for a graph, when it is instantiated. */
static bool filled_by_host(const struct block *b) {
  return release < 700 && (b->kind == pinned || b->kind == on_host ||
                           (b->kind == managed && release < 503));
}

/* A rectangle of words, of a block's and of another pitch. */
struct rectangle {
  uint32_t width, height, pitch[2];
};

static struct rectangle rectangle(const struct block *a,
                                  const struct block *b) {
  struct rectangle r = {.height = 1 + pick(8)};
  r.pitch[0] = a->n / r.height, r.pitch[1] = b->n / r.height;
  r.width = 1 + pick(r.pitch[0] < r.pitch[1] ? r.pitch[0] : r.pitch[1]);
  return r;
}

/* Copies a rectangle in words. */
static void move(uint32_t *to, const uint32_t *from, struct rectangle r) {
  for (uint32_t y = 0; y < r.height; y++)
    memcpy(to + y * r.pitch[0], from + y * r.pitch[1], r.width * sizeof *to);
}

static void copy_rows(struct block *to, struct block *from, int s) {
  if (to == from)
    return;
  struct rectangle r = rectangle(to, from);
  uint32_t *p = use(to, s), *q = use(from, s);
  OK(hipMemcpy2DAsync(p, r.pitch[0] * sizeof *p, q, r.pitch[1] * sizeof *p,
                      r.width * sizeof *p, r.height,
                      pick(2) ? hipMemcpyDeviceToDevice : hipMemcpyDefault,
                      me->stream[s]));
  move(to->model, from->model, r);
}

static void upload_rows(struct block *to, struct block *b, int s) {
  (void)b;
  struct rectangle r = rectangle(to, to);
  uint32_t *from = stage(s), *p = use(to, s);
  for (uint32_t i = 0; i < to->n; i++)
    from[i] = (uint32_t)next();
  OK(hipMemcpy2DAsync(p, r.pitch[0] * sizeof *p, from, r.pitch[1] * sizeof *p,
                      r.width * sizeof *p, r.height, hipMemcpyHostToDevice,
                      me->stream[s]));
  move(to->model, from, r);
  wait_for(s);
}

static void look_at_rows(struct block *b, struct block *unused, int s) {
  (void)unused;
  struct rectangle r = rectangle(b, b);
  uint32_t *to = stage(s), *p = use(b, s);
  memset(to, 0x5a, b->n * sizeof *to);
  OK(hipMemcpy2DAsync(to, r.pitch[0] * sizeof *p, p, r.pitch[1] * sizeof *p,
                      r.width * sizeof *p, r.height, hipMemcpyDeviceToHost,
                      me->stream[s]));
  wait_for(s);
  for (uint32_t i = 0; i < r.height * r.pitch[0]; i++) {
    bool copied = i % r.pitch[0] < r.width;
    uint32_t want = copied ? b->model[i] : 0x5a5a5a5a;
    if (to[i] != want) {
      printf("seed %llu, call %d: word %u of rows of %u words, %u apart: %#x "
             "and not %#x\n",
             (unsigned long long)me->seed, me->call, i, r.width, r.pitch[0],
             to[i], want);
      disagree();
    }
  }
}

/* Slices of rows, at a position in each block. */
static void copy_box(struct block *to, struct block *from, int s) {
  if (to == from)
    return;
  struct rectangle r = rectangle(to, from);
  uint32_t rows = r.height > 1 ? r.height / 2 : 1, slices = r.height / rows;
  uint32_t x = pick(r.width), wide = r.width - x;
  if (release < 600 && r.height == 1 && x == wide)
    return; /* refused, whatever the memory */
  uint32_t *p = use(to, s), *q = use(from, s);
  hipMemcpy3DParms box = {
      .srcPos = {x * sizeof *p, 0, 0},
      .srcPtr = {q, r.pitch[1] * sizeof *p, r.pitch[1] * sizeof *p, rows},
      .dstPos = {x * sizeof *p, 0, 0},
      .dstPtr = {p, r.pitch[0] * sizeof *p, r.pitch[0] * sizeof *p, rows},
      .extent = {wide * sizeof *p, rows, slices},
      .kind = hipMemcpyDeviceToDevice};
  OK(hipMemcpy3DAsync(&box, me->stream[s]));
  r.width = wide, r.height = rows * slices;
  move(to->model + x, from->model + x, r);
}

static void fill_part(struct block *b, struct block *unused, int s) {
  (void)unused;
  struct rectangle r = rectangle(b, b);
  uint32_t *p = use(b, s), value = pick(256) * 0x01010101u;
  size_t pitch = r.pitch[0] * sizeof *p, width = r.width * sizeof *p;
  switch (filled_by_host(b) ? 2 + pick(2) : pick(4)) {
  case 0:
    OK(hipMemset2DAsync(p, pitch, (int)(value & 255), width, r.height,
                        me->stream[s]));
    break;
  case 1: {
    hipPitchedPtr at = {p, pitch, pitch, r.height};
    hipExtent box = {width, r.height, 1};
    OK(hipMemset3DAsync(at, (int)(value & 255), box, me->stream[s]));
    break;
  }
  case 2:
    r.height = 1;
    OK(hipMemsetD8Async(p, (unsigned char)value, width, me->stream[s]));
    break;
  default:
    r.height = 1;
    value = pick(65536) * 0x00010001u;
    OK(hipMemsetD16Async(p, (unsigned short)value, width / 2, me->stream[s]));
  }
  for (uint32_t y = 0; y < r.height; y++)
    for (uint32_t x = 0; x < r.width; x++)
      b->model[y * r.pitch[0] + x] = value;
}

static void pitched(struct block *a, struct block *b, int s) {
  (void)b;
  struct rectangle r = rectangle(a, a);
  uint32_t *p = use(a, s), *rows, k = (uint32_t)next();
  size_t pitch, own = r.pitch[0] * sizeof *p, width = r.width * sizeof *p;
  OK(hipMallocPitch((void **)&rows, &pitch, width, r.height));
  OK(hipMemcpy2DAsync(rows, pitch, p, own, width, r.height,
                      hipMemcpyDeviceToDevice, me->stream[s]));
  for (uint32_t y = 0; y < r.height; y++) {
    uint32_t *row = (uint32_t *)((char *)rows + y * pitch);
    launch(step, (r.width + 63) / 64, 64, me->stream[s],
           (void *[]){&row, &r.width, &k});
    for (uint32_t x = 0; x < r.width; x++) {
      uint32_t *w = &a->model[y * r.pitch[0] + x];
      *w = *w * 3 + k;
    }
  }
  OK(hipMemcpy2DAsync(p, own, rows, pitch, width, r.height, hipMemcpyDefault,
                      me->stream[s]));
  wait_for(s);
  OK(hipFree(rows));
}

/* The copies of the driver's names, and one that returns when it is done. */
static void copies(struct block *a, struct block *b, int s) {
  (void)b;
  uint32_t *words = stage(s), *p = use(a, s);
  size_t bytes = a->n * sizeof *p;
  OK(hipMemcpyDtoHAsync(words, p, bytes, me->stream[s]));
  wait_for(s);
  expect(a, words);
  for (uint32_t i = 0; i < a->n; i++)
    words[i] = a->model[i] = (uint32_t)next();
  if (pick(2)) {
    OK(hipMemcpyHtoDAsync(p, words, bytes, me->stream[s]));
  } else {
    OK(hipMemcpyWithStream(p, words, bytes, hipMemcpyHostToDevice,
                           me->stream[s]));
  }
  wait_for(s);
}

/* The host reads and writes memory that it shares with the device. */
static void touch(struct block *b, struct block *unused, int s) {
  (void)unused;
  if (b->kind == device)
    return;
  if (b->kind == managed && pick(2)) {
    uint32_t *p = use(b, s);
    OK(hipMemAdvise(p, b->n * sizeof *p, hipMemAdviseSetReadMostly, 0));
    OK(hipMemPrefetchAsync(p, b->n * sizeof *p, pick(2) ? hipCpuDeviceId : 0,
                           me->stream[s]));
  }
  idle(b);
  expect(b, b->free);
  for (uint32_t i = pick(b->n); i < b->n; i++)
    b->free[i] = b->model[i] = (uint32_t)next();
}

static void ask(struct block *b, struct block *unused, int s) {
  (void)unused, (void)s;
  uint32_t inside = pick(b->n);
  if (b->kind == device) {
    hipDeviceptr_t base;
    size_t bytes;
    OK(hipMemGetAddressRange(&base, &bytes, b->at + inside));
    EXPECT(base == b->at && bytes >= b->n * sizeof *b->at);
  }
  hipPointerAttribute_t attributes;
  OK(hipPointerGetAttributes(&attributes, b->at));
  EXPECT(attributes.device == 0 && attributes.devicePointer == b->at);
}

static void timed(struct block *b, struct block *unused, int s) {
  (void)unused;
  float ms = -1;
  hipEvent_t from = me->event[0], to = me->event[2]; /* those with times */
  uint32_t *p = use(b, s), k = (uint32_t)next();
  OK(hipEventRecord(from, me->stream[s]));
  launch(step, b->n / 64, 64, me->stream[s], (void *[]){&p, &b->n, &k});
  launched(b, k);
  OK(hipEventRecord(to, me->stream[s]));
  OK(hipEventSynchronize(to));
  finished(s);
  OK(hipEventElapsedTime(&ms, from, to));
  EXPECT(ms >= 0 && ms < 600e3F);
}

static void stream_of_a_kind(struct block *a, struct block *b, int s) {
  (void)a, (void)b;
  int least, greatest, priority, got;
  wait_for(s);
  OK(hipStreamDestroy(me->stream[s]));
  OK(hipDeviceGetStreamPriorityRange(&least, &greatest));
  priority = greatest + (int)pick((uint32_t)(least - greatest + 1));
  OK(hipStreamCreateWithPriority(&me->stream[s], hipStreamNonBlocking,
                                 priority));
  OK(hipStreamGetPriority(me->stream[s], &got));
  EXPECT(got == priority);
}

/* One stream waits for a value that another one stores, or the host. */
static void value(struct block *a, struct block *b, int s) {
  (void)b;
  if (me->signal == NULL)
    return;
  int other = (s + 1) % streams;
  wait_for(me->waiting); /* values are stored in their order */
  me->waiting = s;
  me->value++;
  launch_step(a, other);
  if (pick(2)) {
    OK(hipStreamWriteValue32(me->stream[other], me->signal, me->value, 0));
  } else {
    wait_for(other);
    __atomic_store_n(me->signal, me->value, __ATOMIC_SEQ_CST);
  }
  OK(hipStreamWaitValue32(me->stream[s], me->signal, me->value,
                          hipStreamWaitValueGte, 0xffffffff));
  a->stream = s;
  launch_step(a, s);
}

/* From here to another device and back. */
static void peers(struct block *to, struct block *from, int s) {
  if (me->peer == NULL)
    return;
  uint32_t n = to->n < from->n ? to->n : from->n;
  uint32_t *p = use(to, s), *q = use(from, s);
  OK(hipMemcpyPeerAsync(me->peer, 1, q, 0, n * sizeof *p, me->stream[s]));
  OK(hipMemcpyPeerAsync(p, 0, me->peer, 1, n * sizeof *p, me->stream[s]));
  memmove(to->model, from->model, n * sizeof *p);
  wait_for(s); /* before another stream uses the peer's memory */
}

static void counted(void *data) {
  __atomic_fetch_add((int *)data, 1, __ATOMIC_SEQ_CST);
}

static void called(int s) {
  me->expected++;
  wait_for(s);
  int n = __atomic_load_n(&me->called, __ATOMIC_SEQ_CST);
  if (n != me->expected) {
    printf("seed %llu, call %d: %d functions of the host and not %d\n",
           (unsigned long long)me->seed, me->call, n, me->expected);
    disagree();
  }
}

static void host_function(struct block *a, struct block *b, int s) {
  (void)b;
  hipError_t (*launch_host)(hipStream_t, void (*)(void *), void *) =
      (__typeof__(launch_host))dlsym(RTLD_DEFAULT, "hipLaunchHostFunc");
  if (launch_host == NULL)
    return;
  launch_step(a, s);
  OK(launch_host(me->stream[s], counted, &me->called));
  called(s);
}

/* The other calls that launch a kernel. */
static void launches(struct block *b, struct block *unused, int s) {
  (void)unused;
  hipError_t (*extended)(hipFunction_t, uint32_t, uint32_t, uint32_t, uint32_t,
                         uint32_t, uint32_t, size_t, hipStream_t, void **,
                         void **, hipEvent_t, hipEvent_t, uint32_t) =
      (__typeof__(extended))dlsym(RTLD_DEFAULT, "hipExtModuleLaunchKernel");
  hipError_t (*cooperative)(hipFunction_t, unsigned, unsigned, unsigned,
                            unsigned, unsigned, unsigned, unsigned, hipStream_t,
                            void **) =
      (__typeof__(cooperative))dlsym(RTLD_DEFAULT,
                                     "hipModuleLaunchCooperativeKernel");
  uint32_t *p = use(b, s), k = (uint32_t)next(), which = pick(3);
  struct {
    uint32_t *p, n, k;
  } packed = {p, b->n, k};
  size_t bytes = sizeof packed;
  void *values[] = {&p, &b->n, &k};
  if (which == 0 && extended) {
    OK(extended(step, b->n, 1, 1, 64, 1, 1, 0, me->stream[s], values, NULL,
                NULL, me->event[0], 0));
  } else if (which == 1 && cooperative) {
    OK(cooperative(step, b->n / 64, 1, 1, 64, 1, 1, 0, me->stream[s], values));
  } else {
    OK(hipModuleLaunchKernel(step, b->n / 64, 1, 1, 64, 1, 1, 0, me->stream[s],
                             NULL,
                             (void *[]){HIP_LAUNCH_PARAM_BUFFER_POINTER,
                                        &packed, HIP_LAUNCH_PARAM_BUFFER_SIZE,
                                        &bytes, HIP_LAUNCH_PARAM_END}));
  }
  launched(b, k);
}

/* A chain of a copy, a fill, kernels and a function of the host, maybe in a graph of a graph,
 * or a clone; a node of the executable graph gets other parameters in between. */
static void chain(struct block *b, struct block *unused, int s) {
  (void)unused;
  if (release >= 600 && filled_by_host(b))
    return;
  uint32_t *from = stage(s), *p = use(b, s), k = (uint32_t)next(),
           filled = 1 + pick(b->n), value = (uint32_t)next();
  hipGraph_t g, outer, clone;
  hipGraphExec_t exec;
  hipGraphNode_t copied, set, ran, host, child;
  for (uint32_t i = 0; i < b->n; i++)
    from[i] = b->model[i] = (uint32_t)next();
  OK(hipGraphCreate(&g, 0));
  OK(hipGraphAddMemcpyNode1D(&copied, g, NULL, 0, p, from, b->n * sizeof *p,
                             hipMemcpyHostToDevice));
  hipMemsetParams fill_of = {
      .dst = p, .elementSize = 4, .width = filled, .height = 1, .value = value};
  OK(hipGraphAddMemsetNode(&set, g, &copied, 1, &fill_of));
  hipKernelNodeParams kernel = {.func = step,
                                .gridDim = {b->n / 64, 1, 1},
                                .blockDim = {64, 1, 1},
                                .kernelParams = (void *[]){&p, &b->n, &k}};
  OK(hipGraphAddKernelNode(&ran, g, &set, 1, &kernel));
  hipHostNodeParams function_of = {.fn = counted, .userData = &me->called};
  OK(hipGraphAddHostNode(&host, g, &ran, 1, &function_of));
  bool nested = pick(3) == 0, cloned = !nested && pick(2);
  if (nested) {
    OK(hipGraphCreate(&outer, 0));
    OK(hipGraphAddChildGraphNode(&child, outer, NULL, 0, g));
  } else if (cloned) {
    OK(hipGraphClone(&clone, g));
  }
  OK(hipGraphInstantiate(&exec,
                         nested   ? outer
                         : cloned ? clone
                                  : g,
                         NULL, NULL, 0));
  for (int turn = 0; turn < 2; turn++) {
    OK(hipGraphLaunch(exec, me->stream[s]));
    memcpy(b->model, from, b->n * sizeof *from);
    for (uint32_t i = 0; i < filled; i++)
      b->model[i] = value;
    launched(b, k);
    called(s);
    if (!nested && !cloned) {
      k = (uint32_t)next();
      OK(hipGraphExecKernelNodeSetParams(exec, ran, &kernel));
    }
  }
  OK(hipGraphExecDestroy(exec));
  if (nested)
    OK(hipGraphDestroy(outer));
  if (cloned)
    OK(hipGraphDestroy(clone));
  OK(hipGraphDestroy(g));
}

/* Memory at an address that was reserved: 5 lacks it, 6 crashes once the address is free (docs/limits.md). */
static void reserved(struct block *a, struct block *b, int s) {
  (void)b;
  enum { size = 2 << 20 };
  struct { /* hipMemAllocationProp from HIP 6 on: the header may be 5.2's */
    int type;
    unsigned handles;
    hipMemLocation location;
    void *windows;
    uint64_t flags;
  } of = {.type = hipMemAllocationTypePinned,
          .location = {hipMemLocationTypeDevice, 0}};
  hipMemAccessDesc access = {{hipMemLocationTypeDevice, 0},
                             hipMemAccessFlagsProtReadWrite};
  hipMemGenericAllocationHandle_t m;
  void *at;
  if (release < 700)
    return;
  pthread_mutex_lock(&in_reserved);
  OK(hipMemAddressReserve(&at, size, 0, NULL, 0));
  OK(hipMemCreate(&m, size, (const hipMemAllocationProp *)&of, 0));
  OK(hipMemMap(at, size, 0, m, 0));
  OK(hipMemSetAccess(at, size, &access, 1));
  pass(a, (uint32_t *)at + 64 * pick(4096), s);
  wait_for(s);
  OK(hipMemUnmap(at, size));
  OK(hipMemRelease(m));
  OK(hipMemAddressFree(at, size));
  pthread_mutex_unlock(&in_reserved);
}

static const struct {
  call *run;
  bool alone; /* it waits for all streams: see enter */
} second[] = {
    {pooled, true},
    {own_pool, true},
    {copy_rows, false},
    {upload_rows, false},
    {look_at_rows, false},
    {copy_box, false},
    {fill_part, false},
    {pitched, true},
    {copies, false},
    {touch, false},
    {ask, false},
    {timed, false},
    {stream_of_a_kind, false},
    {value, false},
    {peers, false},
    {host_function, false},
    {launches, false},
    {chain, false},
    {reserved, true},
};

/* HIP 7 hangs if a pool allocates before its device has a null stream, while another thread waits for a
 * stream (docs/limits.md): called before there are threads. */
static void first_of_pools(void) {
  void *p;
  if (release < 700)
    return;
  CHECK(hipMallocAsync(&p, most, NULL));
  CHECK(hipFreeAsync(p, NULL));
}

/* What the calls of the second set have for themselves. */
static void begin_second(void) {
  int devices;
  OK(hipGetDeviceCount(&devices));
  if (devices > 1) {
    OK(hipSetDevice(1));
    OK(hipMalloc((void **)&me->peer, most * sizeof(uint32_t)));
    OK(hipSetDevice(0));
  }
  if (SUPPORTED(hipExtMallocWithFlags((void **)&me->signal, 8,
                                      hipMallocSignalMemory)))
    __atomic_store_n(me->signal, me->value = 0, __ATOMIC_SEQ_CST);
}

static void end_second(void) {
  if (me->peer)
    OK(hipFree(me->peer));
  if (me->signal)
    OK(hipFree(me->signal));
  me->peer = me->signal = NULL;
}

static void one_of_second(void) {
  struct block *a = &me->block[pick(blocks)], *b = &me->block[pick(blocks)];
  int s = (int)pick(streams);
  uint32_t which = pick(sizeof second / sizeof *second);
  enter(second[which].alone);
  second[which].run(a, b, s);
  leave();
}
