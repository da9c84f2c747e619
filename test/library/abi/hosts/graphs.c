/* graphs IMAGE SEED REGIONS: a random program, of a fixed seed, whose pieces are
 * recorded as graphs, or executed as they come where REGIONS is 0. Pieces of one key
 * have mostly the same calls each time, with other values; those of the last key are
 * long chains of launches. What pieces find under way they may wait for, and read it
 * in registered memory. Prints a hash of all that was computed, and how many pieces
 * were launched as graphs. */
#include "capture.h"

enum {
  words = 64,
  buffers = 6,
  streams = 3,
  events = 4,
  keys = 4,
  rounds = 12,
  calls = 24,
  links = 90
};

static uint64_t shape, values; /* states of random numbers */

static uint64_t next(uint64_t *state) {
  *state += 0x9e3779b97f4a7c15;
  uint64_t z = *state;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
  z = (z ^ z >> 27) * 0x94d049bb133111eb;
  return z ^ z >> 31;
}

static uint32_t pick(uint32_t n) { return (uint32_t)(next(&shape) % n); }

static void *fill, *step, *add, *buffer[buffers], *stream[streams],
    *event[events];
static int last[buffers]; /* the stream that used it last; -1: it is idle */
static uint64_t hash = 0xcbf29ce484222325;

static void mix(const void *p, size_t n) {
  for (size_t i = 0; i < n; i++)
    hash = (hash ^ ((const unsigned char *)p)[i]) * 0x100000001b3;
}

/* Orders stream s after the buffer's last use. */
static void *use(int b, int s) {
  if (last[b] >= 0 && last[b] != s) {
    void *e = event[pick(events)];
    mgpuEventRecord(e, stream[last[b]]);
    mgpuStreamWaitEvent(stream[s], e);
  }
  last[b] = s;
  return buffer[b];
}

static void launch(void *f, void *s, void *a, uint32_t b, uint32_t c) {
  void *params[] = {&a, &b, &c};
  mgpuLaunchKernel(f, 1, 1, 1, words, 1, 1, 0, s, params, NULL, 3);
  b = c = 0xdeadbeef;
  a = NULL;
}

static void wait_for(int s) {
  mgpuStreamSynchronize(stream[s]);
  for (int b = 0; b < buffers; b++)
    if (last[b] == s)
      last[b] = -1;
}

static void call(bool rare) {
  int a = (int)pick(buffers), b = (int)pick(buffers), c = (int)pick(buffers),
      s = (int)pick(streams);
  uint32_t n = 1 + (uint32_t)(next(&values) % words);
  switch (pick(rare ? 12 : 10)) {
  case 0:
    launch(step, stream[s], use(a, s), n, 0);
    break;
  case 1:
    launch(fill, stream[s], use(a, s), (uint32_t)next(&values), n);
    break;
  case 2: {
    void *x = use(a, s), *y = use(b, s), *z = use(c, s);
    if (c == a || c == b)
      break;
    void *params[] = {&x, &y, &z, &n};
    mgpuLaunchKernel(add, 1, 1, 1, words, 1, 1, 0, stream[s], params, NULL, 4);
    break;
  }
  case 3:
    mgpuMemset32(use(a, s), (uint32_t)next(&values), n, stream[s]);
    break;
  case 4:
    mgpuMemset16(use(a, s), (uint16_t)next(&values), n, stream[s]);
    break;
  case 5: {
    void *x = use(a, s), *y = use(b, s);
    if (a != b)
      mgpuMemcpy(x, y, 4 * n, stream[s]);
    break;
  }
  case 6: {
    uint32_t host[words];
    for (int i = 0; i < words; i++)
      host[i] = (uint32_t)next(&values);
    mgpuMemcpy(use(a, s), host, sizeof host, stream[s]);
    memset(host, 0x55, sizeof host);
    break;
  }
  case 7:
    wait_for(s);
    break;
  case 8: { /* as it is lowered: everything around one launch */
    if (last[a] >= 0)
      wait_for(last[a]);
    void *t = mgpuStreamCreate();
    launch(step, t, buffer[a], n, 0);
    mgpuStreamSynchronize(t);
    mgpuStreamDestroy(t);
    break;
  }
  case 9: { /* as LLVM 18 to 22 lower joined tokens: a stream in an event's place */
    void *t = mgpuStreamCreate();
    if (last[a] >= 0)
      mgpuStreamWaitEvent(t, stream[last[a]]);
    launch(step, t, buffer[a], n, 0);
    void *e = mgpuEventCreate();
    mgpuEventRecord(e, t);
    mgpuStreamDestroy(t);
    mgpuStreamWaitEvent(stream[s], e);
    mgpuEventDestroy(e);
    last[a] = s;
    break;
  }
  case 10: { /* what no graph has */
    uint32_t host[words];
    mgpuMemcpy(host, use(a, s), sizeof host, stream[s]);
    wait_for(s);
    mix(host, sizeof host);
    break;
  }
  case 11: {
    void *p = mgpuMemAlloc(256, stream[s], 0);
    mgpuMemFree(p, stream[s]);
    break;
  }
  }
}

