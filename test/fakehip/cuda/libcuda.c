#include "libcuda.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "device.h"

enum { most_devices = 64 };

struct libcuda cuda;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int count;
static CUcontext primary
    [most_devices]; /* under lock until it is there, which it then stays */

static unsigned fill(void *library) {
  static const struct {
    const char *name;
    size_t at;
  } row[] = {
#define C(name, parameters) {#name, offsetof(struct libcuda, name)},
#include "functions.h"
#undef C
  };
  for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
    void *f = dlsym(library, row[i].name);
    if (!f) {
      fprintf(stderr, "fakehip: libcuda.so.1 has no %s\n", row[i].name);
      return 1;
    }
    *(void **)((char *)&cuda + row[i].at) = f;
  }
  return 0;
}

static void open_once(void) {
  /* Kernels arrive with their module, as HIP has it: one that were loaded at its first launch would wait for what runs. */
  setenv("CUDA_MODULE_LOADING", "EAGER", 0);
  void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    fprintf(stderr, "fakehip: %s\n", dlerror());
    return;
  }
  if (fill(library) != 0)
    return;
  unsigned status = cuda.cuInit(0);
  if (status == 0)
    status = cuda.cuDeviceGetCount(&count);
  if (status != 0)
    fprintf(stderr, "fakehip: libcuda.so.1: error %u\n", status);
  if (status != 0 || count < 0)
    count = 0;
  if (count > most_devices)
    count = most_devices;
}

hipError_t cuda_open(int *devices) {
  pthread_once(&once, open_once);
  *devices = count;
  return count ? hipSuccess : hipErrorNoDevice;
}

static hipError_t retain(int number, CUcontext *out) {
  *out = __atomic_load_n(&primary[number], __ATOMIC_ACQUIRE);
  if (*out)
    return hipSuccess;
  CUdevice d;
  hipError_t e = hipSuccess;
  pthread_mutex_lock(&lock);
  *out = primary[number];
  if (!*out) {
    e = cuda_error(cuda.cuDeviceGet(&d, number));
    if (e == hipSuccess)
      e = cuda_error(cuda.cuDevicePrimaryCtxRetain(out, d));
    if (e == hipSuccess)
      __atomic_store_n(&primary[number], *out, __ATOMIC_RELEASE);
  }
  pthread_mutex_unlock(&lock);
  return e;
}

hipError_t cuda_enter(void) {
  int devices;
  CUcontext wanted, now;
  hipError_t e = cuda_open(&devices);
  if (e == hipSuccess)
    e = retain(device_current(), &wanted);
  if (e == hipSuccess)
    e = cuda_error(cuda.cuCtxGetCurrent(&now));
  if (e == hipSuccess && now != wanted)
    e = cuda_error(cuda.cuCtxSetCurrent(wanted));
  return e;
}

/* HIP and CUDA number most errors alike. */
hipError_t cuda_error(unsigned status) {
  static const struct {
    unsigned first, last;
    hipError_t error;
  } differ[] = {
      {34, 34, hipErrorNoDevice},       /* a stub of libcuda */
      {46, 46, hipErrorNoDevice},       /* taken by another process */
      {218, 218, hipErrorInvalidImage}, /* PTX that does not compile */
      {220, 221, hipErrorNotSupported}, /* no compiler for PTX */
      {222, 222, hipErrorInvalidImage}, /* PTX of a newer version */
      {223, 223, hipErrorNotSupported}, /* PTX may not be compiled */
      {300, 300, hipErrorInvalidImage},
      {714, 718, hipErrorLaunchFailure}, /* a bad instruction or address */
      {803, 804, hipErrorInsufficientDriver},
  };
  static const hipError_t same[] = {
#define E(name, value, text) name,
#include "../lib/errors.h"
#undef E
  };
  for (size_t i = 0; i < sizeof differ / sizeof *differ; i++)
    if (status >= differ[i].first && status <= differ[i].last)
      return differ[i].error;
  for (size_t i = 0; i < sizeof same / sizeof *same; i++)
    if (status == (unsigned)same[i])
      return same[i];
  return hipErrorUnknown;
}
