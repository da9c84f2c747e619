/* graphcases IMAGE [exit | fault]: graphs used wrongly, and what happens around them. */
#include "capture.h"

#include <sys/wait.h>

enum { words = 64 };

BLOB(globals, "globals.hsaco");

static void *fill, *step, *add, *store, *stream;
static uint32_t *memory;

static void launch(void *f, void *s, void *a, uint32_t b, uint32_t c) {
  void *params[] = {&a, &b, &c};
  mgpuLaunchKernel(f, 1, 1, 1, words, 1, 1, 0, s, params, NULL, 3);
}

static uint32_t first(void) {
  uint32_t host[words];
  mgpuMemcpy(host, memory, sizeof host, stream);
  mgpuStreamSynchronize(stream);
  return host[0];
}

static void number(const char *name, long n) {
  printf("%s\t%ld\t0\t\n", name, n);
  fflush(stdout);
}

/* A graph that fills, and steps so often. */
static int32_t record(uint64_t key, uint32_t value, int steps) {
  mgpuxGraphBegin(key);
  launch(fill, stream, memory, value, words);
  for (int i = 0; i < steps; i++)
    launch(step, stream, memory, words, 0);
  return mgpuxGraphEnd();
}

static void order(void) {
  int32_t got = -1;
  VOID_CASE("end without begin", got = mgpuxGraphEnd());
  number("and gave", got);
  number("begin", mgpuxGraphBegin(1));
  begin();
  got = mgpuxGraphBegin(2);
  end("begin twice", NULL);
  number("and gave", got);
  number("still recording", mgpuxGraphIsRecording());
  launch(fill, stream, memory, 5, words);
  number("end", mgpuxGraphEnd());
  number("recording after the end", mgpuxGraphIsRecording());
  number("filled", first());
  mgpuxGraphBegin(3);
  number("nothing recorded", mgpuxGraphEnd());
  VOID_CASE("launch of nothing recorded", mgpuxGraphLaunch(3, stream));
  VOID_CASE("launch of an unknown key", mgpuxGraphLaunch(99, stream));
  VOID_CASE("destroy of an unknown key", mgpuxGraphDestroy(99));
  mgpuxGraphLaunch(1, stream);
  mgpuxGraphDestroy(1);
  number("launched, then destroyed", first());
  VOID_CASE("launch of a destroyed graph", mgpuxGraphLaunch(1, stream));
  VOID_CASE("destroyed again", mgpuxGraphDestroy(1));
  mgpuxGraphDestroy(3);
  record(4, 1, 1);
  VOID_CASE("launch on an event", {
    void *e = mgpuEventCreate();
    mgpuxGraphLaunch(4, e);
    mgpuEventDestroy(e);
  });
  VOID_CASE("launch on a destroyed stream", {
    void *s = mgpuStreamCreate();
    mgpuStreamDestroy(s);
    mgpuxGraphLaunch(4, s);
  });
  mgpuxGraphLaunch(4, NULL);
  mgpuStreamSynchronize(NULL);
  number("on the default stream", first());
}

