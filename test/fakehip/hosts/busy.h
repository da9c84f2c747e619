/* What ordered.c and visible.c share: a stream that a kernel keeps busy while memory is freed,
 * and memory that the host reads without the library's knowledge. */
#ifndef FAKEHIP_HOSTS_BUSY_H
#define FAKEHIP_HOSTS_BUSY_H

#include <mgpu_runtime.h>

#include <dlfcn.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../internal/chost/module.h"

enum { words = 4096, bytes = 4 * words };

static void *hip; /* the library that the runtime uses */
static int (*host_malloc)(void **, size_t, unsigned);
static void *holds; /* the kernel that keeps a stream busy */
static int awaits;  /* it is "await", which runs until the host sets flag */
static uint32_t *flag, *seen; /* of "await" */

static void check(int is, const char *what) {
  if (is)
    return;
  fprintf(stderr, "not so: %s\n", what);
  exit(1);
}

static uint32_t *page_locked(void) {
  void *p = NULL;
  check(host_malloc(&p, bytes, 0) == 0, "hipHostMalloc");
  return p;
}

/* Opens HIP and loads the image at path, whose kernel keeps streams busy. */
static void *open_busy(const char *path, const char *kernel) {
  hip = dlopen(getenv("MGPU_HIP_LIBRARY"), RTLD_NOW);
  check(hip != NULL, "there is a HIP");
  host_malloc = (int (*)(void **, size_t, unsigned))dlsym(hip, "hipHostMalloc");
  awaits = strcmp(kernel, "await") == 0;
  void *module = mgpuModuleLoad(read_module(path), 0);
  holds = mgpuModuleGetFunction(module, kernel);
  flag = page_locked();
  seen = page_locked();
  return module;
}

static void *release(void *arg) {
  (void)arg;
  usleep(20000);
  __atomic_store_n(flag, 1, __ATOMIC_SEQ_CST);
  return NULL;
}

/* Keeps a stream busy for a while. */
static pthread_t hold(void *s) {
  pthread_t t;
  __atomic_store_n(flag, 0, __ATOMIC_SEQ_CST);
  mgpuLaunchKernel(holds, 1, 1, 1, 1, 1, 1, 0, s, (void *[]){&flag, &seen},
                   NULL, awaits ? 2 : 0);
  check(pthread_create(&t, NULL, release, NULL) == 0, "a thread starts");
  return t;
}

static void *free_block(void *block) {
  mgpuMemFree(block, NULL);
  return NULL;
}

#endif
