/* timeline HOW [ROUNDS]: a program for timelines, on the kernels saxpy and sizes.
 *
 *   lowered   launches as LLVM 19 lowers them: a module and a stream each
 *   plain     the same without workgroup memory at launch: C launches by itself
 *   streams   two threads, each with its stream, events between them, ranges and names
 *   region    a recorded region
 *   ranges    a range, a mark, and a region in a scope
 *   scarce    an allocation for which the cache has to give up its blocks
 *   endless   lowered launches until it is killed; says when it has begun
 *   started   mgpuxTraceStart and mgpuxTraceStop around some of the launches
 *   refused   mgpuxTraceStart with names of no file
 *   fork      a child that calls, and one that ends */
#define _GNU_SOURCE
#include <mgpu_runtime.h>

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef IMAGE
#define IMAGE "/v5.hsaco"
#endif

__asm__(".section .rodata\n.balign 4096\nblob: .incbin \"" TESTDATA IMAGE
        "\"\n.previous");
extern char blob[];

enum { items = 64 * 64 };

static int workgroup_bytes = 64;

static void launch(void *f, void *stream, float *x, float *y) {
  float a = 1;
  int n = items;
  uint32_t local = 0;
  void *params[] = {&y, &x, &a, &n, &local};
  mgpuLaunchKernel(f, items / 64, 1, 1, 64, 1, 1, workgroup_bytes, stream,
                   params, NULL, 5);
}

static void lowered(int rounds) {
  static float *x, *y;
  if (x == NULL) {
    x = mgpuMemAlloc(sizeof *x * items, NULL, 0);
    y = mgpuMemAlloc(sizeof *y * items, NULL, 0);
  }
  for (int i = 0; i < rounds; i++) {
    void *m = mgpuModuleLoad(blob, 0);
    void *f = mgpuModuleGetFunction(m, "saxpy");
    void *s = mgpuStreamCreate();
    launch(f, s, x, y);
    mgpuStreamSynchronize(s);
    mgpuStreamDestroy(s);
    mgpuModuleUnload(m);
  }
}

static struct {
  void *module, *stream, *event;
  pthread_barrier_t turn;
  int rounds;
} shared;

static void *producer(void *unused) {
  pthread_setname_np(pthread_self(), "producer");
  static float host[items];
  void *f = mgpuModuleGetFunction(shared.module, "saxpy");
  float *x = mgpuMemAlloc(sizeof host, NULL, 0);
  float *y = mgpuMemAlloc(sizeof host, NULL, 0);
  mgpuxNameStream(shared.stream, "produced");
  for (int i = 0; i < shared.rounds; i++) {
    mgpuxRangePush("produce \"one\"");
    mgpuMemcpy(x, host, sizeof host, shared.stream);
    mgpuMemset32(y, 0, items, shared.stream);
    launch(f, shared.stream, x, y);
    mgpuEventRecord(shared.event, shared.stream);
    mgpuxRangePop();
    pthread_barrier_wait(&shared.turn);
    pthread_barrier_wait(&shared.turn);
  }
  mgpuMemFree(x, NULL);
  mgpuMemFree(y, NULL);
  return unused;
}

static void *consumer(void *unused) {
  pthread_setname_np(pthread_self(), "consumer");
  static float host[items];
  void *f = mgpuModuleGetFunction(shared.module, "saxpy");
  void *s = mgpuStreamCreate();
  float *x = mgpuMemAlloc(sizeof host, NULL, 0);
  float *y = mgpuMemAlloc(sizeof host, NULL, 0);
  for (int i = 0; i < shared.rounds; i++) {
    pthread_barrier_wait(&shared.turn);
    mgpuxRangePush("consume");
    mgpuxRangePush("inner");
    mgpuStreamWaitEvent(s, shared.event);
    launch(f, s, x, y);
    mgpuxRangePop();
    mgpuMemcpy(host, y, sizeof host, s);
    mgpuStreamSynchronize(s);
    mgpuxMark("a mark");
    mgpuxRangePop();
    pthread_barrier_wait(&shared.turn);
  }
  mgpuMemFree(x, NULL);
  mgpuMemFree(y, NULL);
  mgpuStreamDestroy(s);
  return unused;
}

