/* Streams that the program destroys by the driver's own call, over a driver that must not be asked
 * about them, as libcuda. The arguments are a module, its kernel without parameters, and the case;
 * without arguments the cases are printed. */
#include <mgpu_runtime.h>

#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../internal/chost/module.h"

enum { words = 1024, bytes = 4 * words, turns = 200 };

static int (*stream_destroy)(void *), (*stream_synchronize)(void *),
    (*begin_capture)(void *, int), (*end_capture)(void *, void **);
static uint64_t (*count)(const char *);
static void *kernel;

static void check(int is, const char *what) {
  if (is)
    return;
  fprintf(stderr, "not so: %s\n", what);
  exit(1);
}

static void launch(void *s) {
  mgpuLaunchKernel(kernel, 1, 1, 1, 1, 1, 1, 0, s, NULL, NULL, 0);
}

/* Fills a new block on a stream, frees it, and fills and reads the next one. */
static void turn(void *s, uint32_t value) {
  static __thread uint32_t to[words];
  void *block = mgpuMemAlloc(bytes, s, 0);
  mgpuMemset32(block, ~value, words, s);
  mgpuMemFree(block, s);
  block = mgpuMemAlloc(bytes, s, 0);
  mgpuMemset32(block, value, words, s);
  mgpuMemcpy(to, block, bytes, s);
  mgpuStreamSynchronize(s);
  for (int i = 0; i < words; i++)
    check(to[i] == value, "a block has what was written last");
  mgpuMemFree(block, s);
}

/* The library needs no query here: memory is freed before a wait and after one. */
static void one_stream(void) {
  void *s = mgpuStreamCreate();
  for (uint32_t i = 0; i < turns; i++) {
    void *block = mgpuMemAlloc(bytes, s, 0);
    mgpuMemset32(block, i, words, s);
    launch(s);
    if (i % 2)
      mgpuStreamSynchronize(s);
    mgpuMemFree(block, s);
    mgpuStreamSynchronize(s);
  }
  check(count("hipEventRecord") == 0, "one stream alone records nothing");
  check(count("hipMalloc") < 10, "memory is reused");
}

/* Destroys streams with work pending, with work that the vendor's call has waited for, and idle. */
static void destroyed(void) {
  void *s = mgpuStreamCreate();
  for (uint32_t i = 0; i < turns; i++) {
    void *other = mgpuStreamCreate(), *block = mgpuMemAlloc(bytes, other, 0);
    if (i % 4 != 3)
      mgpuMemset32(block, i, words, other);
    if (i % 4 == 1)
      stream_synchronize(other);
    if (i % 4 == 2)
      mgpuMemFree(block, other);
    check(stream_destroy(other) == 0, "the stream is destroyed");
    if (i % 4 != 2)
      mgpuMemFree(block, NULL);
    turn(s, i);
  }
  check(count("hipMalloc") < 3 * turns, "memory is reused");
}

/* A stream that the program waits for by the vendor's call, and does not use again. */
static void waited_elsewhere(void) {
  void *s = mgpuStreamCreate(), *other = mgpuStreamCreate();
  launch(other);
  stream_synchronize(other);
  for (uint32_t i = 0; i < turns; i++)
    turn(s, i);
  check(count("hipMalloc") < 20, "memory is reused");
}

static void *of_thread(void *arg) {
  void *s = mgpuStreamCreate();
  for (uint32_t i = 0; i < turns; i++)
    turn(s, i + (uint32_t)(uintptr_t)arg);
  check(stream_destroy(s) == 0, "the stream is destroyed");
  return NULL;
}

static void threads(void) {
  pthread_t t[4];
  for (uintptr_t i = 0; i < 4; i++)
    check(pthread_create(&t[i], NULL, of_thread, (void *)(i << 16)) == 0,
          "a thread starts");
  for (int i = 0; i < 4; i++)
    pthread_join(t[i], NULL);
  check(count("hipEventRecord") > 0, "streams record their progress");
  check(count("hipMalloc") < turns, "memory is reused");
}

/* The program captures a stream, also one that records its progress, and goes on with others. */
static void captured(void) {
  void *s = mgpuStreamCreate(), *other = mgpuStreamCreate(), *graph = NULL;
  for (uint32_t i = 0; i < 8; i++) {
    check(begin_capture(other, 2) == 0, "the capture begins");
    launch(other);
    turn(s, i);
    check(end_capture(other, &graph) == 0 && graph, "the capture goes on");
    launch(other);
    turn(s, i + 100);
  }
  check(count("hipEventRecord") > 0, "streams record their progress");
}

/* The library knows nothing about streams that were just created: one wait for the device covers all
 * of them. */
static void just_created(void) {
  void *s = mgpuStreamCreate();
  turn(s, 1);
  for (int i = 0; i < 8; i++)
    mgpuStreamCreate();
  launch(s);
  mgpuMemFree(mgpuMemAlloc(bytes, s, 0), s);
  uint64_t before = count("hipFree");
  launch(s);
  check(count("hipFree") == before + 1, "the device is waited for once");
}

/* Streams reused from the pool go on recording, with the same events. */
static void given_back(void) {
  for (uint32_t i = 0; i < turns; i++) {
    void *s = mgpuStreamCreate(), *other = mgpuStreamCreate();
    launch(other);
    turn(s, i);
    mgpuStreamDestroy(other);
    turn(s, i + 1);
    mgpuStreamDestroy(s);
  }
  check(count("hipStreamCreate") < 20, "streams are reused");
  check(count("hipEventCreateWithFlags") < 20, "events are reused");
}

static const struct {
  const char *name;
  void (*run)(void);
} cases[] = {{"one stream", one_stream},
             {"destroyed", destroyed},
             {"waited elsewhere", waited_elsewhere},
             {"threads", threads},
             {"captured", captured},
             {"just created", just_created},
             {"given back", given_back}};

int main(int argc, char **argv) {
  enum { all = sizeof cases / sizeof *cases };
  if (argc < 4) {
    for (int i = 0; i < all; i++)
      puts(cases[i].name);
    return 0;
  }
  void *hip = dlopen(getenv("MGPU_HIP_LIBRARY"), RTLD_NOW);
  *(void **)&stream_destroy = dlsym(hip, "hipStreamDestroy");
  *(void **)&stream_synchronize = dlsym(hip, "hipStreamSynchronize");
  *(void **)&begin_capture = dlsym(hip, "hipStreamBeginCapture");
  *(void **)&end_capture = dlsym(hip, "hipStreamEndCapture");
  *(void **)&count = dlsym(hip, "fakehip_count");
  void *module = mgpuModuleLoad(read_module(argv[1]), 0);
  kernel = mgpuModuleGetFunction(module, argv[2]);
  check(kernel != NULL, "the kernel is there");
  for (int i = 0; i < all; i++)
    if (strcmp(argv[3], cases[i].name) == 0)
      cases[i].run();
  puts("ok");
  return 0;
}
