/* The C ABI: one C function per mgpu call, in front of its Go export. The mgpux calls are
 * in entry_extensions.c.
 *
 * Each function makes sure that Go can be entered, drops arguments that older releases of
 * LLVM leave undefined, and calls the fast path or Go. Driver calls that may block are made
 * here, outside Go (struct wait), since Go's scheduler would return from them 15 us late.
 * The public header is included, so a definition that differs from it does not compile. */

#define _GNU_SOURCE
#include "entry.h"

#include <stddef.h>

#include "alloc.h"
#include "cancel.h"
#include "copy.h"
#include "deferred.h"
#include "driver.h"
#include "guest.h"
#include "launch.h"
#include "lookup.h"
#include "process.h"
#include "record.h"
#include "stream.h"
#include "thread.h"
#include "uncached.h"

#include <stdlib.h>
#include <string.h>

#include "_cgo_export.h"

/*---- The library as a guest of the process ---------------------------------*/

static bool attached(void) { return this_thread != NULL; }

/* Ends the recording of an ended thread whose state this thread has taken over. */
static void adopted(void) {
  if (this_thread->begun != 0)
    goGraphAbandon(this_thread->begun);
  this_thread->begun = this_thread->recording = 0;
}

static void forget(void) { this_thread = NULL; }

const struct guest_library guest_library = {
    .name = "libmlir_rocm_runtime",
    .attached = attached,
    .attach = thread_attach,
    .detach = thread_detach,
    .adopted = adopted,
    .forget = forget,
    .start = goStart,
    .end = goExit,
    .aborts = failures_abort,
};

/*---- Calls -----------------------------------------------------------------*/

/* Attaches a thread at its first call, and makes the device of MGPU_DEVICE current unless
 * the call itself sets one. The process's first call reads the environment. */
__attribute__((noinline, cold)) bool first_call(const char *call) {
  environment_read();
  if (!guest_first(call))
    return false;
  if (environment_get("MGPU_DEVICE") != NULL &&
      strcmp(call, "mgpuSetDefaultDevice") != 0)
    goBeginThread();
  return true;
}

/* Return the low bits of an argument that is narrower than a register. Compilers rely on
 * callers to extend it, but an argument that the caller does not pass has garbage in every
 * bit. */
static uint8_t low8(uint8_t v) { return *(volatile uint8_t *)&v; }
static uint16_t low16(uint16_t v) { return *(volatile uint16_t *)&v; }

/* Tells Go what a call has created or released. Loads by constructors are left out, since
 * destructors unload them at the process's end. */
static void note_resource(const struct traced_call *c) {
  bool loads =
      c->call == call_mgpuModuleLoad || c->call == call_mgpuModuleLoadJIT;
  if (!loads || !constructor_calls(c->site))
    goNoteResource(c->call, (uint64_t *)c->x, c->result, c->site, session());
}

void note_resources(void) { trace_note(note_resource); }

/* Makes a driver call that Go has prepared, and passes its status to goWaited. Cancellation
 * of the thread is disabled in between. */
void finish_call(struct wait *w) {
  int32_t (*call)(uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t) =
      (void *)w->fn;
  struct cancel was = cancel_disable();
  uint64_t from = __builtin_expect(trace_on, 0) ? monotonic_ns() : 0;
  int32_t status = call(w->arg[0], w->arg[1], w->arg[2], w->arg[3], w->arg[4]);
  trace_driver_call(trace_wait, from);
  goWaited(w, status);
  cancel_restore(was);
}

/* Loads an image, by the compiler unless opt is no_compiler. */
static void *load_module(uintptr_t image, int32_t opt) {
  uintptr_t m = lookup_module(image, opt, image_holds);
  if (m != 0 || uncached_load(image, opt, &m))
    return (void *)m;
  uint64_t losses = lookup_losses();
  struct loaded_image loaded = {0, 0};
  m = opt == no_compiler ? goModuleLoad(image, &loaded)
                         : goModuleLoadJIT(image, opt, &loaded);
  uintptr_t released = loaded.length == 0
                           ? 0
                           : lookup_store_module(losses, image, opt, loaded, m);
  if (released != 0)
    goModuleUnload(released);
  return (void *)m;
}

