/* peers IMAGE SEED THREADS CALLS [SECONDS [WORDS]]: random programs on all devices. Each
 * thread changes its device, has streams, events and blocks on all of them, and a model of
 * what every block holds. Copies go between devices on a stream of either; blocks are freed
 * while work uses them, while another device is current, or by another thread, which may
 * also go on with them. After CALLS calls each block is compared, and each device's memory
 * in use with what the program has there; with SECONDS, more programs follow until they
 * are over. WORDS: of the largest block. Prints the first disagreement, with its seed and
 * call, and exits with 1, or what was done. A SEED of 3 modulo 4 registers host memory, after
 * which frees wait. */
#include "peers.h"

#include <dlfcn.h>
#include <time.h>

#include "../../../internal/chost/module.h"

/* A kernel of a device, which becomes the thread's. */
static void *function(int device, const char *kernel) {
  go(device);
  return mgpuModuleGetFunction(me->module[cached ? 0 : device], kernel);
}

/* Launches a kernel of two or three arguments on a stream of the block's device. Once
 * the function is found, any device may be current. */
static void launch(struct block *b, const char *kernel, uint32_t at, uint32_t x,
                   uint32_t y) {
  int s = (int)pick(streams);
  use(b, b->device, s);
  void *f = function(b->device, kernel);
  if (pick(3) == 0)
    wander();
  uint32_t *p = b->at + at, group = 64u << pick(3), n = b->n - at;
  void *params[] = {&p, &x, &y};
  mgpuLaunchKernel(f, (n + group - 1) / group, 1, 1, group, 1, 1, 0,
                   on(b->device, s), params, NULL, 3);
  p = NULL;
  x = y = 0xdeadbeef;
  count(launched);
}

/* A part of a block: from where, and how many words. */
static uint32_t part(struct block *b, uint32_t *n) {
  uint32_t from = pick(4) ? 0 : pick(b->n);
  *n = pick(2) ? b->n - from : 1 + pick(b->n - from);
  return from;
}

static void fill(struct block *b) {
  uint32_t n, from = part(b, &n), value = (uint32_t)next();
  launch(b, "fill", from, value, n);
  for (uint32_t i = from; i < from + n; i++)
    b->model[i] = value;
}

static void step(struct block *b) {
  uint32_t n, from = part(b, &n);
  for (uint32_t times = 1 + pick(3); times > 0; times--) {
    launch(b, "step", from, n, 0);
    for (uint32_t i = from; i < from + n; i++)
      b->model[i] = 3 * b->model[i] + 1;
  }
}

static void set(struct block *b) {
  uint32_t n, from = part(b, &n), value = (uint32_t)next();
  int s = (int)pick(streams);
  use(b, b->device, s);
  wander();
  if (pick(2)) {
    value = (value & 0xffff) * 0x10001;
    mgpuMemset16(b->at + from, (uint16_t)value, 2 * (size_t)n,
                 on(b->device, s));
  } else
    mgpuMemset32(b->at + from, value, n, on(b->device, s));
  for (uint32_t i = from; i < from + n; i++)
    b->model[i] = value;
}

/* Keeps a stream busy for a while: the kernel waits in vain. */
static void delay(int home, int s) {
  void *f = function(home, "spin_until");
  uint32_t *flag = me->words[home] + 64 * s, *reached = flag + 32,
           turns = 100 + pick(400);
  void *params[] = {&flag, &reached, &turns};
  mgpuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, on(home, s), params, NULL, 3);
}

/* A copy on a stream of either block's device. */
static void copy(struct block *to, struct block *from, int home, int s) {
  if (to == from)
    return;
  uint32_t n = 1 + pick(to->n < from->n ? to->n : from->n);
  uint32_t at = pick(to->n - n + 1), of = pick(from->n - n + 1);
  use(to, home, s);
  use(from, home, s);
  wander();
  mgpuMemcpy(to->at + at, from->at + of, 4 * (size_t)n, on(home, s));
  memcpy(to->model + at, from->model + of, 4 * (size_t)n);
  if (to->device != from->device)
    count(crossed);
}

/* Host memory for copies on a stream, which nothing uses. */
static uint32_t *stage(int home, int s) {
  wait_for(home, s);
  return me->staging[home][s];
}