/* A copy to registered memory that is under way when the piece begins, and how the
 * piece waits for it. */
static uint32_t seen[1024] __attribute__((aligned(4096)));

enum way { by_stream, by_event, by_stream_as_event, by_default_order, ways };

static struct look {
  enum way way;
  int at, buffer, stream; /* at: before that call */
} look;

static void *mark;

static void begin_look(bool ordered, int n) {
  look = (struct look){.way = (enum way)pick(ordered ? ways : ways - 1),
                       .at = (int)pick(4) == 0 ? 0 : (int)pick((uint32_t)n),
                       .buffer = (int)pick(buffers),
                       .stream = (int)pick(streams)};
  void *s = stream[look.stream];
  for (int i = 0; i < 8; i++)
    launch(step, s, use(look.buffer, look.stream), words, 0);
  if (look.way == by_default_order) {
    mgpuMemcpy(seen, buffer[look.buffer], 4 * words, NULL);
    return;
  }
  mgpuMemcpy(seen, buffer[look.buffer], 4 * words, s);
  if (look.way == by_event)
    mgpuEventRecord(mark, s);
}

static void end_look(void) {
  void *s = stream[look.stream];
  switch (look.way) {
  case by_event:
    mgpuEventSynchronize(mark);
    break;
  case by_stream_as_event:
    mgpuEventSynchronize(s);
    break;
  case by_default_order: /* after the default stream's work, as all work */
    launch(step, s, use(look.buffer, look.stream), 1, 0);
    /* fall through */
  default:
    mgpuStreamSynchronize(s);
  }
  look.at = -1;
  mix(seen, 4 * words);
}

/* Memory that the piece allocates and frees. */
static void temporary(void) {
  int a = (int)pick(buffers), b = (int)pick(buffers), s = (int)pick(streams);
  uint32_t n = 1 + (uint32_t)(next(&values) % words);
  size_t bytes = 256 << pick(3);
  void *p = mgpuMemAlloc(bytes, stream[s], 0), *x = use(a, s), *y = use(b, s);
  launch(fill, stream[s], p, (uint32_t)next(&values), words);
  launch(step, stream[s], p, n, 0);
  void *params[] = {&x, &p, &y, &n};
  mgpuLaunchKernel(add, 1, 1, 1, words, 1, 1, 0, stream[s], params, NULL, 4);
  mgpuMemFree(p, stream[s]);
}

/* A call that the piece has not had before, now and then; false: it ends here. */
static bool deviate(uint32_t odd, int i, int n) {
  if (odd / 4 % (uint32_t)(4 * n) != (uint32_t)i)
    return true;
  uint64_t kept = shape;
  shape = next(&values);
  if (odd % 4 != 0)
    call(false);
  if (odd % 4 != 1)
    shape = kept;
  return odd % 4 != 0;
}

/* Launches one after another, whose sizes and arguments change: on one stream, or
 * each on its own, as it is lowered. */
