/* What every host has: the library, if the command line names one. Without it
 * the same program runs, so that the two runs can be compared. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#pragma GCC diagnostic ignored "-Wunused-function"

static void *(*stream_create)(void);
static void (*stream_synchronize)(void *);
static void (*stream_destroy)(void *);
static void *(*mem_alloc)(uint64_t, void *, uint8_t);
static void (*mem_free)(void *, void *);
static void (*memset32)(void *, uint32_t, size_t, void *);

/* Loads the library that argv[1] names, if there is an argv[1]. */
static void load(int argc, char **argv) {
  if (argc < 2)
    return;
  void *lib = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
  if (lib == NULL) {
    printf("dlopen: %s\n", dlerror());
    exit(3);
  }
  stream_create = (void *(*)(void))dlsym(lib, "mgpuStreamCreate");
  stream_synchronize = (void (*)(void *))dlsym(lib, "mgpuStreamSynchronize");
  stream_destroy = (void (*)(void *))dlsym(lib, "mgpuStreamDestroy");
  mem_alloc = (void *(*)(uint64_t, void *, uint8_t))dlsym(lib, "mgpuMemAlloc");
  mem_free = (void (*)(void *, void *))dlsym(lib, "mgpuMemFree");
  memset32 =
      (void (*)(void *, uint32_t, size_t, void *))dlsym(lib, "mgpuMemset32");
}

/* Calls the library, if it is loaded. */
static void use(void) {
  if (stream_create == NULL)
    return;
  void *s = stream_create();
  if (s == NULL) {
    printf("no stream\n");
    exit(4);
  }
  stream_synchronize(s);
  stream_destroy(s);
}

/* Has the library do some work on threads of its own. */
static void keep_busy(void) {
  if (stream_create == NULL)
    return;
  void *s[4], *p[4];
  for (int i = 0; i < 4; i++) {
    s[i] = stream_create();
    p[i] = mem_alloc(1 << 20, s[i], 0);
    memset32(p[i], i, 1 << 18, s[i]);
  }
  for (int i = 0; i < 4; i++) {
    stream_synchronize(s[i]);
    mem_free(p[i], s[i]);
    stream_destroy(s[i]);
  }
}

static void *use_in_thread(void *arg) {
  use();
  return arg;
}