static void update(void) {
  int32_t got = 0;
  record(10, 1, 2);
  record(11, 7, 2);
  record(12, 7, 3);
  got = mgpuxGraphUpdate(10, 11);
  number("update in place", got);
  mgpuxGraphLaunch(10, stream);
  number("updated", first()); /* 3*(3*7+1)+1 */
  number("update with another topology", mgpuxGraphUpdate(10, 12));
  mgpuxGraphLaunch(10, stream);
  number("replaced", first());
  VOID_CASE("update of an unknown key", got = mgpuxGraphUpdate(99, 10));
  number("and gave", got);
  VOID_CASE("update with an unknown key", got = mgpuxGraphUpdate(10, 99));
  number("and gave", got);
  number("with itself", mgpuxGraphUpdate(10, 10));
  /* A graph that is updated has nothing left of what it was. */
  uint32_t from[words];
  memset(from, 0, sizeof from);
  void *cache = mgpuxAllocCacheCreate();
  mgpuxAllocCacheBegin(cache);
  mgpuxGraphBegin(13);
  void *p = mgpuMemAlloc(4 * words, stream, 0);
  mgpuMemcpy(p, from, sizeof from, stream);
  mgpuMemFree(p, stream);
  mgpuxGraphEnd();
  VOID_CASE("allocates", mgpuxGraphUpdate(10, 13));
  mgpuxGraphBegin(14);
  mgpuMemcpy(memory, from, sizeof from, stream);
  mgpuxGraphEnd();
  VOID_CASE("copies host memory", mgpuxGraphUpdate(10, 14));
  number("no more", mgpuxGraphUpdate(14, 11));
  number("no more", mgpuxGraphUpdate(13, 11));
  void *again = mgpuMemAlloc(4 * words, stream, 0);
  number("its memory is free", again == p);
  mgpuMemFree(again, stream);
  mgpuxAllocCacheEnd(cache);
  mgpuxGraphDestroy(11);
  number("and serves others", mgpuxGraphUpdate(10, 13));
  number("and serves others", mgpuxGraphUpdate(10, 14));
  mgpuxGraphLaunch(10, stream);
  number("with what it does now", first());
}

/* What ends a recording: said once, and the results are the same. */
static void ends(void) {
  for (int round = 0; round < 2; round++) {
    void *p = mgpuMemAlloc(16, NULL, 0);
    begin();
    mgpuxGraphBegin(20);
    launch(fill, stream, memory, 40 + (uint32_t)round, words);
    mgpuMemFree(p, NULL);
    int32_t recording = mgpuxGraphIsRecording();
    launch(step, stream, memory, words, 0);
    int32_t launched = mgpuxGraphEnd();
    end("a free of earlier memory", p);
    number("recording, launched", 10 * recording + launched);
    number("result", first());
  }
  begin();
  mgpuxGraphBegin(20);
  launch(fill, stream, memory, 50, words);
  uint32_t got = first();
  mgpuxGraphEnd();
  end("a copy to the host", NULL);
  number("read", got);
  mgpuxGraphBegin(20);
  launch(fill, stream, memory, 60, words);
  number("the next one records", mgpuxGraphEnd());
  number("result", first());
}

/* Memory that is allocated in a region, in a scope. */
static void scopes(void) {
  void *cache = mgpuxAllocCacheCreate(), *p[3] = {0}, *mine = NULL;
  int32_t launched = 0, recording = 0;
  long others = 0;
  mgpuxAllocCacheBegin(cache);
  for (int round = 0; round < 3; round++) {
    mgpuxGraphBegin(40);
    p[round] = mgpuMemAlloc(4 * words, stream, 0);
    launch(fill, stream, p[round], 6 + (uint32_t)round, words);
    void *params[] = {&p[round], &p[round], &memory, &(uint32_t){words}};
    mgpuLaunchKernel(add, 1, 1, 1, words, 1, 1, 0, stream, params, NULL, 4);
    mgpuMemFree(p[round], stream);
    recording += mgpuxGraphIsRecording();
    launched += mgpuxGraphEnd();
    number("with memory of its own", first());
    mgpuStreamSynchronize(stream);
    mine = mgpuMemAlloc(4 * words, stream, 0);
    others += mine == p[round];
    mgpuMemFree(mine, stream);
  }
  number("recorded, launched", 10 * recording + launched);
  number("the same memory", p[0] == p[1] && p[1] == p[2]);
  number("that others got", others);
  VOID_CASE("freed again", mgpuMemFree(p[0], stream));
  mgpuxAllocCacheEnd(cache);
  mgpuxAllocCacheBegin(cache);
  mine = mgpuMemAlloc(4 * words, stream, 0);
  number("in the next session", mine == p[0]);
  mgpuMemFree(mine, stream);
  mgpuxGraphLaunch(40, stream);
  number("launched again", first());
  int32_t got = 0;
  record(41, 1, 1);
  VOID_CASE("given to another", got = mgpuxGraphUpdate(41, 40));
  number("and gave", got);
  mgpuxGraphDestroy(40);
  mgpuxGraphDestroy(41);
  mgpuStreamSynchronize(stream);
  void *a = mgpuMemAlloc(4 * words, stream, 0),
       *b = mgpuMemAlloc(4 * words, stream, 0);
  number("once the graph is gone", a == p[0] || b == p[0]);
  mgpuMemFree(a, stream);
  mgpuMemFree(b, stream);
  mgpuxAllocCacheEnd(cache);
  /* A scope that ends before the graph that uses its memory. */
  mgpuxAllocCacheBegin(cache);
  mgpuxGraphBegin(42);
  a = mgpuMemAlloc(4 * words, stream, 0);
  launch(fill, stream, a, 1, words);
  mgpuMemFree(a, stream);
  mgpuxGraphEnd();
  mgpuxAllocCacheEnd(cache);
  begin();
  mgpuxAllocCacheDestroy(cache);
  mgpuxGraphLaunch(42, stream);
  mgpuStreamSynchronize(stream);
  mgpuxGraphDestroy(42);
  end("without the scope", NULL);
}