static void chain(int n, uint32_t odd, bool lowered) {
  for (int i = 0; i < n && deviate(odd, i, n); i++) {
    if (i == look.at)
      end_look();
    int a = (int)pick(buffers);
    for (int b = a; lowered && b < a + 2; b++)
      if (last[b % buffers] >= 0)
        wait_for(last[b % buffers]);
    void *s = lowered ? mgpuStreamCreate() : stream[0];
    void *x = lowered ? buffer[a] : use(a, 0), *y = buffer[(a + 1) % buffers];
    uint32_t count = 1 + (uint32_t)(next(&values) % words);
    if (pick(3) == 0 && last[(a + 1) % buffers] <= 0) {
      void *z = buffer[(a + 1) % buffers], *params[] = {&z, &y, &x, &count};
      mgpuLaunchKernel(add, 1, 1, 1, words, 1, 1, 0, s, params, NULL, 4);
      if (!lowered)
        use((a + 1) % buffers, 0);
    } else {
      void *params[] = {&x, &count, &count};
      mgpuLaunchKernel(step, 1 + count % 3, 1, 1, words, 1, 1, 0, s, params,
                       NULL, 3);
    }
    if (lowered) {
      mgpuStreamSynchronize(s);
      mgpuStreamDestroy(s);
    } else if (pick(20) == 0) {
      wait_for(0);
    }
  }
}

int main(int argc, char **argv) {
  if (argc < 4)
    return 2;
  void *m = mgpuModuleLoad(read_module(argv[1]), 0);
  fill = mgpuModuleGetFunction(m, "fill");
  step = mgpuModuleGetFunction(m, "step");
  add = mgpuModuleGetFunction(m, "vector_add");
  uint64_t seed = strtoull(argv[2], NULL, 10);
  bool regions = atoi(argv[3]) != 0;
  for (int b = 0; b < buffers; b++) {
    buffer[b] = mgpuMemAlloc(4 * words, NULL, 0);
    mgpuMemset32(buffer[b], (uint32_t)b, words, NULL);
    last[b] = -1;
  }
  mgpuStreamSynchronize(NULL);
  for (int s = 0; s < streams; s++)
    stream[s] = mgpuStreamCreate();
  for (int e = 0; e < events; e++)
    event[e] = mgpuEventCreate();
  mark = mgpuEventCreate();
  struct mgpux_stats stats;
  mgpuxGetStats(&stats, sizeof stats);
  bool looks = seed % 4 != 3, ordered = strcmp(stats.driver, "cuda") != 0;
  if (looks)
    mgpuMemHostRegister(seen, sizeof seen);
  int launched = 0;
  void *cache = mgpuxAllocCacheCreate();
  values = seed;
  for (int round = 0; round < rounds; round++)
    for (int key = 0; key < keys; key++) {
      shape = seed * keys + (uint64_t)key;
      uint32_t odd = (uint32_t)next(&values);
      if (key == keys - 1)
        for (int s = 0; s < streams; s++)
          wait_for(s);
      if (pick(3) == 0)
        launch(step, stream[0], use(0, 0), words,
               0); /* pending when the piece begins */
      if (key == keys - 1 && seed % 2 == 1)
        wait_for(0);
      look.at = -1;
      if (looks && pick(2) == 0)
        begin_look(ordered, calls);
      if (key == 1)
        mgpuxAllocCacheBegin(cache);
      if (regions)
        mgpuxGraphBegin((uint64_t)key);
      if (key == keys - 1)
        chain(links, odd, seed % 2 == 1);
      else
        for (int i = 0; i < calls && deviate(odd, i, calls); i++) {
          if (i == look.at)
            end_look();
          if (key == 1 && pick(5) == 0)
            temporary();
          else
            call(key == 2 && round == rounds / 2);
        }
      if (regions)
        launched += mgpuxGraphEnd();
      if (regions && mgpuxGraphIsRecording())
        return 3;
      if (key == 1)
        mgpuxAllocCacheEnd(cache);
      if (look.at >= 0) /* the piece was too short */
        end_look();
      uint32_t host[words];
      int b = (int)pick(buffers);
      mgpuMemcpy(host, use(b, 1), sizeof host, stream[1]);
      wait_for(1);
      mix(host, sizeof host);
    }
  for (int b = 0; b < buffers; b++) {
    uint32_t host[words];
    mgpuMemcpy(host, use(b, 0), sizeof host, stream[0]);
    wait_for(0);
    mix(host, sizeof host);
  }
  printf("hash %016llx\n", (unsigned long long)hash);
  printf("graphs %d\n", launched);
  for (uint64_t key = 0; regions && key < keys; key++)
    mgpuxGraphDestroy(key);
  return 0;
}