static void upload(struct block *b) {
  int s = (int)pick(streams);
  uint32_t *host = stage(b->device, s), n, from = part(b, &n);
  for (uint32_t i = 0; i < n; i++)
    host[i] = b->model[from + i] = (uint32_t)next();
  use(b, b->device, s);
  wander();
  mgpuMemcpy(b->at + from, host, 4 * (size_t)n, on(b->device, s));
  me->uploads[b->device][s] = true;
}

static void look(struct block *b) {
  int s = (int)pick(streams);
  uint32_t *host = stage(b->device, s);
  memset(host, 0xa5, 4 * (size_t)b->n);
  use(b, b->device, s);
  wander();
  mgpuMemcpy(host, b->at, 4 * (size_t)b->n, on(b->device, s));
  wait_for(b->device, s);
  for (uint32_t i = 0; i < b->n; i++)
    if (host[i] != b->model[i])
      DISAGREE("word %u of %u of block %d, on device %d: %#x and not %#x", i,
               b->n, (int)(b - me->block), b->device, host[i], b->model[i]);
}

/* The driver's cuPointerGetAttribute, and its number of the device's number. */
static int (*pointer_attribute)(void *to, unsigned which, uint64_t at);
enum { device_ordinal = 9 };

/* A block of one of a few sizes, so that freed ones serve again. */
static uint32_t any_size(void) { return (most >> 2 * pick(4)) - pick(8); }

/* Memory on a device, which becomes the thread's. */
static void *memory_on(int device, uint32_t n) {
  go(device);
  int home = pick(2) ? device : (int)pick((uint32_t)devices);
  void *p = mgpuMemAlloc(4 * (size_t)n, me->stream[home][pick(streams)], 0);
  if (p == NULL)
    DISAGREE("no memory on device %d", device);
  int at = -1;
  if (nvidia && (pointer_attribute(&at, device_ordinal, (uint64_t)p) != 0 ||
                 at != device))
    DISAGREE("memory of device %d lies on device %d", device, at);
  __atomic_fetch_add(&in_use[device], 4 * (uint64_t)n, __ATOMIC_RELAXED);
  count(allocated);
  return p;
}

static void free_on_any(void *p, int device, uint32_t n) {
  wander();
  __atomic_fetch_sub(&in_use[device], 4 * (uint64_t)n, __ATOMIC_RELAXED);
  mgpuMemFree(p, me->stream[pick((uint32_t)devices)][pick(streams)]);
}

static void allocate(struct block *b, int device, uint32_t n) {
  *b = (struct block){
      .device = device, .n = n, .at = memory_on(device, n), .home = -1};
  b->model = malloc(4 * (size_t)n);
  uint32_t value = (uint32_t)next();
  /* The stream knows nothing of who had the memory. */
  launch(b, "fill", 0, value, n);
  for (uint32_t i = 0; i < n; i++)
    b->model[i] = value;
}

static void release(struct block *b) {
  if (b->home >= 0)
    count(hot);
  free_on_any(b->at, b->device, b->n);
  free(b->model);
}

/* A new block in the place of one, which it may get the memory of at once. */
static void renew(struct block *b) {
  int device = pick(2) ? b->device : (int)pick((uint32_t)devices);
  uint32_t n = pick(2) ? b->n : any_size();
  release(b);
  allocate(b, device, n);
}

/* A copy between two blocks, one of which is freed and allocated again while the copy
 * waits, mostly on a stream of the other's device. Nothing but the copy forbids to give
 * the memory out again, if no other thread uses the device. */
static void rush(struct block *to, struct block *from) {
  struct block *freed = pick(2) ? to : from, *other = freed == to ? from : to;
  int home = pick(4) ? other->device : freed->device, s = (int)pick(streams),
      device = freed->device;
  uint32_t n = freed->n;
  delay(home, s);
  copy(to, from, home, s);
  for (int t = 0; t < streams && device != home; t++)
    wait_for(device, t);
  release(freed);
  allocate(freed, device, n);
}

/* Puts a block, whose work may be under way, where another thread finds it. */
static void give(struct block *b) {
  struct gift g = {*b, NULL};
  if (b->home >= 0) {
    go(b->home);
    g.event = mgpuEventCreate();
    mgpuEventRecord(g.event, on(b->home, b->stream));
  }
  pthread_mutex_lock(&lock);
  bool full = given == (int)(sizeof gifts / sizeof *gifts);
  if (!full)
    gifts[given++] = g;
  pthread_mutex_unlock(&lock);
  if (!full)
    allocate(b, (int)pick((uint32_t)devices), any_size());
  else if (g.event != NULL)
    mgpuEventDestroy(g.event);
}