/* What is recorded for the third time begins before its end. */
static void early(void) {
  uint32_t *host = aligned_alloc(4096, 4096);
  memset(host, 0, 4096);
  mgpuMemHostRegister(host, 4096);
  uint32_t seen = 0, value = 0;
  for (int round = 0; round < 3; round++) {
    mgpuStreamSynchronize(stream);
    mgpuxGraphBegin(45);
    for (int i = 0; i < 40; i++) {
      void *s = mgpuStreamCreate();
      launch(fill, s, host, ++value, 1);
      mgpuStreamSynchronize(s);
      mgpuStreamDestroy(s);
    }
    for (int n = 0; round == 2 && seen != value - 24 && n < 300000; n++) {
      seen = *(volatile uint32_t *)host;
      usleep(1000);
    }
    mgpuxGraphEnd();
  }
  number("begun before the end", seen == value - 24);
  number("and ended", *(volatile uint32_t *)host == value);
  mgpuxGraphDestroy(45);
  mgpuMemHostUnregister(host);
  free(host);
}

/* Host memory that a recording takes along which comes to nothing. */
static void retaken(void) {
  uint32_t host[words];
  for (int round = 0; round < 3; round++) {
    memset(host, 1 + round, sizeof host);
    begin();
    mgpuxGraphBegin(47);
    mgpuMemcpy(memory, host, sizeof host, stream);
    launch(step, stream, memory, 1, 0);
    if (round == 1)
      first();
    mgpuxGraphEnd();
    mgpuxGraphLaunch(47, stream);
    end("retaken", NULL);
    number("after retaking", first());
  }
  mgpuxGraphDestroy(47);
}

/* Parameters that can't be read, in what is recorded for the first time and again. */
static void garbage(void) {
  for (int round = 0; round < 4; round++) {
    begin();
    mgpuxGraphBegin(46);
    launch(fill, stream, memory, 3, words);
    launch(step, stream, memory, words, 0);
    void *params[] = {&memory, round == 0 || round == 3 ? NULL : &(uint32_t){1},
                      NULL};
    mgpuLaunchKernel(step, 1, 1, 1, words, 1, 1, 0, stream, params, NULL, 2);
    mgpuxGraphEnd();
    end("garbage", NULL);
    number("beside garbage", first());
  }
}

static pthread_barrier_t both;

static void *elsewhere(void *result) {
  void *s = mgpuStreamCreate();
  uint32_t *own = mgpuMemAlloc(4 * words, NULL, 0), host[words];
  mgpuxGraphBegin(31);
  launch(fill, s, own, 3, words);
  pthread_barrier_wait(&both);
  launch(step, s, own, words, 0);
  pthread_barrier_wait(&both);
  int32_t launched = mgpuxGraphEnd();
  mgpuMemcpy(host, own, sizeof host, s);
  mgpuStreamSynchronize(s);
  *(long *)result = 1000 * launched + host[0];
  mgpuMemFree(own, s);
  mgpuStreamDestroy(s);
  return NULL;
}

static void *abandon(void *unused) {
  mgpuxGraphBegin(32);
  launch(fill, stream, memory, 9, words);
  return unused;
}

