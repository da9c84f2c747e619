/* The C ABI's extensions: one C function per mgpux call, in front of its Go export. */

#define _GNU_SOURCE
#include "entry.h"

#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "cancel.h"
#include "markers.h"
#include "process.h"
#include "record.h"
#include "relaunch.h"
#include "thread.h"
#include "uncached.h"

#include "_cgo_export.h"

API int32_t mgpuxGetDeviceCount(void) {
  ENTER(mgpuxGetDeviceCount);
  return goGetDeviceCount();
}

/* Does not start Go, and is not counted. */
API int32_t mgpuxTakeError(char *text, size_t size) {
  return guest_take_failure(text, size);
}

/* Does not start Go, and is not counted. */
API void mgpuxHoldErrors(void) { guest_hold_failures(); }

API void *mgpuxAllocCacheCreate(void) {
  ENTER(mgpuxAllocCacheCreate);
  void *cache = (void *)goAllocCacheCreate();
  TRACE_RESULT(cache);
  return cache;
}

API void mgpuxAllocCacheBegin(void *cache) {
  ENTER(mgpuxAllocCacheBegin);
  uintptr_t session = goAllocCacheBegin((uintptr_t)cache,
                                        this_thread->scopes_open == scopes_max);
  if (session != 0) {
    this_thread->scopes[this_thread->scopes_open++] =
        (struct scope){(uintptr_t)cache, session};
    markers_push_number("mgpu scope", (uintptr_t)cache);
  }
}

API void mgpuxAllocCacheEnd(void *cache) {
  ENTER(mgpuxAllocCacheEnd);
  uintptr_t last = session();
  if (goAllocCacheEnd((uintptr_t)cache, last)) {
    this_thread->scopes_open--;
    markers_pop();
    TRACE_RESULT(last);
  }
}

API uint64_t mgpuxAllocCacheTrim(void *cache) {
  ENTER(mgpuxAllocCacheTrim);
  return goAllocCacheTrim((uintptr_t)cache);
}

API void mgpuxAllocCacheDestroy(void *cache) {
  ENTER(mgpuxAllocCacheDestroy);
  goAllocCacheDestroy((uintptr_t)cache);
}

API uint64_t mgpuxAllocCacheInfo(void *cache, int32_t what) {
  ENTER(mgpuxAllocCacheInfo);
  return goAllocCacheInfo((uintptr_t)cache, what);
}

API void *mgpuxScratch(void *key, uint64_t sizeBytes, void *stream) {
  ENTER(mgpuxScratch);
  uncached_keep_scratch();
  return (void *)goScratch((uintptr_t)key, sizeBytes, (uintptr_t)stream,
                           (uintptr_t)__builtin_return_address(0));
}

API int32_t mgpuxMemorySnapshot(const char *path) {
  ENTER(mgpuxMemorySnapshot);
  return goMemorySnapshot((uintptr_t)path) ? 0 : -1;
}

/* Copies a struct of size bytes, as far as the program has space for it. Returns size. */
static size_t copy_out(void *out, size_t space, const void *from, size_t size) {
  if (out != NULL)
    memcpy(out, from, space < size ? space : size);
  return size;
}

API size_t mgpuxGetMemoryStats(int32_t device, struct mgpux_memory_stats *out,
                               size_t size) {
  ENTER(mgpuxGetMemoryStats);
  struct mgpux_memory_stats s = {0};
  if (!goMemoryStats(device, &s))
    return 0;
  s.size = size < sizeof s ? size : sizeof s;
  return copy_out(out, size, &s, sizeof s);
}

API size_t mgpuxGetStats(struct mgpux_stats *out, size_t size) {
  ENTER(mgpuxGetStats);
  struct mgpux_stats s = {.size = size < sizeof s ? size : sizeof s};
  goStats(&s);
  return copy_out(out, size, &s, sizeof s);
}

API size_t mgpuxGetFunctionStats(size_t index, struct mgpux_function_stats *out,
                                 size_t size) {
  ENTER(mgpuxGetFunctionStats);
  struct mgpux_function_stats s = {0};
  return goFunctionStats(index, &s) ? copy_out(out, size, &s, sizeof s) : 0;
}

API size_t mgpuxGetRefusal(size_t index, struct mgpux_refusal *out,
                           size_t size) {
  ENTER(mgpuxGetRefusal);
  struct mgpux_refusal r = {0};
  return goRefusal(index, &r) ? copy_out(out, size, &r, sizeof r) : 0;
}