/* Takes what another thread gave, in the place of a block: frees it as it is, or goes on
 * with it. False: there was nothing. */
static bool take_gift(struct block *b) {
  struct gift g;
  pthread_mutex_lock(&lock);
  bool any = given > 0;
  if (any) {
    int i = (int)pick((uint32_t)given);
    g = gifts[i];
    gifts[i] = gifts[--given];
  }
  pthread_mutex_unlock(&lock);
  if (!any)
    return false;
  wander();
  if (pick(2)) {
    release(&g.block);
  } else {
    release(b);
    *b = g.block;
    b->home = -1;
    if (g.event != NULL && pick(2)) {
      b->home = b->device;
      b->stream = (int)pick(streams);
      mgpuStreamWaitEvent(on(b->home, b->stream), g.event);
    } else if (g.event != NULL)
      mgpuEventSynchronize(g.event);
  }
  if (g.event != NULL)
    mgpuEventDestroy(g.event);
  return true;
}

/* Another stream for one whose work may be under way: another one, of any device, has
 * to wait for that. */
static void renew_stream(int home) {
  int s = 1 + (int)pick(streams - 1), t = (int)pick(streams),
      other = (int)pick((uint32_t)devices);
  if (other == home && s == t)
    return;
  if (me->uploads[home][s])
    wait_for(home, s);
  follow(other, t, home, s);
  for (int b = 0; b < blocks; b++)
    if (me->block[b].home == home && me->block[b].stream == s) {
      me->block[b].home = other;
      me->block[b].stream = t;
    }
  wander();
  mgpuStreamDestroy(me->stream[home][s]);
  go(home);
  me->stream[home][s] = mgpuStreamCreate();
}

static void renew_event(int home) {
  int e = (int)pick(events);
  wander();
  mgpuEventDestroy(me->event[home][e]);
  go(home);
  me->event[home][e] = mgpuEventCreate();
}

static void load(void) {
  for (int d = 0; d < (cached ? 1 : devices); d++) {
    go(cached ? (int)pick((uint32_t)devices) : d);
    me->module[d] =
        nvidia ? mgpuModuleLoadJIT(image, 2, 0) : mgpuModuleLoad(image, 0);
  }
}

static void unload(void) {
  for (int d = 0; d < (cached ? 1 : devices); d++) {
    wander();
    mgpuModuleUnload(me->module[d]);
  }
}

static void reload(void) {
  for (int d = 0; d < devices; d++)
    for (int s = 0; s < streams; s++)
      wait_for(d, s);
  unload();
  load();
}

static void one(void) {
  struct block *a = &me->block[pick(blocks)], *b = &me->block[pick(blocks)];
  uint32_t which = pick(100);
  int device = (int)pick((uint32_t)devices);
  if (which < 20)
    step(a);
  else if (which < 28)
    fill(a);
  else if (which < 50)
    copy(a, b, pick(2) ? a->device : b->device, (int)pick(streams));
  else if (which < 56)
    set(a);
  else if (which < 60)
    upload(a);
  else if (which < 66)
    look(a);
  else if (which < 70)
    wait_for(device, (int)pick(streams));
  else if (which < 76)
    renew(a);
  else if (which < 82)
    rush(a, b);
  else if (which < 88)
    give(a);
  else if (which < 94)
    take_gift(a);
  else if (which < 97)
    renew_stream(device);
  else if (which < 99)
    renew_event(device);
  else
    reload();
  char text[512];
  if (mgpuxTakeError(text, sizeof text) != mgpux_ok)
    DISAGREE("%s", text);
}

static void begin(void) {
  me->state = me->seed * max_threads + (uint64_t)me->number;
  mgpuSetDefaultDevice(0);
  for (int d = 0; d < devices; d++) {
    go(d);
    for (int s = 0; s < streams; s++) {
      me->stream[d][s] = s == 0 ? NULL : mgpuStreamCreate();
      me->staging[d][s] =
          aligned_alloc(4096, (4 * (size_t)most + 4095) / 4096 * 4096);
      if (registers && s == 1)
        mgpuMemHostRegister(me->staging[d][s], 4 * (size_t)most);
    }
    for (int e = 0; e < events; e++)
      me->event[d][e] = mgpuEventCreate();
    me->words[d] = memory_on(d, 64 * streams);
    mgpuMemset32(me->words[d], 0, 64 * streams, me->stream[d][1]);
    wait_for(d, 1);
  }
  load();
  for (int b = 0; b < blocks; b++)
    allocate(&me->block[b], (int)pick((uint32_t)devices), any_size());
}

