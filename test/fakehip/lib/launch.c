/* Launches of kernels. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "capture.h"
#include "launch.h"
#include "memory.h"
#include "module.h"
#include "real.h"
#include "stream.h"
#include "violation.h"

enum {
  most_items = 1024,
  most_shared = 64 << 10,
  most_arguments = 256,
  most_at_once = 64
};

struct job {
  struct work work;
  struct function_object *function; /* with a reference */
  uint32_t grid[3], block[3], shared_bytes;
  bool at_once; /* all workgroups, each on a thread */
  int device;
  size_t arguments;
  uint64_t value[]; /* a copy of each argument, in a word of its own */
};

/* A running workgroup. */
struct group {
  struct launch launch;
  const struct job *job;
  bool failed;
};

static void *memory(const struct launch *l, uint64_t address, uint64_t bytes) {
  struct group *g = (struct group *)l;
  void *p = memory_for_kernel(g->job->device, address, bytes);
  if (!p)
    g->failed = true;
  return p;
}

/* Runs the workgroup launch.group. */
static hipError_t run_group(struct group *g) {
  const struct job *j = g->job;
  void *param[most_arguments];
  for (size_t i = 0; i < j->arguments; i++)
    param[i] = (void *)&j->value[i];
  j->function->kernel->run(&g->launch, param);
  return g->failed ? hipErrorIllegalAddress : hipSuccess;
}

static hipError_t run_in_turn(struct group *g) {
  const uint32_t *n = g->job->grid;
  uint32_t *at = g->launch.group;
  hipError_t e = hipSuccess;
  for (at[2] = 0; at[2] < n[2]; at[2]++)
    for (at[1] = 0; at[1] < n[1]; at[1]++)
      for (at[0] = 0; at[0] < n[0]; at[0]++)
        if ((e = run_group(g)) != hipSuccess)
          return e;
  return e;
}

static void *serve_group(void *g) {
  call_current = ((struct group *)g)->job->work.name;
  return (void *)(uintptr_t)run_group(g);
}

static hipError_t run_at_once(const struct group *first) {
  const uint32_t *n = first->job->grid;
  struct group all[most_at_once];
  pthread_t thread[most_at_once];
  uint32_t groups = n[0] * n[1] * n[2];
  hipError_t e = hipSuccess;
  for (uint32_t i = 0; i < groups; i++) {
    all[i] = *first;
    memcpy(all[i].launch.group,
           (uint32_t[]){i % n[0], i / n[0] % n[1], i / n[0] / n[1]},
           sizeof all[i].launch.group);
    all[i].launch.shared = malloc(first->launch.shared_bytes + 1);
    if (!all[i].launch.shared ||
        pthread_create(&thread[i], NULL, serve_group, &all[i]) != 0)
      abort();
  }
  for (uint32_t i = 0; i < groups; i++) {
    void *own;
    pthread_join(thread[i], &own);
    e = e == hipSuccess ? (hipError_t)(uintptr_t)own : e;
    free(all[i].launch.shared);
  }
  return e;
}

static hipError_t run(struct work *w) {
  const struct job *j = (const struct job *)w;
  hipError_t e = call_on_stream(call_kernel);
  if (e != hipSuccess || !j->function->kernel)
    return e;
  struct group g = {.job = j};
  memcpy(g.launch.grid, j->grid, sizeof j->grid);
  memcpy(g.launch.block, j->block, sizeof j->block);
  g.launch.shared_bytes = j->shared_bytes;
  g.launch.memory = memory;
  if (j->at_once)
    return run_at_once(&g);
  if (j->shared_bytes && !(g.launch.shared = malloc(j->shared_bytes)))
    return hipErrorLaunchOutOfResources;
  e = run_in_turn(&g);
  free(g.launch.shared);
  return e;
}

static void end(struct work *w) {
  struct job *j = (struct job *)w;
  object_release(&j->function->object);
  free(j);
}

static size_t count_arguments(const struct kernel *k) {
  size_t n = 0;
  while (k && k->argument[n].bytes && n < most_arguments)
    n++;
  return n;
}

/* Finds the buffer of packed arguments; NULL if there is none. */
static const char *packed(void **extra, size_t *size) {
  const char *buffer = NULL;
  *size = 0;
  for (; extra && *extra != HIP_LAUNCH_PARAM_END; extra += 2) {
    if (*extra == HIP_LAUNCH_PARAM_BUFFER_POINTER)
      buffer = extra[1];
    else if (*extra == HIP_LAUNCH_PARAM_BUFFER_SIZE)
      *size = *(size_t *)extra[1];
    else
      return NULL;
  }
  return buffer;
}

/* Copies the arguments, each aligned to its size. */
static bool copy_arguments(struct job *j, const struct kernel *k, void **params,
                           void **extra) {
  size_t size, offset = 0;
  const char *buffer = params ? NULL : packed(extra, &size);
  if (j->arguments && !params && !buffer) {
    violation(violation_argument, "%s has %zu arguments, and none are given",
              j->work.name, j->arguments);
    return false;
  }
  for (size_t i = 0; i < j->arguments; i++) {
    size_t bytes = k->argument[i].bytes;
    if (buffer &&
        (offset = (offset + bytes - 1) / bytes * bytes) + bytes > size) {
      violation(violation_argument,
                "%s: argument %zu ends past the %zu bytes that are given",
                j->work.name, i, size);
      return false;
    }
    memcpy(&j->value[i], buffer ? buffer + offset : params[i], bytes);
    offset += bytes;
  }
  return true;
}

