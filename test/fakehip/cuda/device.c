#include "device.h"

#include "../lib/real.h"
#include "libcuda.h"

static _Thread_local int current;

int device_current(void) { return current; }

hipError_t real_hipInit(unsigned flags) {
  int devices;
  return flags ? hipErrorInvalidValue : cuda_open(&devices);
}

hipError_t real_hipDriverGetVersion(int *version) {
  int devices;
  if (!version)
    return hipErrorInvalidValue;
  hipError_t e = cuda_open(&devices);
  return e == hipSuccess ? cuda_error(cuda.cuDriverGetVersion(version)) : e;
}

hipError_t real_hipRuntimeGetVersion(int *version) {
  return real_hipDriverGetVersion(version);
}

hipError_t real_hipGetDeviceCount(int *count) {
  return count ? cuda_open(count) : hipErrorInvalidValue;
}

/* Returns libcuda's device with a number. */
static hipError_t find(int number, CUdevice *d) {
  int devices;
  hipError_t e = cuda_open(&devices);
  if (e != hipSuccess)
    return e;
  return number >= 0 && number < devices
             ? cuda_error(cuda.cuDeviceGet(d, number))
             : hipErrorInvalidDevice;
}

hipError_t real_hipGetDevice(int *number) {
  int devices;
  if (!number)
    return hipErrorInvalidValue;
  *number = current;
  return cuda_open(&devices);
}

hipError_t real_hipSetDevice(int number) {
  CUdevice d;
  hipError_t e = find(number, &d);
  if (e == hipSuccess)
    current = number;
  return e;
}

hipError_t real_hipDeviceGet(hipDevice_t *out, int ordinal) {
  CUdevice d;
  if (!out)
    return hipErrorInvalidValue;
  hipError_t e = find(ordinal, &d);
  if (e == hipSuccess)
    *out = ordinal;
  return e;
}

hipError_t real_hipDeviceGetName(char *name, int size, hipDevice_t number) {
  CUdevice d;
  if (!name || size <= 0)
    return hipErrorInvalidValue;
  hipError_t e = find(number, &d);
  return e == hipSuccess ? cuda_error(cuda.cuDeviceGetName(name, size, d)) : e;
}

hipError_t real_hipDeviceGetAttribute(int *value, hipDeviceAttribute_t a,
                                      int number) {
  static const struct {
    hipDeviceAttribute_t hip;
    unsigned cuda;
  } attribute[] = {
      {hipDeviceAttributeMaxThreadsPerBlock, 1},
      {hipDeviceAttributeMaxBlockDimX, 2},
      {hipDeviceAttributeMaxBlockDimY, 3},
      {hipDeviceAttributeMaxBlockDimZ, 4},
      {hipDeviceAttributeMaxGridDimX, 5},
      {hipDeviceAttributeMaxGridDimY, 6},
      {hipDeviceAttributeMaxGridDimZ, 7},
      {hipDeviceAttributeMaxSharedMemoryPerBlock, 8},
      {hipDeviceAttributeWarpSize, 10},
      {hipDeviceAttributeClockRate, 13},
      {hipDeviceAttributeMultiprocessorCount, 16},
      {hipDeviceAttributeIntegrated, 18},
      {hipDeviceAttributeCanMapHostMemory, 19},
      {hipDeviceAttributeConcurrentKernels, 31},
      {hipDeviceAttributeComputeCapabilityMajor, 75},
      {hipDeviceAttributeComputeCapabilityMinor, 76},
      {hipDeviceAttributeManagedMemory, 83},
      {hipDeviceAttributeCooperativeLaunch, 95},
      {hipDeviceAttributeMemoryPoolsSupported, 115},
  };
  CUdevice d;
  if (!value)
    return hipErrorInvalidValue;
  hipError_t e = find(number, &d);
  if (e != hipSuccess)
    return e;
  for (size_t i = 0; i < sizeof attribute / sizeof *attribute; i++)
    if (attribute[i].hip == a)
      return cuda_error(cuda.cuDeviceGetAttribute(value, attribute[i].cuda, d));
  return hipErrorInvalidValue;
}

hipError_t real_hipDeviceSynchronize(void) { return CUDA(cuCtxSynchronize, ); }

hipError_t real_hipDeviceReset(void) {
  CUdevice d;
  hipError_t e = find(current, &d);
  return e == hipSuccess ? cuda_error(cuda.cuDevicePrimaryCtxReset_v2(d)) : e;
}