/* Reports whether a load is deferred until the program looks up a function: a load by a
 * constructor, before any other call, of an image that does not move. A deferred load does
 * not count as the first call, so main may still change the environment. */
static bool deferrable(const void *data, const void *caller) {
  if (this_thread != NULL || guest_started() ||
      !constructor_calls((uintptr_t)caller) ||
      !image_is_stable((uintptr_t)data, 1))
    return false;
  return !environment_has("MGPU_CACHE", "off");
}

/* Makes a deferred load. The load is counted now. */
static uintptr_t load_deferred(uintptr_t image, int32_t opt) {
  count_call(opt == no_compiler ? call_mgpuModuleLoad : call_mgpuModuleLoadJIT);
  trace_count();
  struct cancel was = cancel_disable(); /* a lock is held */
  void *m = load_module(image, opt);
  cancel_restore(was);
  return (uintptr_t)m;
}

API void *mgpuModuleLoad(void *data, size_t blobSize) {
  (void)blobSize;
  if (__builtin_expect(this_thread == NULL, false) &&
      deferrable(data, __builtin_return_address(0))) {
    uintptr_t handle = deferred_load((uintptr_t)data, no_compiler);
    if (handle != 0)
      return (void *)handle;
  }
  ENTER(mgpuModuleLoad);
  void *m = load_module((uintptr_t)data, no_compiler);
  TRACE_RESULT(m);
  return m;
}

API void *mgpuModuleLoadJIT(void *data, int32_t opt, size_t asmSize) {
  (void)asmSize;
  if (__builtin_expect(this_thread == NULL, false) &&
      deferrable(data, __builtin_return_address(0))) {
    uintptr_t handle = deferred_load((uintptr_t)data, opt < 0 ? 0 : opt);
    if (handle != 0)
      return (void *)handle;
  }
  ENTER(mgpuModuleLoadJIT);
  /* Levels below 0 mean 0. */
  void *m = load_module((uintptr_t)data, opt < 0 ? 0 : opt);
  TRACE_RESULT(m);
  return m;
}

API void mgpuModuleUnload(void *module) {
  /* Does nothing in a child of fork: MLIR's code unloads at the end of the program or of its
   * JIT engine, in a child possibly before the exit handlers run. */
  if (guest_forked())
    return;
  uintptr_t m = (uintptr_t)module;
  bool never = deferred_unload(&m);
  if (never && !guest_started())
    return;
  module = (void *)m;
  ENTER(mgpuModuleUnload);
  if (never)
    return;
  /* Programs of LLVM 21 and later unload in a destructor, when the driver's library may be
   * unloaded already. The module ends with the process. */
  if (guest_exiting())
    return;
  if (lookup_keep_module(m) || uncached_unload(m))
    return;
  while (lookup_release_module(m))
    goModuleUnload(m);
  goModuleUnload(m);
}

API HOT void *mgpuModuleGetFunction(void *module, const char *name) {
  ENTER(mgpuModuleGetFunction);
  uintptr_t f = lookup_function((uintptr_t)module, name);
  if (f == 0 && !uncached_function((uintptr_t)module, name, &f)) {
    uintptr_t m = deferred_module((uintptr_t)module, load_deferred);
    uint64_t epoch = lookup_epoch();
    f = goModuleGetFunction(m, (uintptr_t)name);
    lookup_store_function(epoch, (uintptr_t)module, name, f);
  }
  TRACE_RESULT(f);
  return (void *)f;
}

/* Initializes a struct launch from the parameters of a launch function and further members. */
#define LAUNCH(...)                                                            \
  {.function = (uintptr_t)function,                                            \
   .grid = {gridX, gridY, gridZ},                                              \
   .block = {blockX, blockY, blockZ},                                          \
   .shared = smem,                                                             \
   .stream = (uintptr_t)stream,                                                \
   .params = (uintptr_t)params,                                                \
   .extra = (uintptr_t)extra,                                                  \
   __VA_ARGS__}

