/* random SEED THREADS CALLS SECONDS [more]: threads that make random calls, and a model of
 * what they leave in memory. Each thread has blocks and streams of its own, whose work is
 * ordered by events. A program is CALLS calls and ends with a look at
 * all of its memory; with SECONDS, more seeds follow until they are over. With "more", half of the
 * calls are random_more.h's. Prints the first seed that disagrees, and its call. */
#include "hip.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>
#include <unistd.h>

enum { blocks = 6, streams = 3, events = 4, most = 1024, kept = 16 };

/* One of a thread's allocations, and its expected contents. */
struct block {
  enum kind { device, pinned, managed, on_host, kinds } kind;
  uint32_t *at;   /* as kernels and copies know it */
  uint32_t *free; /* the address to free */
  uint32_t n, model[most];
  int stream; /* where its last work is; -1: it is idle */
};

struct thread {
  uint64_t state, seed;
  int call;
  struct block block[blocks];
  hipStream_t stream[streams];
  hipEvent_t event[events];
  /* What calls under way read or write, by turns. */
  uint32_t *staging[kept];
  int called, expected; /* callbacks */
  /* random_more.h's: memory of another device; a word that streams wait for, and the last that did. */
  uint32_t *peer, *signal, value;
  int waiting;
};

static int release; /* HIP's major version, and minor */

/* Before release 6.3 functions whose launches are also nodes of graphs must not be
 * launched by several threads: each has its own. */
static __thread hipFunction_t step, reverse;
static hipModule_t shared;
static long calls, seconds;
static bool both; /* sets of calls */

static __thread struct thread *me;

/* Before release 5.3 a call that waits for all streams makes later waits of other threads
 * return early (early.c): such a call is made while no other thread is in HIP. */
static pthread_rwlock_t in_hip = PTHREAD_RWLOCK_INITIALIZER;

static void enter(bool alone) {
  if (release >= 503)
    return;
  if (alone)
    pthread_rwlock_wrlock(&in_hip);
  else
    pthread_rwlock_rdlock(&in_hip);
}

static void leave(void) {
  if (release < 503)
    pthread_rwlock_unlock(&in_hip);
}

/* Ends the process at once: other threads are in HIP. */
static void disagree(void) {
  fflush(stdout);
  _exit(1);
}

#define OK(call) ok(#call, (call))
static void ok(const char *call, hipError_t e) {
  if (e == hipSuccess)
    return;
  printf("seed %llu, call %d: %s: %s\n", (unsigned long long)me->seed, me->call,
         call, hipGetErrorName(e));
  disagree();
}

static uint64_t next(void) {
  me->state += 0x9e3779b97f4a7c15;
  uint64_t z = me->state;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
  z = (z ^ z >> 27) * 0x94d049bb133111eb;
  return z ^ z >> 31;
}

static uint32_t pick(uint32_t n) { return (uint32_t)(next() >> 16) % n; }

static void finished(int s) {
  for (int b = 0; b < blocks; b++)
    if (s < 0 || me->block[b].stream == s)
      me->block[b].stream = -1;
}

static void wait_for(int s) {
  switch (pick(3)) {
  case 0:
    OK(hipStreamSynchronize(me->stream[s]));
    break;
  case 1: {
    hipEvent_t e = me->event[pick(events)];
    OK(hipEventRecord(e, me->stream[s]));
    OK(hipEventSynchronize(e));
    break;
  }
  default: {
    hipError_t e;
    while ((e = hipStreamQuery(me->stream[s])) == hipErrorNotReady)
      sched_yield();
    ok("hipStreamQuery", e);
  }
  }
  finished(s);
}

static void idle(struct block *b) {
  if (b->stream >= 0)
    wait_for(b->stream);
}

/* Orders stream s after the block's last use. */
static uint32_t *use(struct block *b, int s) {
  if (b->stream >= 0 && b->stream != s) {
    hipEvent_t e = me->event[pick(events)];
    OK(hipEventRecord(e, me->stream[b->stream]));
    OK(hipStreamWaitEvent(me->stream[s], e, 0));
  }
  b->stream = s;
  return b->at;
}