API size_t mgpuxGetRank(struct mgpux_rank *out, size_t size) {
  ENTER(mgpuxGetRank);
  struct mgpux_rank r = {.size = size < sizeof r ? size : sizeof r};
  goRank(&r);
  return copy_out(out, size, &r, sizeof r);
}

API size_t mgpuxGetKernelArgument(void *module, const char *kernel,
                                  size_t index,
                                  struct mgpux_kernel_argument *out,
                                  size_t size) {
  ENTER(mgpuxGetKernelArgument);
  struct mgpux_kernel_argument a = {0};
  return goKernelArgument((uintptr_t)module, (uintptr_t)kernel, index, &a)
             ? copy_out(out, size, &a, sizeof a)
             : 0;
}

API int32_t mgpuxGraphBegin(uint64_t key) {
  ENTER(mgpuxGraphBegin);
  bool records = false;
  uintptr_t id = goGraphBegin(key, this_thread->begun, &records);
  if (id == 0)
    return 0;
  markers_push_number("mgpu region", key);
  this_thread->begun = this_thread->recording = id;
  this_thread->notes = !records;
  TRACE_RESULT(id);
  return records;
}

API int32_t mgpuxGraphEnd(void) {
  ENTER(mgpuxGraphEnd);
  uintptr_t id = this_thread->begun;
  this_thread->begun = 0;
  recording_over();
  struct wait w;
  w.fn = 0;
  bool launched = goGraphEnd(id, &w);
  if (w.fn != 0)
    finish_call(&w);
  if (id != 0)
    markers_pop();
  return launched;
}

API void mgpuxGraphLaunch(uint64_t key, void *stream) {
  ENTER(mgpuxGraphLaunch);
  struct cancel was = cancel_disable();
  bool launched = relaunch(key, (uintptr_t)stream);
  cancel_restore(was);
  if (!launched)
    goGraphLaunch(key, (uintptr_t)stream);
}

API int32_t mgpuxGraphUpdate(uint64_t key, uint64_t other) {
  ENTER(mgpuxGraphUpdate);
  return goGraphUpdate(key, other);
}

API int32_t mgpuxGraphIsRecording(void) {
  ENTER(mgpuxGraphIsRecording);
  uintptr_t id = this_thread->recording;
  return id != 0 && goGraphRecording(id);
}

API int32_t mgpuxStreamIsCapturing(void *stream) {
  ENTER(mgpuxStreamIsCapturing);
  return goStreamIsCapturing((uintptr_t)stream);
}

API void mgpuxGraphDestroy(uint64_t key) {
  ENTER(mgpuxGraphDestroy);
  goGraphDestroy(key);
}

API int32_t mgpuxTraceStart(const char *file) {
  ENTER(mgpuxTraceStart);
  return goTraceStart((char *)file) ? 0 : -1;
}

API void mgpuxTraceStop(void) {
  ENTER(mgpuxTraceStop);
  goTraceStop();
  traced_.start = 0;
}

static bool trace_asked_for;

static void ask_for_trace(void) {
  trace_asked_for = environment_get("MGPU_TRACE") != NULL;
}

/* Reports whether no timeline is recorded, now or from the first call on. Reads MGPU_TRACE
 * once: programs name ranges long before their first call, while other threads may change
 * the environment. */
static bool untraced(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  if (trace_on || guest_started())
    return !trace_on;
  pthread_once(&once, ask_for_trace);
  return !trace_asked_for;
}

API void mgpuxRangePush(const char *name) {
  markers_push(name);
  if (untraced())
    return;
  ENTER(mgpuxRangePush);
  goRangePush((char *)name);
}

API void mgpuxRangePop(void) {
  markers_pop();
  if (untraced())
    return;
  ENTER(mgpuxRangePop);
  goRangePop();
}

API void mgpuxMark(const char *name) {
  markers_mark(name);
  if (untraced())
    return;
  ENTER(mgpuxMark);
  goMark((char *)name);
}

API void mgpuxNameStream(void *stream, const char *name) {
  if (untraced())
    return;
  ENTER(mgpuxNameStream);
  goNameStream((uintptr_t)stream, (char *)name);
}

/* `mgpu version` and `mgpu doctor` look for this text in the library's file. */
static const char version[] = "mgpu library version " MGPU_VERSION;

/* Does not start Go, and is not counted. */
API const char *mgpuxVersion(void) {
  return version + sizeof version - sizeof MGPU_VERSION;
}