API HOT void mgpuLaunchKernel(void *function, intptr_t gridX, intptr_t gridY,
                              intptr_t gridZ, intptr_t blockX, intptr_t blockY,
                              intptr_t blockZ, int32_t smem, void *stream,
                              void **params, void **extra, size_t paramsCount) {
  (void)paramsCount;
  struct launch l = LAUNCH();
  ENTER(mgpuLaunchKernel);
  RECORD(goRecordLaunch(id, &l));
  if (!launch_kernel(&l) && !uncached_launch(&l)) {
    TRACE_WAY(trace_in_go);
    goLaunchKernel(&l);
  }
}

API void mgpuLaunchClusterKernel(void *function, intptr_t clusterX,
                                 intptr_t clusterY, intptr_t clusterZ,
                                 intptr_t gridX, intptr_t gridY, intptr_t gridZ,
                                 intptr_t blockX, intptr_t blockY,
                                 intptr_t blockZ, int32_t smem, void *stream,
                                 void **params, void **extra) {
  struct launch l = LAUNCH(.cluster = {clusterX, clusterY, clusterZ});
  ENTER(mgpuLaunchClusterKernel);
  goLaunchClusterKernel(&l);
}

API void mgpuLaunchKernelCooperative(void *function, intptr_t gridX,
                                     intptr_t gridY, intptr_t gridZ,
                                     intptr_t clusterX, intptr_t clusterY,
                                     intptr_t clusterZ, intptr_t blockX,
                                     intptr_t blockY, intptr_t blockZ,
                                     int32_t smem, void *stream, void **params,
                                     void **extra) {
  struct launch l = LAUNCH(.cluster = {clusterX, clusterY, clusterZ});
  ENTER(mgpuLaunchKernelCooperative);
  goLaunchKernelCooperative(&l);
}

API HOT void *mgpuStreamCreate(void) {
  ENTER(mgpuStreamCreate);
  uintptr_t s = stream_create();
  if (s == 0 && !uncached_stream_create(&s))
    s = goStreamCreate();
  if (id != 0)
    goRecordStreamCreated(id, s);
  TRACE_RESULT(s);
  return (void *)s;
}

API HOT void mgpuStreamDestroy(void *stream) {
  ENTER(mgpuStreamDestroy);
  if (__builtin_expect(id != 0, 0))
    goRecordStreamDestroyed(id, (uintptr_t)stream);
  if (!stream_destroy((uintptr_t)stream) &&
      !uncached_stream_destroy((uintptr_t)stream))
    goStreamDestroy((uintptr_t)stream);
}

API HOT void mgpuStreamSynchronize(void *stream) {
  ENTER(mgpuStreamSynchronize);
  RECORD(goRecordSynchronize(id, (uintptr_t)stream));
  if (stream_synchronize((uintptr_t)stream) ||
      uncached_synchronize((uintptr_t)stream))
    return;
  struct wait w;
  if (goStreamSynchronize((uintptr_t)stream, &w))
    finish_call(&w);
}

API void mgpuStreamWaitEvent(void *stream, void *event) {
  ENTER(mgpuStreamWaitEvent);
  RECORD(goRecordStreamWait(id, (uintptr_t)stream, (uintptr_t)event));
  goStreamWaitEvent((uintptr_t)stream, (uintptr_t)event);
}

API void *mgpuEventCreate(void) {
  ENTER(mgpuEventCreate);
  void *event = (void *)goEventCreate();
  TRACE_RESULT(event);
  return event;
}

API void mgpuEventDestroy(void *event) {
  ENTER(mgpuEventDestroy);
  if (id != 0)
    goRecordEventDestroyed(id, (uintptr_t)event);
  goEventDestroy((uintptr_t)event);
}

API void mgpuEventSynchronize(void *event) {
  ENTER(mgpuEventSynchronize);
  RECORD(goRecordEventSynchronize(id, (uintptr_t)event));
  struct wait w;
  if (goEventSynchronize((uintptr_t)event, &w))
    finish_call(&w);
}