static void expect(struct block *b, const uint32_t *words) {
  for (uint32_t i = 0; i < b->n; i++)
    if (words[i] != b->model[i]) {
      printf("seed %llu, call %d: word %u of %u of block %d, kind %d: %#x and "
             "not %#x\n",
             (unsigned long long)me->seed, me->call, i, b->n,
             (int)(b - me->block), b->kind, words[i], b->model[i]);
      disagree();
    }
}

static void fill(struct block *b, uint32_t value) {
  for (uint32_t i = 0; i < b->n; i++)
    b->model[i] = value;
}

static void allocate(struct block *b) {
  size_t bytes;
  b->kind = (enum kind)pick(kinds);
  b->n = 64 * (1 + pick(most / 64));
  b->stream = -1;
  bytes = b->n * sizeof *b->at;
  switch (b->kind) {
  case managed:
    OK(hipMallocManaged((void **)&b->free, bytes, hipMemAttachGlobal));
    b->at = b->free;
    break;
  case pinned:
    OK(hipHostMalloc((void **)&b->free, bytes, 0));
    OK(hipHostGetDevicePointer((void **)&b->at, b->free, 0));
    break;
  case on_host:
    b->free = aligned_alloc(4096, (bytes + 4095) / 4096 * 4096);
    OK(hipHostRegister(b->free, bytes, hipHostRegisterMapped));
    OK(hipHostGetDevicePointer((void **)&b->at, b->free, 0));
    break;
  default:
    OK(hipMalloc((void **)&b->free, bytes));
    b->at = b->free;
  }
  uint32_t value = pick(256) * 0x01010101u;
  OK(hipMemsetAsync(b->at, (int)(value & 255), bytes, me->stream[0]));
  OK(hipStreamSynchronize(me->stream[0]));
  finished(0);
  fill(b, value);
}

static void release_block(struct block *b) {
  idle(b);
  if (b->kind == on_host) {
    OK(hipHostUnregister(b->free));
    free(b->free);
  } else {
    OK(b->kind == pinned ? hipHostFree(b->free) : hipFree(b->free));
  }
}

/* Launches a kernel, in a block of two sizes, and says so to the model. */
static void launched(struct block *b, uint32_t k) {
  for (uint32_t i = 0; i < b->n; i++)
    b->model[i] = b->model[i] * 3 + k;
}

static void launch_step(struct block *b, int s) {
  uint32_t *p = use(b, s), k = (uint32_t)next(), items = 64 << pick(3);
  launch(step, (b->n + items - 1) / items, items, me->stream[s],
         (void *[]){&p, &b->n, &k});
  launched(b, k);
}

static void launch_reverse(struct block *b, int s) {
  uint32_t *p = use(b, s);
  launch(reverse, b->n / 64, 64, me->stream[s], (void *[]){&p});
  for (uint32_t g = 0; g < b->n; g += 64)
    for (int i = 0; i < 32; i++) {
      uint32_t w = b->model[g + i];
      b->model[g + i] = b->model[g + 63 - i];
      b->model[g + 63 - i] = w;
    }
}

/* Host memory for a copy under way: the stream that used it last is waited for. */
static uint32_t *stage(int s) {
  wait_for(s);
  return me->staging[pick(kept)];
}

static void upload(struct block *b, int s) {
  uint32_t *from = stage(s), *p = use(b, s);
  for (uint32_t i = 0; i < b->n; i++)
    from[i] = b->model[i] = (uint32_t)next();
  OK(hipMemcpyAsync(p, from, b->n * sizeof *p,
                    pick(2) ? hipMemcpyHostToDevice : hipMemcpyDefault,
                    me->stream[s]));
  OK(hipStreamSynchronize(me->stream[s]));
  finished(s);
}

static void look(struct block *b, int s) {
  uint32_t *to = stage(s), *p = use(b, s);
  OK(hipMemcpyAsync(to, p, b->n * sizeof *p,
                    pick(2) ? hipMemcpyDeviceToHost : hipMemcpyDefault,
                    me->stream[s]));
  OK(hipStreamSynchronize(me->stream[s]));
  finished(s);
  expect(b, to);
}

