/* Calls that are stopped in the driver while another thread acts. If the call is stopped
 * before the driver has the work, the other thread waits for the stream, which does not cover
 * the work; then it frees a block and destroys the stream. Neither may be reused before the
 * call has returned. With "cancelled before" or "cancelled after" the stopped thread ends
 * there: then both are reused after the next wait. Arguments: an image, a kernel in it, the
 * name of a call, and perhaps one of those two. */
#include <mgpu_runtime.h>

#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../internal/chost/module.h"

enum { bytes = 4096, repeated = 300 };

static void *module, *kernel, *stream, *block, *other, *event, *own;
static char host[bytes];

static void launch_on(void *s, int32_t shared) {
  uint64_t zero = 0; /* arguments of any kernel's, of no use to it */
  void *params[] = {&other, &zero, &zero, &zero, &zero, &zero, &zero, &zero};
  mgpuLaunchKernel(kernel, 1, 1, 1, 16, 1, 1, shared, s, params, NULL, 3);
}

static void launch(void) { launch_on(stream, 0); }
static void launch_with_memory(void) { launch_on(stream, 64); }
static void launch_on_null(void) { launch_on(NULL, 0); }
static void download(void) { mgpuMemcpy(host, other, bytes, stream); }
static void upload(void) { mgpuMemcpy(other, host, bytes, stream); }
static void download_a_little(void) { mgpuMemcpy(host, other, 64, stream); }
static void copy_on_null(void) { mgpuMemcpy(host, other, 64, NULL); }
static void set32(void) { mgpuMemset32(other, 1, bytes / 4, stream); }
static void set16(void) { mgpuMemset16(other, 1, bytes / 2, stream); }
static void record(void) { mgpuEventRecord(event, stream); }
static void wait_event(void) { mgpuStreamWaitEvent(stream, event); }
static void wait_stream(void) {
  static void *before;
  if (before == NULL)
    before = mgpuStreamCreate();
  mgpuStreamWaitEvent(stream, before);
}

static void graph(void) {
  mgpuxGraphBegin(1);
  launch();
  launch();
  mgpuxGraphEnd();
}

static const struct call {
  const char *name;
  void (*make)(void);
  const char *stopped; /* the driver's function */
  bool null;           /* it is on the null stream */
} calls[] = {
    {"launch", launch, "hipModuleLaunchKernel", false},
    {"launch with memory", launch_with_memory, "hipModuleLaunchKernel", false},
    {"launch on null", launch_on_null, "hipModuleLaunchKernel", true},
    {"launch by graph", launch, "hipGraphLaunch", false},
    {"download", download, "hipMemcpyAsync", false},
    {"upload", upload, "hipMemcpyAsync", false},
    {"download a little", download_a_little, "hipMemcpyAsync", false},
    {"copy on null", copy_on_null, "hipMemcpyAsync", true},
    {"set 32", set32, "hipMemsetD32Async", false},
    {"set 16", set16, "hipMemsetD16Async", false},
    {"record", record, "hipEventRecord", false},
    {"wait for event", wait_event, "hipStreamWaitEvent", false},
    {"wait for stream", wait_stream, "hipStreamWaitEvent", false},
    {"graph", graph, "hipGraphLaunch", false},
};

static const struct call *call;
static __thread bool caller; /* the thread whose call is stopped */
static int stops;
static void *again, *next;

static int cancelled_over = -1; /* at which end of the driver's call */

static void watch_cancelled(const char *function, int over) {
  if (!caller || strcmp(function, call->stopped) != 0 || over != cancelled_over)
    return;
  stops++;
  pthread_cancel(pthread_self());
  pthread_testcancel();
}

/* Runs when the thread ends, as destructors may. */
static void clean_up(void *own_stream) {
  caller = false;
  mgpuMemset32(own, 2, bytes / 4, own_stream);
}

static void *make_cancelled(void *arg) {
  for (int i = 0; i < repeated; i++) /* until the thread launches by graph */
    call->make();
  mgpuStreamSynchronize(stream);
  caller = true;
  pthread_cleanup_push(clean_up, arg);
  call->make();
  pthread_testcancel(); /* calls that Go makes go on until they have returned */
  pthread_cleanup_pop(0);
  return arg;
}

static void *before(void *arg) {
  mgpuStreamSynchronize(call->null ? NULL : stream);
  return arg;
}

static void *after(void *arg) {
  mgpuMemFree(block, NULL);
  again = mgpuMemAlloc(bytes, NULL, 0);
  if (!call->null || cancelled_over >= 0) {
    mgpuStreamDestroy(stream);
    next = mgpuStreamCreate();
  }
  return arg;
}

static void watch(const char *function, int over) {
  if (!caller || strcmp(function, call->stopped) != 0 || stops != over)
    return;
  stops++;
  pthread_t t;
  pthread_create(&t, NULL, over ? after : before, NULL);
  pthread_join(t, NULL);
}

int main(int argc, char **argv) {
  if (argc < 4)
    return 3;
  void *image = read_module(argv[1]);
  for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
    if (strcmp(calls[i].name, argv[3]) == 0)
      call = &calls[i];
  void *hip = dlopen(getenv("MGPU_HIP_LIBRARY"), RTLD_NOW);
  void (*set_watch)(void (*)(const char *, int)) =
      (void (*)(void (*)(const char *, int)))dlsym(hip, "fakehip_watch");
  if (call == NULL || set_watch == NULL)
    return 3;
  module = mgpuModuleLoad(image, 0);
  kernel = mgpuModuleGetFunction(module, argv[2]);
  stream = mgpuStreamCreate();
  event = mgpuEventCreate();
  other = mgpuMemAlloc(2 * bytes, NULL, 0);
  for (int i = 0; i < repeated; i++) { /* until the caches are filled */
    block = mgpuMemAlloc(bytes, NULL, 0);
    call->make();
    mgpuStreamSynchronize(stream);
    mgpuStreamSynchronize(NULL);
    mgpuMemFree(block, NULL);
  }
  /* Control: without pending work both are reused. */
  void *was = block;
  block = mgpuMemAlloc(bytes, NULL, 0);
  void *first = stream;
  mgpuStreamDestroy(stream);
  stream = mgpuStreamCreate();
  mgpuStreamSynchronize(stream);
  if (block != was || stream != first)
    return 4;
  if (argc > 4) {
    cancelled_over = strcmp(argv[4], "cancelled after") == 0;
    set_watch(watch_cancelled);
    pthread_t t;
    void *side = mgpuStreamCreate();
    own = mgpuMemAlloc(3 * bytes, NULL, 0);
    pthread_create(&t, NULL, make_cancelled, side);
    pthread_join(t, NULL);
    set_watch(NULL);
    mgpuStreamSynchronize(side);
    before(NULL);
    after(NULL);
  } else {
    caller = true;
    set_watch(watch);
    call->make();
    set_watch(NULL);
  }
  printf("stops %d, the same block %d, the same stream %d\n", stops,
         again == block, next == stream);
  return 0;
}