/* What the kernel uses: from each pointer to the end of the block. Pointers into nowhere are found when they are used. */
static size_t touches_of(const struct job *j, const struct kernel *k,
                         struct touch *touch) {
  size_t n = 0;
  for (size_t i = 0; i < j->arguments; i++) {
    enum use use = k->argument[i].use;
    struct block *b = use == USE_VALUE ? NULL : memory_at(j->value[i]);
    if (b)
      touch[n++] = (struct touch){b, j->value[i] - b->address, b->size, use};
  }
  return n;
}

/* Returns what is wrong with a launch's sizes. */
static hipError_t check_sizes(const struct job *j) {
  uint64_t items = 1;
  for (int k = 0; k < 3; k++) {
    uint64_t along = (uint64_t)j->grid[k] * j->block[k];
    if (along == 0 || along > UINT32_MAX || j->block[k] > most_items) {
      violation(violation_argument, "%s: %u workgroups of %u along %c",
                j->work.name, j->grid[k], j->block[k], "xyz"[k]);
      return hipErrorInvalidConfiguration;
    }
    items *= j->block[k];
  }
  if (items > most_items || j->shared_bytes > most_shared) {
    violation(violation_argument,
              "%s: %llu work-items in a workgroup, %u bytes of shared memory",
              j->work.name, (unsigned long long)items, j->shared_bytes);
    return hipErrorInvalidValue;
  }
  if (j->at_once && (j->grid[0] > most_at_once || j->grid[1] > most_at_once ||
                     j->grid[2] > most_at_once ||
                     j->grid[0] * j->grid[1] * j->grid[2] > most_at_once))
    return hipErrorCooperativeLaunchTooLarge;
  return hipSuccess;
}

hipError_t launch_prepare(hipFunction_t f, const uint32_t *grid,
                          const uint32_t *block, unsigned shared, void **params,
                          void **extra, bool at_once, struct job **out) {
  struct function_object *function = object_take(f, kind_function);
  if (!function)
    return hipErrorInvalidHandle;
  size_t arguments = count_arguments(function->kernel);
  struct job *j = calloc(1, sizeof *j + arguments * sizeof *j->value);
  if (!j)
    abort();
  j->work.name = function->name;
  j->work.run = run;
  j->work.end = end;
  j->function = function;
  memcpy(j->grid, grid, sizeof j->grid);
  memcpy(j->block, block, sizeof j->block);
  uint32_t fixed = function->kernel ? function->kernel->shared_bytes : 0;
  j->shared_bytes = shared + fixed < shared ? UINT32_MAX : shared + fixed;
  j->at_once = at_once;
  j->device = function->object.device;
  j->arguments = arguments;
  hipError_t e = check_sizes(j);
  if (e == hipSuccess && !copy_arguments(j, function->kernel, params, extra))
    e = hipErrorInvalidValue;
  if (e != hipSuccess) {
    end(&j->work);
    return e;
  }
  *out = j;
  return hipSuccess;
}

struct job *launch_copy(const struct job *j) {
  size_t size = sizeof *j + j->arguments * sizeof *j->value;
  struct job *copy = malloc(size);
  if (!copy)
    abort();
  memcpy(copy, j, size);
  object_hold(&copy->function->object);
  return copy;
}

void launch_drop(struct job *j) { end(&j->work); }

hipError_t launch_submit(struct job *j, struct stream *s) {
  if (j->device != s->object.device) {
    violation(violation_device,
              "%s was loaded on device %d, and the stream is of device %d",
              j->work.name, j->device, s->object.device);
    end(&j->work);
    return hipErrorInvalidHandle;
  }
  struct touch touch[most_arguments] = {0};
  size_t touches = touches_of(j, j->function->kernel, touch);
  stream_submit(s, &j->work, NULL, touch, touches);
  for (size_t i = 0; i < touches; i++)
    memory_release(touch[i].block);
  return hipSuccess;
}

static hipError_t launch(hipFunction_t f, const uint32_t *grid,
                         const uint32_t *block, unsigned shared,
                         hipStream_t stream, void **params, void **extra,
                         bool at_once) {
  struct job *j;
  hipError_t e =
      launch_prepare(f, grid, block, shared, params, extra, at_once, &j);
  if (e != hipSuccess)
    return e;
  struct stream *s = stream_take(stream, &e);
  if (!s) {
    launch_drop(j);
    return e;
  }
  e = capture_has(s) ? capture_launch(s, j) : launch_submit(j, s);
  stream_release(s);
  return e;
}

hipError_t real_hipModuleLaunchKernel(hipFunction_t f, unsigned gx, unsigned gy,
                                      unsigned gz, unsigned bx, unsigned by,
                                      unsigned bz, unsigned shared,
                                      hipStream_t stream, void **params,
                                      void **extra) {
  return launch(f, (uint32_t[]){gx, gy, gz}, (uint32_t[]){bx, by, bz}, shared,
                stream, params, extra, false);
}

hipError_t real_hipModuleLaunchCooperativeKernel(hipFunction_t f, unsigned gx,
                                                 unsigned gy, unsigned gz,
                                                 unsigned bx, unsigned by,
                                                 unsigned bz, unsigned shared,
                                                 hipStream_t stream,
                                                 void **params) {
  return launch(f, (uint32_t[]){gx, gy, gz}, (uint32_t[]){bx, by, bz}, shared,
                stream, params, NULL, true);
}
