/* A CUDA driver in which nothing happens, made from the driver's own list: every
 * function succeeds and gives nothing, but for those below. Compiled with
 * -DcuX=absent it has no cuX; with -DDEVICES=0 it has no device; with
 * -DINIT=100 it can't be initialized, with -DNO_LIMITS it has no
 * cuFuncSetAttribute, with -DRETAIN=2 devices have no context,
 * with -DSYNCHRONIZE=719 waits fail, and with -DRECORD launches and tensor maps
 * print what they were given.
 *
 * It keeps contexts as libcuda does, a stack per thread: device i's primary one is
 * 10+i. cuMemAlloc gives the current one, and so does cuDeviceGetAttribute, which
 * the driver calls in whatever context there is. cuMemHostUnregister(p) does what
 * a program does that binds context p by itself. */
#include "../types.h"

#include <stdio.h>
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
#ifdef RECORD
#define cuLaunchKernel listed22
#define cuLaunchKernelEx listed23
#define cuLaunchCooperativeKernel listed24
#define cuTensorMapEncodeTiled listed25
#define cuMemcpyAsync listed26
#endif
#define SYMBOL(need, result, name, params)                                     \
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
#ifdef RECORD
#undef cuLaunchKernel
#undef cuLaunchKernelEx
#undef cuLaunchCooperativeKernel
#undef cuTensorMapEncodeTiled
#undef cuMemcpyAsync
#endif

enum { first = 10, deepest = 16 };

static __thread uintptr_t stack[deepest];
static __thread int depth;
static int retained, attributes;

static uintptr_t current(void) { return depth ? stack[depth - 1] : 0; }

static void bind(uintptr_t context) {
  if (depth == 0)
    depth = 1;
  stack[depth - 1] = context;
}

cuda_status cuInit(unsigned flags) { return INIT; }

cuda_status cuDriverGetVersion(int *version) {
  *version = 11040;
  return 0;
}

cuda_status cuGetErrorName(cuda_status status, const char **text) {
#define CASE(ours, theirs, value)                                              \
  if (status == value && !strncmp(#theirs, "CUDA", 4))                         \
    *text = #theirs;
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
cuda_status cuDeviceGetAttribute(int *value, cuda_enum attribute,
                                 CUdevice device) {
  *value = attribute == cuda_device_major   ? (int)current()
           : attribute == cuda_device_minor ? retained
                                            : 65536;
  return 0;
}

cuda_status cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device) {
  if (RETAIN)
    return RETAIN;
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
  if (depth == deepest)
    abort();
  stack[depth++] = (uintptr_t)context;
  return 0;
}

cuda_status cuCtxPopCurrent_v2(CUcontext *context) {
  if (depth == 0)
    return cuda_invalid_context;
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
cuda_status cuFuncGetAttribute(int *value, cuda_enum attribute,
                               CUfunction function) {
  *value = attribute == cuda_function_shared ? attributes : 49152;
  return 0;
}

cuda_status cuFuncSetAttribute(CUfunction function, cuda_enum attribute,
                               int value) {
  if (value > 65536)
    return cuda_invalid_value;
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

#ifdef RECORD

static void say(const char *call, const unsigned *grid, const unsigned *block,
                unsigned shared, CUstream stream, CUfunction f, void **params,
                void **extra) {
  printf("%s %p grid %u %u %u block %u %u %u shared %u stream %s params %p "
         "extra %p\n",
         call, (void *)f, grid[0], grid[1], grid[2], block[0], block[1],
         block[2], shared, stream ? "given" : "none", (void *)params,
         (void *)extra);
}

cuda_status cuLaunchKernel(CUfunction f, unsigned gx, unsigned gy, unsigned gz,
                           unsigned bx, unsigned by, unsigned bz,
                           unsigned shared, CUstream stream, void **params,
                           void **extra) {
  say("plain", (unsigned[]){gx, gy, gz}, (unsigned[]){bx, by, bz}, shared,
      stream, f, params, extra);
  return 0;
}

cuda_status cuLaunchCooperativeKernel(CUfunction f, unsigned gx, unsigned gy,
                                      unsigned gz, unsigned bx, unsigned by,
                                      unsigned bz, unsigned shared,
                                      CUstream stream, void **params) {
  say("cooperative", (unsigned[]){gx, gy, gz}, (unsigned[]){bx, by, bz}, shared,
      stream, f, params, NULL);
  return 0;
}

cuda_status cuLaunchKernelEx(const CUlaunchConfig *config, CUfunction f,
                             void **params, void **extra) {
  const struct cuda_launch_config *c = (const void *)config;
  say("extended", &c->grid_x, &c->block_x, c->shared, c->stream, f, params,
      extra);
  for (unsigned i = 0; i < c->count; i++) {
    const struct cuda_launch_attribute *a = &c->attributes[i];
    if (a->id == cuda_launch_cluster_attribute)
      printf("  cluster %u %u %u\n", a->value.dim.x, a->value.dim.y,
             a->value.dim.z);
    else
      printf("  attribute %u is %d\n", a->id, a->value.number);
  }
  return 0;
}

cuda_status cuTensorMapEncodeTiled(CUtensorMap *map, cuda_enum type,
                                   uint32_t rank, void *address,
                                   const uint64_t *dims,
                                   const uint64_t *strides, const uint32_t *box,
                                   const uint32_t *steps, cuda_enum interleave,
                                   cuda_enum swizzle, cuda_enum promotion,
                                   cuda_enum fill) {
  printf("map %s type %u of %p, modes %u %u %u %u\n",
         (uintptr_t)map % 64 ? "unaligned" : "aligned", type, address,
         interleave, swizzle, promotion, fill);
  for (uint32_t i = 0; i < rank; i++)
    printf("  size %llu tile %u step %u stride %llu\n",
           (unsigned long long)dims[i], box[i], steps[i],
           i + 1 < rank ? (unsigned long long)strides[i] : 0);
  memset(map, 0, 128);
  strcpy((char *)map, "a map");
  return 0;
}

cuda_status cuMemcpyAsync(CUdeviceptr to, CUdeviceptr from, size_t bytes,
                          CUstream stream) {
  printf("copy %zu bytes of %s to %llu\n", bytes, (char *)(uintptr_t)from, to);
  return 0;
}

#endif