API void mgpuEventRecord(void *event, void *stream) {
  ENTER(mgpuEventRecord);
  RECORD(goRecordEventRecord(id, (uintptr_t)event, (uintptr_t)stream));
  goEventRecord((uintptr_t)event, (uintptr_t)stream);
}

API HOT void *mgpuMemAlloc(uint64_t sizeBytes, void *stream,
                           uint8_t isHostShared) {
  ENTER(mgpuMemAlloc);
  uintptr_t site = (uintptr_t)__builtin_return_address(0);
  bool shared = low8(isHostShared) == 1 && stream == NULL;
  if (__builtin_expect(id != 0, 0) && !shared) {
    bool over;
    reset_notice(0);
    uintptr_t p = goRecordAlloc(id, sizeBytes, site, session(), &over);
    if (!over) {
      TRACE_RESULT(p);
      return (void *)p;
    }
    recording_over();
  }
  NOT_RECORDED(mgpuMemAlloc);
  uintptr_t p = shared ? 0 : alloc_block(sizeBytes, site);
  if (p == 0 && (shared || !uncached_alloc(sizeBytes, &p))) {
    reset_notice(0);
    p = goMemAlloc(sizeBytes, (uintptr_t)stream, shared, site, session());
    if (p == 0 && shared)
      guest_show_failures(); /* the program may crash next */
  }
  TRACE_RESULT(p);
  return (void *)p;
}

/* Frees without Go, if possible. */
HOT static bool free_in_c(uintptr_t ptr, uintptr_t stream) {
  enum free is = alloc_free(ptr, stream, false);
  if (__builtin_expect(is == free_asks, 0)) {
    struct cancel was = cancel_disable();
    is = alloc_free(ptr, stream, true);
    cancel_restore(was);
  }
  return is == free_made;
}

API HOT void mgpuMemFree(void *ptr, void *stream) {
  ENTER(mgpuMemFree);
  if (ptr != NULL && id != 0) {
    if (goRecordFree(id, (uintptr_t)ptr) == call_recorded)
      return;
    recording_over();
  }
  if (free_in_c((uintptr_t)ptr, (uintptr_t)stream) ||
      uncached_free((uintptr_t)ptr))
    return;
  struct wait w;
  if (goMemFree((uintptr_t)ptr, &w))
    finish_call(&w);
}

API void mgpuMemcpy(void *dst, void *src, size_t sizeBytes, void *stream) {
  ENTER(mgpuMemcpy);
  RECORD(goRecordMemcpy(id, (uintptr_t)dst, (uintptr_t)src, sizeBytes,
                        (uintptr_t)stream));
  if (uncached_copy((uintptr_t)dst, (uintptr_t)src, sizeBytes,
                    (uintptr_t)stream))
    return;
  struct cancel was = cancel_disable();
  bool made =
      copy_memory((uintptr_t)dst, (uintptr_t)src, sizeBytes, (uintptr_t)stream);
  cancel_restore(was);
  if (made)
    return;
  struct wait w;
  if (goMemcpy((uintptr_t)dst, (uintptr_t)src, sizeBytes, (uintptr_t)stream,
               &w))
    finish_call(&w);
}

API void mgpuMemset32(void *dst, uint32_t value, size_t count, void *stream) {
  ENTER(mgpuMemset32);
  RECORD(
      goRecordMemset(id, (uintptr_t)dst, value, 4, count, (uintptr_t)stream));
  if (!copy_value(call_mgpuMemset32, (uintptr_t)dst, value, count,
                  (uintptr_t)stream) &&
      !uncached_value(call_mgpuMemset32, (uintptr_t)dst, value, count,
                      (uintptr_t)stream))
    goMemset32((uintptr_t)dst, value, count, (uintptr_t)stream);
}

