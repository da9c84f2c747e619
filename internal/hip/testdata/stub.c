/* A HIP library in which nothing happens, made from the driver's own list: every
 * function succeeds and gives nothing, but for those below. Compiled with
 * -DhipX=absent it has no hipX; with -DDEVICES=0 it has no device; with
 * -DCOUNTING=100 asking for devices fails, and with -DLOADING=209 loading modules. Its
 * version is VERSION. */
#include "../types.h"

#ifndef DEVICES
#define DEVICES 1
#endif
#ifndef COUNTING
#define COUNTING 0
#endif
#ifndef VERSION
#define VERSION 0
#endif
#ifndef LOADING
#define LOADING 0
#endif

#define hipGetDeviceCount listed_1
#define hipGetErrorName listed_2
#define hipGetErrorString listed_3
#define hipModuleLoadData listed_4
#ifndef hipRuntimeGetVersion
#define hipRuntimeGetVersion listed_5
#define HAS_VERSION
#endif
#define SYMBOL(need, result, name, params)                                     \
  result name() { return 0; }
#include "../symbols.h"
#undef hipGetDeviceCount
#undef hipGetErrorName
#undef hipGetErrorString
#undef hipModuleLoadData

#ifdef HAS_VERSION
#undef hipRuntimeGetVersion
hip_status hipRuntimeGetVersion(int *version) {
  *version = VERSION;
  return 0;
}
#endif

hip_status hipModuleLoadData(hipModule_t *module, const void *image) {
  return LOADING;
}

hip_status hipGetDeviceCount(int *count) {
  *count = DEVICES;
  return COUNTING;
}

const char *hipGetErrorName(hip_status status) {
#define CASE(ours, theirs, value)                                              \
  if (status == value && value > 4)                                            \
    return #theirs;
  HIP_NUMBERS(CASE)
  return status == 1   ? "hipErrorInvalidValue"
         : status == 2 ? "hipErrorOutOfMemory"
                       : 0;
}

const char *hipGetErrorString(hip_status status) {
  return status == 999 ? "unknown" : hipGetErrorName(status);
}