static void *quick(void *unused) {
  mgpuStreamDestroy(mgpuStreamCreate());
  return unused;
}

static void threads(void) {
  pthread_t t;
  long there = 0;
  pthread_barrier_init(&both, NULL, 2);
  pthread_create(&t, NULL, elsewhere, &there);
  mgpuxGraphBegin(30);
  launch(fill, stream, memory, 4, words);
  pthread_barrier_wait(&both);
  launch(step, stream, memory, words, 0);
  begin();
  int32_t same = 0;
  mgpuxGraphEnd();
  same = mgpuxGraphBegin(31);
  end("another's key", NULL);
  number("and gave", same);
  pthread_barrier_wait(&both);
  pthread_join(t, NULL);
  number("here", first());
  number("there", there);
  pthread_create(&t, NULL, abandon, NULL);
  pthread_join(t, NULL);
  pthread_create(&t, NULL, quick,
                 NULL); /* takes over what the one that ended left */
  pthread_join(t, NULL);
  number("a key of a thread that ended", record(32, 12, 0));
  number("result", first());
}

static void forks(void) {
  mgpuxGraphBegin(40);
  launch(fill, stream, memory, 8, words);
  begin();
  pid_t child = fork();
  if (child == 0) {
    launch(step, stream, memory, words, 0);
    _exit(mgpuxGraphEnd());
  }
  int status = -1;
  waitpid(child, &status, 0);
  end("in a child", NULL);
  number("the child's end", status);
  number("the parent's end", mgpuxGraphEnd());
  number("result", first());
}

static void unloads(void) {
  void *m = mgpuModuleLoad(globals, 0);
  void *f = mgpuModuleGetFunction(m, KERNEL);
  mgpuxGraphBegin(50);
  launch(fill, stream, memory, 8, words);
  mgpuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, stream, (void *[]){&memory}, NULL,
                   0);
  number("with a module of its own", mgpuxGraphEnd());
  mgpuStreamSynchronize(stream);
  mgpuModuleUnload(m);
  VOID_CASE("launch after the unload", mgpuxGraphLaunch(50, stream));
  m = mgpuModuleLoad(globals, 0);
  f = mgpuModuleGetFunction(m, KERNEL);
  begin();
  mgpuxGraphBegin(50);
  mgpuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, stream, (void *[]){&memory}, NULL,
                   0);
  mgpuModuleUnload(m);
  int32_t launched = mgpuxGraphEnd();
  end("unloaded while recording", NULL);
  number("and gave", launched);
  number("recorded again", record(50, 1, 1));
}

int main(int argc, char **argv) {
  if (argc < 2)
    return 2;
  const char *how = argc > 2 ? argv[2] : "";
  void *m = mgpuModuleLoad(read_module(argv[1]), 0);
  fill = mgpuModuleGetFunction(m, "fill");
  step = mgpuModuleGetFunction(m, "step");
  store = mgpuModuleGetFunction(m, "store_to");
  add = mgpuModuleGetFunction(m, "vector_add");
  stream = mgpuStreamCreate();
  memory = mgpuMemAlloc(4 * words, NULL, 0);
  if (strcmp(how, "exit") == 0) {
    mgpuxGraphBegin(1);
    launch(fill, stream, memory, 1, words);
    exit(3);
  }
  if (strcmp(how, "fault") == 0) {
    uint64_t nowhere = 0xdead0000;
    for (int round = 0; round < 3; round++) {
      mgpuxGraphBegin(1);
      launch(fill, stream, memory, 1, words);
      mgpuLaunchKernel(store, 1, 1, 1, 1, 1, 1, 0, stream, (void *[]){&nowhere},
                       NULL, 1);
      for (int i = 0; i < 40; i++)
        launch(step, stream, memory, words, 0);
      mgpuStreamSynchronize(stream);
      number("launched", mgpuxGraphEnd());
      number("result", first());
    }
    return 0;
  }
  order();
  update();
  ends();
  threads();
  forks();
  unloads();
  scopes();
  early();
  garbage();
  retaken();
  return 0;
}