static void copy(struct block *to, struct block *from, int s) {
  uint32_t n = 1 + pick(to->n < from->n ? to->n : from->n);
  if (to == from)
    return;
  uint32_t *p = use(to, s), *q = use(from, s);
  OK(hipMemcpyAsync(p, q, n * sizeof *p, hipMemcpyDeviceToDevice,
                    me->stream[s]));
  memcpy(to->model, from->model, n * sizeof *p);
}

static void set(struct block *b, int s) {
  uint32_t *p = use(b, s), value = (uint32_t)next();
  if (pick(2)) {
    OK(hipMemsetD32Async(p, (int)value, b->n, me->stream[s]));
  } else {
    value = (value & 255) * 0x01010101u;
    OK(hipMemsetAsync(p, (int)(value & 255), b->n * sizeof *p, me->stream[s]));
  }
  fill(b, value);
}

static void call_back(hipStream_t s, hipError_t e, void *data) {
  (void)s;
  __atomic_fetch_add((int *)data, e == hipSuccess ? 1 : 1000, __ATOMIC_SEQ_CST);
}

static void callback(int s) {
  OK(hipStreamAddCallback(me->stream[s], call_back, &me->called, 0));
  me->expected++;
  OK(hipStreamSynchronize(me->stream[s]));
  finished(s);
  if (__atomic_load_n(&me->called, __ATOMIC_SEQ_CST) != me->expected) {
    printf("seed %llu, call %d: %d callbacks and not %d\n",
           (unsigned long long)me->seed, me->call, me->called, me->expected);
    disagree();
  }
}

/* A graph of a fill and some launches, of explicit nodes or captured, launched often. */
static void graph(struct block *b, int s) {
  hipGraph_t g;
  hipGraphExec_t exec;
  uint32_t *p = use(b, s), n = 1 + pick(5), k[5], times = 1 + pick(3);
  bool captured = release > 502 && pick(2); /* 5.2 captures no launches */
  for (uint32_t i = 0; i < n; i++)
    k[i] = (uint32_t)next();
  if (captured) {
    OK(hipStreamBeginCapture(me->stream[s], hipStreamCaptureModeThreadLocal));
    for (uint32_t i = 0; i < n; i++)
      launch(step, b->n / 64, 64, me->stream[s], (void *[]){&p, &b->n, &k[i]});
    OK(hipStreamEndCapture(me->stream[s], &g));
  } else {
    hipGraphNode_t before = NULL;
    OK(hipGraphCreate(&g, 0));
    for (uint32_t i = 0; i < n; i++) {
      hipGraphNode_t node;
      hipKernelNodeParams params = {.func = step,
                                    .gridDim = {b->n / 64, 1, 1},
                                    .blockDim = {64, 1, 1},
                                    .kernelParams =
                                        (void *[]){&p, &b->n, &k[i]}};
      OK(hipGraphAddKernelNode(&node, g, before ? &before : NULL,
                               before != NULL, &params));
      before = node;
    }
  }
  OK(hipGraphInstantiate(&exec, g, NULL, NULL, 0));
  for (uint32_t t = 0; t < times; t++) {
    OK(hipGraphLaunch(exec, me->stream[s]));
    for (uint32_t i = 0; i < n; i++)
      launched(b, k[i]);
  }
  OK(hipStreamSynchronize(me->stream[s]));
  finished(s);
  OK(hipGraphExecDestroy(exec));
  OK(hipGraphDestroy(g));
}

static void renew_stream(int s) {
  wait_for(s);
  OK(hipStreamDestroy(me->stream[s]));
  OK(hipStreamCreateWithFlags(&me->stream[s], hipStreamNonBlocking));
}

/* Loads the module another time and uses it once. */
static void reload(struct block *b, int s) {
  hipModule_t m = module();
  uint32_t *p = use(b, s), k = 7;
  launch(function(m, "step"), b->n / 64, 64, me->stream[s],
         (void *[]){&p, &b->n, &k});
  launched(b, k);
  wait_for(s);
  OK(hipModuleUnload(m));
}

#include "random_more.h"