static void streams(int rounds) {
  pthread_t a, b;
  shared.rounds = rounds;
  shared.module = mgpuModuleLoad(blob, 0);
  shared.stream = mgpuStreamCreate();
  shared.event = mgpuEventCreate();
  pthread_barrier_init(&shared.turn, NULL, 2);
  pthread_create(&a, NULL, producer, NULL);
  pthread_create(&b, NULL, consumer, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  mgpuEventDestroy(shared.event);
  mgpuStreamDestroy(shared.stream);
  mgpuModuleUnload(shared.module);
  mgpuMemFree((void *)0x1234, NULL); /* a line */
}

static void region(int rounds) {
  void *m = mgpuModuleLoad(blob, 0);
  void *f = mgpuModuleGetFunction(m, "saxpy");
  void *s = mgpuStreamCreate();
  float *x = mgpuMemAlloc(sizeof *x * items, NULL, 0);
  float *y = mgpuMemAlloc(sizeof *y * items, NULL, 0);
  for (int i = 0; i < rounds; i++) {
    mgpuxGraphBegin(7);
    for (int j = 0; j < 4; j++)
      launch(f, s, x, y);
    mgpuxGraphEnd();
    mgpuStreamSynchronize(s);
  }
}

int main(int argc, char **argv) {
  const char *how = argc > 1 ? argv[1] : "";
  int rounds = argc > 2 ? atoi(argv[2]) : 10;
  if (strcmp(how, "plain") == 0)
    workgroup_bytes = 0;
  if (strcmp(how, "lowered") == 0 || strcmp(how, "plain") == 0)
    lowered(rounds);
  else if (strcmp(how, "streams") == 0)
    streams(rounds);
  else if (strcmp(how, "region") == 0)
    region(rounds);
  else if (strcmp(how, "scarce") == 0) {
    mgpuMemFree(mgpuMemAlloc(6 << 20, NULL, 0), NULL);
    mgpuMemFree(mgpuMemAlloc(10 << 20, NULL, 0), NULL);
  } else if (strcmp(how, "ranges") == 0) {
    mgpuxRangePush("outer");
    mgpuxMark("a mark");
    void *cache = mgpuxAllocCacheCreate();
    mgpuxAllocCacheBegin(cache);
    region(1);
    mgpuxAllocCacheEnd(cache);
    mgpuxAllocCacheEnd(cache); /* ends none */
    mgpuxGraphEnd();           /* nor does this */
    mgpuxRangePop();
  } else if (strcmp(how, "endless") == 0) {
    lowered(rounds);
    puts("begun");
    fflush(stdout);
    for (;;)
      lowered(1);
  } else if (strcmp(how, "started") == 0) {
    lowered(3);
    if (mgpuxTraceStart(argv[3]) != 0 || mgpuxTraceStart(argv[3]) != -1)
      return 1;
    lowered(rounds);
    mgpuxTraceStop();
    lowered(3);
    mgpuxTraceStop();
  } else if (strcmp(how, "refused") == 0) {
    if (mgpuxTraceStart(NULL) != -1 || mgpuxTraceStart("") != -1 ||
        mgpuxTraceStart("/nowhere/t.json") != -1)
      return 1;
    lowered(rounds);
  } else if (strcmp(how, "fork") == 0) {
    lowered(rounds);
    fflush(stdout);
    if (fork() == 0) {
      mgpuStreamCreate();
      exit(0);
    }
    wait(NULL);
    if (fork() == 0)
      exit(0);
    wait(NULL);
  }
  puts(mgpuxVersion());
  return 0;
}