static void end(void) {
  while (me->number == 0 && take_gift(&me->block[0]))
    ;
  for (int b = 0; b < blocks; b++)
    release(&me->block[b]);
  for (int d = 0; d < devices; d++) {
    for (int s = 0; s < streams; s++)
      wait_for(d, s);
    free_on_any(me->words[d], d, 64 * streams);
  }
  unload();
  for (int d = 0; d < devices; d++) {
    for (int e = 0; e < events; e++)
      mgpuEventDestroy(me->event[d][e]);
    for (int s = 0; s < streams; s++) {
      wander();
      if (s > 0)
        mgpuStreamDestroy(me->stream[d][s]);
      if (registers && s == 1)
        mgpuMemHostUnregister(me->staging[d][s]);
      free(me->staging[d][s]);
    }
  }
}

/* Compares what is in use on each device, where the library counts it; no thread makes
 * calls. Blocks are up to an eighth larger than what was asked for, and of 512 bytes at
 * least. */
static void account(void) {
  for (int d = 0; d < devices; d++) {
    struct mgpux_memory_stats m;
    mgpuxGetMemoryStats(d, &m, sizeof m);
    if (m.hits + m.misses == 0)
      continue;
    uint64_t of = (uint64_t)((blocks + devices) * threads + given) * 512;
    if (m.live < in_use[d] ||
        m.live > in_use[d] + in_use[d] / 8 + (in_use[d] ? of : 0))
      DISAGREE("device %d has %llu bytes in use, the program %llu", d,
               (unsigned long long)m.live, (unsigned long long)in_use[d]);
  }
}

static pthread_barrier_t all;

static void *run(void *argument) {
  me = argument;
  begin();
  for (me->call = 0; me->call < calls; me->call++)
    one();
  for (int b = 0; b < blocks; b++)
    look(&me->block[b]);
  pthread_barrier_wait(&all);
  if (me->number == 0)
    account();
  pthread_barrier_wait(&all);
  end();
  pthread_barrier_wait(&all);
  if (me->number == 0)
    account();
  char text[512];
  if (mgpuxTakeError(text, sizeof text) != mgpux_ok)
    DISAGREE("%s", text);
  return NULL;
}

int main(int argc, char **argv) {
  image = read_module(argc > 1 ? argv[1] : NULL);
  if (argc < 5 || (threads = atoi(argv[3])) < 1 || threads > max_threads)
    return 2;
  uint64_t seed = strtoull(argv[2], NULL, 10);
  calls = atol(argv[4]);
  time_t last = time(NULL) + (argc > 5 ? atol(argv[5]) : 0);
  if (argc > 6)
    most = (uint32_t)atol(argv[6]);
  devices = mgpuxGetDeviceCount();
  if (devices < 2 || devices > max_devices) {
    printf("%d devices: there have to be 2 to %d\n", devices, max_devices);
    return 2;
  }
  struct mgpux_stats stats;
  mgpuxGetStats(&stats, sizeof stats);
  cached = stats.cache != 0;
  registers = seed % 4 == 3;
  nvidia = strcmp(stats.driver, "cuda") == 0;
  if (nvidia) {
    void *h = dlopen("libcuda.so.1", RTLD_NOW);
    *(void **)&pointer_attribute =
        h == NULL ? NULL : dlsym(h, "cuPointerGetAttribute");
    if (pointer_attribute == NULL)
      return 2;
  }
  long programs = 0;
  pthread_t t[max_threads];
  pthread_barrier_init(&all, NULL, (unsigned)threads);
  do {
    for (int i = 0; i < threads; i++) {
      thread[i] = (struct thread){.number = i, .seed = seed};
      if (pthread_create(&t[i], NULL, run, &thread[i]) != 0)
        return 2;
    }
    for (int i = 0; i < threads; i++)
      pthread_join(t[i], NULL);
    seed += 4;
    programs++;
  } while (time(NULL) < last);
  printf("%ld programs of %d threads on %d devices: %ld blocks, %ld launches, "
         "%ld copies between devices, %ld frees under way\n",
         programs, threads, devices, done[allocated], done[launched],
         done[crossed], done[hot]);
  return 0;
}