static void one(void) {
  if (both && pick(2)) {
    one_of_second();
    return;
  }
  struct block *a = &me->block[pick(blocks)], *b = &me->block[pick(blocks)];
  int s = (int)pick(streams);
  uint32_t which = pick(100);
  enter((which >= 92 && which < 96) || which == 99);
  if (which < 25)
    launch_step(a, s);
  else if (which < 35)
    launch_reverse(a, s);
  else if (which < 50)
    copy(a, b, s);
  else if (which < 60)
    set(a, s);
  else if (which < 70)
    upload(a, s);
  else if (which < 80)
    look(a, s);
  else if (which < 84)
    wait_for(s);
  else if (which < 88)
    callback(s);
  else if (which < 92)
    graph(a, s);
  else if (which < 96) {
    release_block(a);
    allocate(a);
  } else if (which < 97)
    reload(a, s);
  else if (which < 99)
    renew_stream(s);
  else if (release < 603) {
    OK(hipDeviceSynchronize());
    finished(-1);
  } else { /* 7.2.4 refuses that while another thread captures, and may end the capture */
    for (s = 0; s < streams; s++)
      wait_for(s);
  }
  leave();
}

static void program(uint64_t seed) {
  me->seed = me->state = seed;
  enter(true);
  for (int i = 0; i < kept; i++)
    if (i % 2)
      OK(hipHostMalloc((void **)&me->staging[i], most * sizeof(uint32_t), 0));
    else
      me->staging[i] = malloc(most * sizeof(uint32_t));
  for (int i = 0; i < streams; i++)
    OK(hipStreamCreateWithFlags(&me->stream[i], hipStreamNonBlocking));
  for (int i = 0; i < events; i++)
    OK(hipEventCreateWithFlags(&me->event[i],
                               i % 2 ? hipEventDisableTiming : 0));
  for (int i = 0; i < blocks; i++)
    allocate(&me->block[i]);
  if (both)
    begin_second();
  leave();
  for (me->call = 0; me->call < calls; me->call++)
    one();
  enter(true);
  for (int i = 0; i < blocks; i++) {
    look(&me->block[i], (int)pick(streams));
    release_block(&me->block[i]);
  }
  if (both)
    end_second();
  for (int i = 0; i < events; i++)
    OK(hipEventDestroy(me->event[i]));
  for (int i = 0; i < streams; i++)
    OK(hipStreamDestroy(me->stream[i]));
  for (int i = 0; i < kept; i++)
    if (i % 2)
      OK(hipHostFree(me->staging[i]));
    else
      free(me->staging[i]);
  leave();
}

static time_t end;

static void *run(void *first) {
  me = calloc(1, sizeof *me);
  hipModule_t m = release < 603 ? module() : shared;
  step = function(m, "step");
  reverse = function(m, "reverse");
  uint64_t seed = (uint64_t)(uintptr_t)first;
  long done = 0;
  do {
    program(seed);
    seed += 1000;
    done++;
  } while (time(NULL) < end);
  free(me);
  return (void *)done;
}

int main(int argc, char **argv) {
  EXPECT(argc == 5 || (argc == 6 && strcmp(argv[5], "more") == 0));
  both = argc == 6;
  enum { most_threads = 64 };
  pthread_t thread[most_threads];
  uint64_t seed = strtoull(argv[1], NULL, 10);
  int threads = atoi(argv[2]), version;
  calls = atol(argv[3]);
  seconds = atol(argv[4]);
  EXPECT(threads > 0 && threads <= most_threads && calls > 0);
  CHECK(hipRuntimeGetVersion(&version));
  release = version / 10000000 * 100 + version / 100000 % 100;
  shared = module();
  if (both)
    first_of_pools();
  end = time(NULL) + seconds;
  for (int i = 0; i < threads; i++)
    EXPECT(pthread_create(&thread[i], NULL, run,
                          (void *)(uintptr_t)(seed + (uint64_t)i)) == 0);
  long programs = 0;
  for (int i = 0; i < threads; i++) {
    void *done;
    EXPECT(pthread_join(thread[i], &done) == 0);
    programs += (long)done;
  }
  fprintf(stderr, "%ld programs of %ld calls\n", programs, calls);
  puts("ok");
  if (release >= 700) { /* its end may use freed signals (docs/limits.md) */
    fflush(stdout);
    _exit(0);
  }
}