API void mgpuMemset16(void *dst, uint16_t value, size_t count, void *stream) {
  ENTER(mgpuMemset16);
  RECORD(goRecordMemset(id, (uintptr_t)dst, low16(value), 2, count,
                        (uintptr_t)stream));
  if (!copy_value(call_mgpuMemset16, (uintptr_t)dst, low16(value), count,
                  (uintptr_t)stream) &&
      !uncached_value(call_mgpuMemset16, (uintptr_t)dst, low16(value), count,
                      (uintptr_t)stream))
    goMemset16((uintptr_t)dst, low16(value), count, (uintptr_t)stream);
}

API void mgpuMemHostRegister(void *ptr, uint64_t sizeBytes) {
  ENTER(mgpuMemHostRegister);
  goMemHostRegister((uintptr_t)ptr, sizeBytes);
}

API void mgpuMemHostUnregister(void *ptr) {
  ENTER(mgpuMemHostUnregister);
  goMemHostUnregister((uintptr_t)ptr);
}

API void mgpuMemHostRegisterMemRef(int64_t rank, void *descriptor,
                                   int64_t elementSizeBytes) {
  ENTER(mgpuMemHostRegisterMemRef);
  goMemHostRegisterMemRef(rank, (uintptr_t)descriptor, elementSizeBytes);
}

API void mgpuMemHostUnregisterMemRef(int64_t rank, void *descriptor,
                                     int64_t elementSizeBytes) {
  ENTER(mgpuMemHostUnregisterMemRef);
  goMemHostUnregisterMemRef(rank, (uintptr_t)descriptor, elementSizeBytes);
}

API struct mgpu_memref1d_f32
mgpuMemGetDeviceMemRef1dFloat(float *allocated, float *aligned, int64_t offset,
                              int64_t size, int64_t stride) {
  (void)allocated;
  struct mgpu_memref1d_f32 m = {NULL, NULL, offset, size, stride};
  ENTER(mgpuMemGetDeviceMemRef1dFloat);
  m.allocated = m.aligned = (float *)goDeviceMemRefFloat((uintptr_t)aligned);
  return m;
}

API struct mgpu_memref1d_i32
mgpuMemGetDeviceMemRef1dInt32(int32_t *allocated, int32_t *aligned,
                              int64_t offset, int64_t size, int64_t stride) {
  (void)allocated;
  struct mgpu_memref1d_i32 m = {NULL, NULL, offset, size, stride};
  ENTER(mgpuMemGetDeviceMemRef1dInt32);
  m.allocated = m.aligned = (int32_t *)goDeviceMemRefInt32((uintptr_t)aligned);
  return m;
}

API void mgpuTensorMapEncodeTiled(
    void *tensorMap, uint32_t dataType, uint32_t rank, void *globalAddress,
    const uint64_t *globalDim, const uint64_t *globalStrides,
    const uint32_t *boxDim, const uint32_t *elementStrides, uint32_t interleave,
    uint32_t swizzle, uint32_t l2Promotion, uint32_t oobFill) {
  ENTER(mgpuTensorMapEncodeTiled);
  goTensorMapEncodeTiled(
      (uintptr_t)tensorMap, dataType, rank, (uintptr_t)globalAddress,
      (uintptr_t)globalDim, (uintptr_t)globalStrides, (uintptr_t)boxDim,
      (uintptr_t)elementStrides, interleave, swizzle, l2Promotion, oobFill);
}

API void *mgpuTensorMapEncodeTiledMemref(int64_t rank, void *descriptor,
                                         uint32_t dataType, uint32_t interleave,
                                         uint32_t swizzle, uint32_t l2Promotion,
                                         uint32_t oobFill, int64_t *boxSizes) {
  ENTER(mgpuTensorMapEncodeTiledMemref);
  return (void *)goTensorMapEncodeTiledMemref(
      rank, (uintptr_t)descriptor, dataType, interleave, swizzle, l2Promotion,
      oobFill, (uintptr_t)boxSizes);
}

API void mgpuSetDefaultDevice(int32_t device) {
  ENTER(mgpuSetDefaultDevice);
  goSetDefaultDevice(device);
  lookup_forget_thread();
}
