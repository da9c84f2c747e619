/* A program that calls mgpu and, beside it, HIP: begins captures on mgpu's streams, destroys
 * its handles, resets the device. The argument says which. After each, mgpu has to compute
 * what it should, and to report nothing. */
#define __HIP_PLATFORM_AMD__
#include <hip/hip_runtime_api.h>
#include <mgpu_runtime.h>

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../internal/chost/module.h"

static void *library;

/* Returns a function of the HIP library that mgpu uses. */
#define HIP(name) ((__typeof__(name) *)dlsym(library, #name))

#define EXPECT(condition)                                                      \
  do {                                                                         \
    if (!(condition)) {                                                        \
      printf("line %d: not %s\n", __LINE__, #condition);                       \
      exit(1);                                                                 \
    }                                                                          \
  } while (0)
#define CHECK(name, ...)                                                       \
  do {                                                                         \
    hipError_t error_ = HIP(name)(__VA_ARGS__);                                \
    if (error_ != hipSuccess) {                                                \
      printf("line %d: %s: %s\n", __LINE__, #name,                             \
             HIP(hipGetErrorName)(error_));                                    \
      exit(1);                                                                 \
    }                                                                          \
  } while (0)

static void *image, *module;

enum { most = 4096 };

/* Has kernels increment so many words on a fresh stream, in fresh memory. */
static void compute(int n) {
  static _Thread_local int words[most];
  void *m = mgpuModuleLoad(image, 0);
  void *increment = mgpuModuleGetFunction(m, "increment");
  void *p = mgpuMemAlloc((uint64_t)n * sizeof *words, NULL, 0);
  void *s = mgpuStreamCreate(), *other = mgpuStreamCreate();
  void *e = mgpuEventCreate();
  for (int i = 0; i < n; i++)
    words[i] = i;
  mgpuMemcpy(p, words, (size_t)n * sizeof *words, s);
  void *params[] = {&p};
  mgpuLaunchKernel(increment, n / 64, 1, 1, 64, 1, 1, 0, s, params, NULL, 1);
  mgpuEventRecord(e, s);
  mgpuStreamWaitEvent(other, e);
  mgpuLaunchKernel(increment, n / 64, 1, 1, 64, 1, 1, 0, other, params, NULL,
                   1);
  mgpuMemcpy(words, p, (size_t)n * sizeof *words, other);
  mgpuStreamSynchronize(other);
  for (int i = 0; i < n; i++)
    if (words[i] != i + 2) {
      printf("word %d of %d is %d\n", i, n, words[i]);
      exit(1);
    }
  mgpuStreamSynchronize(s);
  mgpuEventDestroy(e);
  mgpuStreamDestroy(s);
  mgpuStreamDestroy(other);
  mgpuMemFree(p, NULL);
  mgpuModuleUnload(m);
}

static void *idle_stream(void) {
  void *s = mgpuStreamCreate();
  mgpuStreamSynchronize(s);
  return s;
}

static hipStreamCaptureStatus status_of(void *s) {
  hipStreamCaptureStatus status;
  CHECK(hipStreamIsCapturing, s, &status);
  return status;
}

/* Calls that are allowed again after the capture. */
static void go_on(void) {
  void *p;
  CHECK(hipMalloc, &p, 1 << 16);
  CHECK(hipFree, p);
  void *s = mgpuStreamCreate();
  EXPECT(status_of(s) == hipStreamCaptureStatusNone);
  compute(1024);
  mgpuStreamDestroy(s);
}

/* Streams that capture are given back: nothing, or work of mgpu's, in the capture. */
static void captured(void) {
  void *p = mgpuMemAlloc(256, NULL, 0);
  for (int mode = 0; mode < 3; mode++)
    for (int work = 0; work < 2; work++) {
      void *s = idle_stream();
      CHECK(hipStreamBeginCapture, s, (hipStreamCaptureMode)mode);
      if (work)
        mgpuMemset32(p, 1, 64, s);
      mgpuStreamDestroy(s);
      go_on();
    }
  /* Never waited for. */
  void *s = mgpuStreamCreate();
  CHECK(hipStreamBeginCapture, s, hipStreamCaptureModeGlobal);
  mgpuStreamDestroy(s);
  go_on();
  mgpuMemFree(p, NULL);
}

static void *give_back(void *s) {
  mgpuStreamDestroy(s);
  return NULL;
}

/* Another thread gives the stream back than began its capture. */
static void threads(void) {
  void *s = idle_stream();
  CHECK(hipStreamBeginCapture, s, hipStreamCaptureModeRelaxed);
  pthread_t t;
  pthread_create(&t, NULL, give_back, s);
  pthread_join(t, NULL);
  go_on();
}

/* A stream joins the capture of the program's own and is given back before that ends. The
 * graph has its work, and the stream has no owner until then. */
static void joined(void) {
  int *p = mgpuMemAlloc(256, NULL, 0);
  int words[64] = {0};
  hipStream_t origin;
  CHECK(hipStreamCreate, &origin);
  for (int round = 1; round < 4; round++) {
    hipGraph_t graph;
    hipGraphExec_t exec;
    hipEvent_t fork, join;
    CHECK(hipEventCreate, &fork);
    CHECK(hipEventCreate, &join);
    CHECK(hipStreamBeginCapture, origin, hipStreamCaptureModeRelaxed);
    CHECK(hipEventRecord, fork, origin);
    void *s = mgpuStreamCreate();
    mgpuStreamWaitEvent(s, fork);
    mgpuMemset32(p, (uint32_t)round, 64, s);
    mgpuEventRecord(join, s);
    CHECK(hipStreamWaitEvent, origin, join, 0);
    mgpuStreamDestroy(s);
    void *other = mgpuStreamCreate();
    EXPECT(status_of(other) == hipStreamCaptureStatusNone);
    mgpuStreamDestroy(other);
    CHECK(hipStreamEndCapture, origin, &graph);
    CHECK(hipGraphInstantiate, &exec, graph, NULL, NULL, 0);
    CHECK(hipGraphLaunch, exec, origin);
    CHECK(hipStreamSynchronize, origin);
    CHECK(hipMemcpy, words, p, sizeof words, hipMemcpyDeviceToHost);
    for (int i = 0; i < 64; i++)
      EXPECT(words[i] == round);
    CHECK(hipGraphExecDestroy, exec);
    CHECK(hipGraphDestroy, graph);
    CHECK(hipEventDestroy, fork);
    CHECK(hipEventDestroy, join);
    go_on();
  }
  CHECK(hipStreamDestroy, origin);
  mgpuMemFree(p, NULL);
}

/* Events recorded in a capture are given back, by the program and by mgpu itself, which puts an
 * event recorded on a stream that is passed as one. */
static void events(void) {
  void *p = mgpuMemAlloc(256, NULL, 0);
  for (int round = 0; round < 3; round++) {
    hipGraph_t graph;
    void *s = idle_stream(), *t = idle_stream(), *free_stream = idle_stream();
    CHECK(hipStreamBeginCapture, s, hipStreamCaptureModeRelaxed);
    void *e = mgpuEventCreate();
    mgpuEventRecord(e, s);
    mgpuEventDestroy(e);
    for (int i = 0; i < 4; i++) { /* none of these events is the captured one */
      e = mgpuEventCreate();
      mgpuEventRecord(e, free_stream);
      mgpuStreamWaitEvent(t, e);
      mgpuEventDestroy(e);
    }
    EXPECT(status_of(t) == hipStreamCaptureStatusNone);
    compute(512);
    mgpuStreamSynchronize(t);
    EXPECT(status_of(s) == hipStreamCaptureStatusActive);
    CHECK(hipStreamEndCapture, s, &graph);
    CHECK(hipGraphDestroy, graph);
    mgpuStreamDestroy(s);
    mgpuStreamDestroy(t);
    mgpuStreamDestroy(free_stream);
    go_on();
  }
  mgpuMemFree(p, NULL);
}

/* Fills each of the library's caches. */
static void fill_caches(void) {
  enum { n = 5 };
  void *streams[n], *events[n], *blocks[n];
  void *scope = mgpuxAllocCacheCreate();
  compute(1024);
  compute(2048);
  for (int i = 0; i < n; i++) {
    streams[i] = mgpuStreamCreate();
    events[i] = mgpuEventCreate();
    blocks[i] = mgpuMemAlloc(4096u << i, NULL, i == 3);
  }
  mgpuxAllocCacheBegin(scope);
  void *scoped = mgpuMemAlloc(4096, NULL, 0);
  mgpuMemset32(scoped, 1, 64, NULL);
  mgpuMemFree(scoped, NULL);
  mgpuxAllocCacheEnd(scope);
  mgpuxScratch(&library, 4096, streams[0]);
  for (int i = 0; i < n; i++) {
    mgpuMemset32(blocks[i], 1, 1024, streams[i]);
    mgpuEventRecord(events[i], streams[i]);
    mgpuMemFree(blocks[i], streams[i]); /* waits for the fill */
    if (i % 2)
      mgpuStreamSynchronize(streams[i]);
    mgpuEventDestroy(events[i]);
    mgpuStreamDestroy(streams[i]); /* some drain */
  }
  mgpuxAllocCacheDestroy(scope);
}

enum { own = 8 };

/* Objects of the program get the addresses of those that the reset destroyed. No object of mgpu may
 * be one of them. */
static void after_reset(void) {
  hipStream_t streams[own];
  char *blocks[own], bytes[4096];
  for (int i = 0; i < own; i++) {
    CHECK(hipStreamCreate, &streams[i]);
    CHECK(hipMalloc, (void **)&blocks[i], sizeof bytes << i % 3);
    CHECK(hipMemset, blocks[i], i, sizeof bytes);
  }
  void *s = mgpuStreamCreate();
  void *p = mgpuMemAlloc(sizeof bytes, s, 0);
  for (int i = 0; i < own; i++)
    EXPECT(s != streams[i] && p != blocks[i]);
  mgpuMemset32(p, 77, sizeof bytes / 4, s);
  compute(1024);
  compute(2048);
  mgpuMemset32(mgpuxScratch(&library, 4096, s), 77, 1024, s);
  mgpuStreamSynchronize(s);
  for (int i = 0; i < own; i++) {
    CHECK(hipMemcpy, bytes, blocks[i], sizeof bytes, hipMemcpyDeviceToHost);
    for (size_t k = 0; k < sizeof bytes; k++)
      EXPECT(bytes[k] == i);
    mgpuMemset32(blocks[i], 1, 16,
                 streams[i]); /* they are the program's: mgpu takes them */
    mgpuStreamSynchronize(streams[i]);
    CHECK(hipFree, blocks[i]);
    CHECK(hipStreamDestroy, streams[i]);
  }
  mgpuMemFree(p, s);
  mgpuStreamDestroy(s);
}

static void reset(void) {
  for (int round = 0; round < 4; round++) {
    fill_caches();
    CHECK(hipDeviceReset);
    after_reset();
  }
  /* Directly before the reset only an allocation; after it, work on the default stream. */
  for (int round = 0; round < 4; round++) {
    int words[64];
    void *p = mgpuMemAlloc(4096, NULL, 0);
    mgpuMemFree(p, NULL);
    CHECK(hipDeviceReset);
    p = mgpuMemAlloc(4096, NULL, 0);
    mgpuMemset32(p, (uint32_t)round, 64, NULL);
    mgpuMemcpy(words, p, sizeof words, NULL);
    mgpuStreamSynchronize(NULL);
    for (int i = 0; i < 64; i++)
      EXPECT(words[i] == round);
    mgpuMemFree(p, NULL);
  }
}

static pthread_barrier_t turn;

static void *resets(void *unused) {
  (void)unused;
  fill_caches();
  pthread_barrier_wait(&turn); /* all has been given back */
  pthread_barrier_wait(&turn); /* the device was reset */
  compute(1024);
  return NULL;
}

/* Each thread keeps a stream, a module and blocks of its own. */
static void resets_threads(void) {
  enum { threads = 3 };
  pthread_t t[threads];
  pthread_barrier_init(&turn, NULL, threads + 1);
  for (int i = 0; i < threads; i++)
    pthread_create(&t[i], NULL, resets, NULL);
  fill_caches();
  pthread_barrier_wait(&turn);
  CHECK(hipDeviceReset);
  pthread_barrier_wait(&turn);
  for (int i = 0; i < threads; i++)
    pthread_join(t[i], NULL);
  after_reset();
}

static void on_device(int device) {
  mgpuSetDefaultDevice(device);
  CHECK(hipSetDevice, device);
}

/* Another device is reset: this one's streams and blocks stay valid. */
static void resets_one(void) {
  int words[64];
  on_device(0);
  void *s = mgpuStreamCreate(), *p = mgpuMemAlloc(256, s, 0);
  mgpuMemset32(p, 5, 64, s);
  fill_caches();
  for (int round = 0; round < 2; round++) {
    on_device(1);
    fill_caches();
    CHECK(hipDeviceReset);
    on_device(0);
    compute(1024);
    on_device(1);
    after_reset();
  }
  on_device(0);
  mgpuMemcpy(words, p, sizeof words, s);
  mgpuStreamSynchronize(s);
  for (int i = 0; i < 64; i++)
    EXPECT(words[i] == 5);
  mgpuMemFree(p, s);
  mgpuStreamDestroy(s);
}

/* A recorded graph is empty after a reset, and is recorded again under its key. */
static void record(int round) {
  int words[64];
  void *s = mgpuStreamCreate(), *p = mgpuMemAlloc(256, s, 0);
  for (int turn = 0; turn < 3; turn++) {
    mgpuxGraphBegin(7);
    mgpuMemset32(p, (uint32_t)round, 64, s);
    mgpuStreamSynchronize(s);
    mgpuxGraphEnd();
  }
  mgpuxGraphLaunch(7, s);
  mgpuMemcpy(words, p, sizeof words, s);
  mgpuStreamSynchronize(s);
  for (int i = 0; i < 64; i++)
    EXPECT(words[i] == round);
  mgpuMemFree(p, s);
  mgpuStreamDestroy(s);
}

static void resets_graphs(void) {
  for (int round = 1; round < 4; round++) {
    record(round);
    CHECK(hipDeviceReset);
  }
  record(9);
  mgpuxGraphDestroy(7);
}

/* Streams and events of mgpu's, with work pending, with none and given to waits, are destroyed
 * by HIP's functions. */
static void destroyed(void) {
  for (int round = 0; round < 8; round++) {
    void *s = mgpuStreamCreate(), *t = mgpuStreamCreate();
    void *e = mgpuEventCreate();
    void *p = mgpuMemAlloc(1 << 16, s, 0);
    mgpuMemset32(p, 1, 1 << 14, s);
    mgpuEventRecord(e, s);
    mgpuStreamWaitEvent(t, e);
    if (round % 2)
      mgpuStreamSynchronize(s);
    mgpuMemFree(p, NULL);
    CHECK(hipEventDestroy, e);
    CHECK(hipStreamDestroy, s);
    p = mgpuMemAlloc(1 << 16, NULL, 0);
    mgpuMemFree(p, NULL);
    /* New objects of HIP may get the same addresses. */
    hipEvent_t own_event;
    hipStream_t own_stream;
    CHECK(hipEventCreate, &own_event);
    CHECK(hipStreamCreate, &own_stream);
    p = mgpuMemAlloc(1 << 16, own_stream, 0);
    mgpuMemset32(p, 1, 1 << 14, own_stream);
    mgpuEventRecord(own_event, own_stream);
    mgpuStreamWaitEvent(t, own_event);
    mgpuEventSynchronize(own_event);
    mgpuMemFree(p, NULL);
    CHECK(hipEventDestroy, own_event);
    CHECK(hipStreamDestroy, own_stream);
    mgpuStreamDestroy(t);
    compute(1024);
    go_on();
  }
}

static const struct {
  const char *name;
  void (*run)(void);
} parts[] = {
    {"captured", captured},
    {"threads", threads},
    {"joined", joined},
    {"events", events},
    {"reset", reset},
    {"resets of threads", resets_threads},
    {"resets of one", resets_one},
    {"resets of graphs", resets_graphs},
    {"destroyed", destroyed},
};

int main(int argc, char **argv) {
  image = read_module(getenv("MODULE"));
  module = mgpuModuleLoad(image, 0);
  library = dlopen(getenv("MGPU_HIP_LIBRARY"), RTLD_NOW | RTLD_NOLOAD);
  EXPECT(library != NULL);
  compute(1024);
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
    if (argc == 2 && strcmp(argv[1], parts[i].name) == 0) {
      parts[i].run();
      compute(2048);
      mgpuModuleUnload(module);
      puts("ok");
      return 0;
    }
  return 2;
}
