/* A CUDA driver in which nothing happens, made from the driver's own list: every
 * function succeeds and gives nothing, but for those below. Compiled with
 * -DcuX=absent it has no cuX; with -DDEVICES=0 it has no device; with
 * -DINIT=100 it can't be initialized, with -DNO_LIMITS it has no
 * cuFuncSetAttribute, with -DRETAIN=2 devices have no context, and
 * with -DSYNCHRONIZE=719 waits fail.
 *
 * It keeps contexts as libcuda does, a stack per thread: device i's primary one is
 * 10+i. cuMemAlloc gives the current one, and so does cuDeviceGetAttribute, which
 * the driver calls in whatever context there is. cuMemHostUnregister(p) does what
 * a program does that binds context p by itself. */
#include "../types.h"

#include <stdlib.h>
#include <string.h>

#ifndef DEVICES
#define DEVICES 3
#endif
#ifndef INIT
#define INIT 0
#endif
#ifndef RETAIN
#define RETAIN 0
#endif
#ifndef SYNCHRONIZE
#define SYNCHRONIZE 0
#endif

#define cuInit listed1
#define cuDriverGetVersion listed2
#define cuGetErrorName listed3
#define cuGetErrorString listed4
#define cuDeviceGetCount listed5
#define cuDeviceGet listed6
#define cuDeviceGetAttribute listed7
#define cuDevicePrimaryCtxRetain listed8
#define cuCtxGetCurrent listed9
#define cuCtxSetCurrent listed10
#define cuCtxPushCurrent_v2 listed11
#define cuCtxPopCurrent_v2 listed12
#define cuMemAlloc_v2 listed13
#define cuMemHostUnregister listed14
#define cuFuncGetAttribute listed15
#define cuFuncSetAttribute listed16
#define cuMemFree_v2 listed17
#define cuStreamSynchronize listed18
#define cuEventSynchronize listed19
#define cuStreamCreate listed20
#define cuEventCreate listed21
#define SYMBOL(need, result, name, params) \
  result name() { return 0; }
#include "../symbols.h"
#undef cuInit
#undef cuDriverGetVersion
#undef cuGetErrorName
#undef cuGetErrorString
#undef cuDeviceGetCount
#undef cuDeviceGet
#undef cuDeviceGetAttribute
#undef cuDevicePrimaryCtxRetain
#undef cuCtxGetCurrent
#undef cuCtxSetCurrent
#undef cuCtxPushCurrent_v2
#undef cuCtxPopCurrent_v2
#undef cuMemAlloc_v2
#undef cuMemHostUnregister
#undef cuFuncGetAttribute
#undef cuFuncSetAttribute
#ifdef NO_LIMITS
#define cuFuncSetAttribute absent
#endif
#undef cuMemFree_v2
#undef cuStreamSynchronize
#undef cuEventSynchronize
#undef cuStreamCreate
#undef cuEventCreate

enum { first = 10, deepest = 16 };

static __thread uintptr_t stack[deepest];
static __thread int depth;
static int retained, attributes;

static uintptr_t current(void) { return depth ? stack[depth - 1] : 0; }

static void bind(uintptr_t context) {
  if (depth == 0) depth = 1;
  stack[depth - 1] = context;
}

cuda_status cuInit(unsigned flags) { return INIT; }

cuda_status cuDriverGetVersion(int *version) {
  *version = 11040;
  return 0;
}

cuda_status cuGetErrorName(cuda_status status, const char **text) {
#define CASE(ours, theirs, value) \
  if (status == value && !strncmp(#theirs, "CUDA", 4)) *text = #theirs;
  CUDA_NUMBERS(CASE)
  return status == 999;
}

cuda_status cuGetErrorString(cuda_status status, const char **text) {
  *text = "what it means";
  return 0;
}

cuda_status cuDeviceGetCount(int *count) {
  *count = DEVICES;
  return 0;
}

cuda_status cuDeviceGet(CUdevice *device, int ordinal) {
  *device = 100 + ordinal;
  return ordinal < 0 || ordinal >= DEVICES ? cuda_invalid_device : 0;
}

/* A major version asks for the context, a minor one for how many were retained. */
cuda_status cuDeviceGetAttribute(int *value, cuda_enum attribute, CUdevice device) {
  *value = attribute == cuda_device_major ? (int)current() : attribute == cuda_device_minor ? retained : 65536;
  return 0;
}

cuda_status cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device) {
  if (RETAIN) return RETAIN;
  retained++;
  *context = (CUcontext)(uintptr_t)(device - 100 + first);
  return 0;
}

cuda_status cuCtxGetCurrent(CUcontext *context) {
  *context = (CUcontext)current();
  return 0;
}

cuda_status cuCtxSetCurrent(CUcontext context) {
  bind((uintptr_t)context);
  return 0;
}

cuda_status cuCtxPushCurrent_v2(CUcontext context) {
  if (depth == deepest) abort();
  stack[depth++] = (uintptr_t)context;
  return 0;
}

cuda_status cuCtxPopCurrent_v2(CUcontext *context) {
  if (depth == 0) return cuda_invalid_context;
  *context = (CUcontext)stack[--depth];
  return 0;
}

cuda_status cuMemAlloc_v2(CUdeviceptr *ptr, size_t bytes) {
  *ptr = current();
  return 0;
}

cuda_status cuMemHostUnregister(void *context) {
  bind((uintptr_t)context);
  return 0;
}

cuda_status cuMemFree_v2(CUdeviceptr ptr) { return 0; }

/* Functions may have 48 KiB of dynamic shared memory, and the device has 64. The
 * number of times that a limit was set comes back as a function's static memory. */
cuda_status cuFuncGetAttribute(int *value, cuda_enum attribute, CUfunction function) {
  *value = attribute == cuda_function_shared ? attributes : 49152;
  return 0;
}

cuda_status cuFuncSetAttribute(CUfunction function, cuda_enum attribute, int value) {
  if (value > 65536) return cuda_invalid_value;
  attributes++;
  return 0;
}

/* A handle that was never given before. */
static uintptr_t handle(void) {
  static uintptr_t last = 0x5000;
  return __atomic_add_fetch(&last, 16, __ATOMIC_RELAXED);
}

cuda_status cuStreamCreate(CUstream *stream, unsigned flags) {
  *stream = (CUstream)handle();
  return flags != cuda_stream_non_blocking;
}

cuda_status cuEventCreate(CUevent *event, unsigned flags) {
  *event = (CUevent)handle();
  return flags != cuda_event_disable_timing;
}

cuda_status cuStreamSynchronize(CUstream stream) { return SYNCHRONIZE; }
cuda_status cuEventSynchronize(CUevent event) { return SYNCHRONIZE; }
