/* A launch that another thread sees before it has returned.
 *
 * Thread 1 launches a kernel that will write to a block. Thread 2 sees by a copy that the
 * kernel runs, frees the block, allocates as much again and fills the new block. Thread 3,
 * which has freed nothing, lets the kernel go on. The kernel's writes must not appear in
 * the new block. The HIP library for tests stops each launch meanwhile; with other drivers
 * the timing is left to chance. Arguments: an image, rounds, and "one" for one core. */
#define _GNU_SOURCE
#include <mgpu_runtime.h>

#include <dlfcn.h>
#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../internal/chost/module.h"

enum { bytes = 65536, pattern = 0x5eed5eed };

static void *meet, *stream, *side, *third, *mine, *other, *block;
static pthread_barrier_t begin, looked, end;
static __thread bool launching;

/* Stops a launch that the driver has accepted until the other thread has looked. */
static void watch(const char *function, int over) {
  if (launching && over && strcmp(function, "hipModuleLaunchKernel") == 0)
    pthread_barrier_wait(&looked);
}

/* Makes the HIP library for tests call watch, if that library is loaded. */
static bool stops(void) {
  const char *path = getenv("MGPU_HIP_LIBRARY");
  void *hip = path == NULL ? NULL : dlopen(path, RTLD_NOW);
  if (hip == NULL)
    return false;
  ((void (*)(void (*)(const char *, int)))dlsym(hip, "fakehip_watch"))(watch);
  return true;
}

static void *launches(void *arg) {
  launching = true;
  for (int rounds = *(int *)arg; rounds > 0; rounds--) {
    pthread_barrier_wait(&begin);
    uint32_t most = UINT32_MAX;
    void *params[] = {&mine, &other, &block, &most};
    mgpuLaunchKernel(meet, 1, 1, 1, 1, 1, 1, 0, stream, params, NULL, 4);
    mgpuStreamSynchronize(stream);
    pthread_barrier_wait(&end);
  }
  return NULL;
}

static void set(void *p, uint32_t value, size_t count) {
  mgpuMemset32(p, value, count, side);
  mgpuStreamSynchronize(side);
}

static void *lets_go(void *arg) {
  mgpuMemset32(other, 1, 1, third);
  mgpuStreamSynchronize(third);
  return arg;
}

static uint32_t get(void *p) {
  uint32_t value = 0;
  mgpuMemcpy(&value, p, sizeof value, side);
  mgpuStreamSynchronize(side);
  return value;
}

int main(int argc, char **argv) {
  if (argc < 3)
    return 3;
  void *image = read_module(argv[1]);
  int rounds = atoi(argv[2]);
  cpu_set_t cores, first;
  if (argc > 3 && sched_getaffinity(0, sizeof cores, &cores) == 0) {
    int core = 0;
    while (!CPU_ISSET(core, &cores))
      core++;
    CPU_ZERO(&first);
    CPU_SET(core, &first);
    sched_setaffinity(0, sizeof first, &first);
  }
  void *module = mgpuModuleLoad(image, 0);
  meet = mgpuModuleGetFunction(module, "meet");
  stream = mgpuStreamCreate();
  side = mgpuStreamCreate();
  third = mgpuStreamCreate();
  mine = mgpuMemAlloc(4, NULL, 0);
  other = mgpuMemAlloc(4, NULL, 0);
  mgpuStreamSynchronize(stream);
  pthread_barrier_init(&begin, NULL, 2);
  pthread_barrier_init(&looked, NULL, 2);
  pthread_barrier_init(&end, NULL, 2);
  bool stopped = stops();
  pthread_t t;
  pthread_create(&t, NULL, launches, &rounds);
  int same = 0, wrong = 0;
  for (int i = 0; i < rounds; i++) {
    set(mine, 0, 1);
    set(other, 0, 1);
    block = mgpuMemAlloc(bytes, NULL, 0);
    pthread_barrier_wait(&begin);
    while (get(mine) == 0)
      continue;
    mgpuMemFree(block, NULL);
    void *again = mgpuMemAlloc(bytes, NULL, 0);
    same += again == block;
    if (stopped)
      pthread_barrier_wait(&looked);
    mgpuMemset32(again, pattern, bytes / 4, side);
    pthread_t other_thread;
    pthread_create(&other_thread, NULL, lets_go, NULL);
    pthread_join(other_thread, NULL);
    mgpuStreamSynchronize(side);
    pthread_barrier_wait(&end);
    wrong += get(again) != pattern;
    mgpuMemFree(again, NULL);
  }
  pthread_join(t, NULL);
  printf("%d rounds, the same block %d, wrong %d\n", rounds, same, wrong);
  return 0;
}
