/* Modules: PTX, cubins and fatbins in the place of code objects; launches. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "../lib/host.h"
#include "../lib/real.h"
#include "device.h"
#include "libcuda.h"

enum {
  most_text = 64 << 20,
  usual_shared = 48 << 10,
  attribute_major = 75,
  attribute_minor = 76,
  attribute_dynamic_shared = 8
};

static bool binary(const unsigned char *p) {
  static const unsigned char magic[][4] = {{0x7f, 'E', 'L', 'F'},
                                           {0x50, 0xed, 0x55, 0xba},
                                           {0xb1, 0x43, 0x62, 0x46}};
  for (size_t i = 0; i < sizeof magic / sizeof *magic; i++)
    if (memcmp(p, magic[i], sizeof magic[i]) == 0)
      return true;
  return false;
}

/* A copy of the text at an address, NULL if none begins there. HIP is not told how long an image is: text ends with a NUL. */
static char *text_at(const char *at) {
  size_t n = 0, room = 1 << 16;
  char *copy = malloc(room);
  while (copy && n < most_text && host_read(copy + n, at + n, 1) &&
         (isprint((unsigned char)copy[n]) || isspace((unsigned char)copy[n])))
    if (++n == room) {
      char *grown = realloc(copy, room *= 2);
      if (!grown)
        free(copy);
      copy = grown;
    }
  if (!copy || n == 0 || n == most_text || copy[n] != 0) {
    free(copy);
    return NULL;
  }
  return copy;
}

/* Whether PTX is for devices newer than the current one or, where its target ends in a letter, for another one. */
static bool foreign(const char *text) {
  const char *target = strstr(text, ".target");
  CUdevice d;
  int major, minor;
  if (!target || !(target = strstr(target, "sm_")) ||
      cuda.cuDeviceGet(&d, device_current()) != 0 ||
      cuda.cuDeviceGetAttribute(&major, attribute_major, d) != 0 ||
      cuda.cuDeviceGetAttribute(&minor, attribute_minor, d) != 0)
    return false;
  char *after;
  long wanted = strtol(target + 3, &after, 10), has = 10 * major + minor;
  return wanted > has || (isalpha((unsigned char)*after) && wanted != has);
}

static hipError_t compile(CUmodule *m, const char *image) {
  char *text = text_at(image);
  if (!text)
    return hipErrorInvalidImage;
  hipError_t e = CUDA(cuModuleLoadData, m, text);
  if (e == hipErrorInvalidImage && foreign(text))
    e = hipErrorNoBinaryForGpu;
  free(text);
  return e;
}

hipError_t real_hipModuleLoadData(hipModule_t *out, const void *image) {
  unsigned char head[4];
  CUmodule m = NULL;
  if (!out || !image)
    return hipErrorInvalidValue;
  *out = NULL;
  if (!host_read(head, image, sizeof head))
    return hipErrorInvalidImage;
  hipError_t e =
      binary(head) ? CUDA(cuModuleLoadData, &m, image) : compile(&m, image);
  if (e == hipSuccess)
    *out = (hipModule_t)m;
  return created(live_module, e);
}

hipError_t real_hipModuleUnload(hipModule_t m) {
  return m ? destroyed(live_module, CUDA(cuModuleUnload, (CUmodule)m))
           : hipErrorInvalidHandle;
}

void forgive_hipModuleUnload(hipModule_t m) {
  if (m)
    forgive(live_module);
}

hipError_t real_hipModuleGetFunction(hipFunction_t *out, hipModule_t m,
                                     const char *name) {
  CUfunction f = NULL;
  if (!out || !name)
    return hipErrorInvalidValue;
  *out = NULL;
  if (!m)
    return hipErrorInvalidHandle;
  hipError_t e = CUDA(cuModuleGetFunction, &f, (CUmodule)m, name);
  if (e == hipSuccess)
    *out = (hipFunction_t)f;
  return e;
}

hipError_t real_hipModuleGetGlobal(hipDeviceptr_t *p, size_t *bytes,
                                   hipModule_t m, const char *name) {
  CUdeviceptr at = 0;
  if (!name)
    return hipErrorInvalidValue;
  if (!m)
    return hipErrorInvalidHandle;
  hipError_t e = CUDA(cuModuleGetGlobal_v2, &at, bytes, (CUmodule)m, name);
  if (e == hipSuccess && p)
    *p = (hipDeviceptr_t)(uintptr_t)at;
  return e;
}

/* HIP launches with as much shared memory as there is; libcuda wants to be asked for more than is usual. */
static void allow(hipFunction_t f, unsigned shared) {
  if (shared > usual_shared)
    (void)CUDA(cuFuncSetAttribute, (CUfunction)f, attribute_dynamic_shared,
               (int)shared);
}

hipError_t real_hipModuleLaunchKernel(hipFunction_t f, unsigned gx, unsigned gy,
                                      unsigned gz, unsigned bx, unsigned by,
                                      unsigned bz, unsigned shared,
                                      hipStream_t s, void **params,
                                      void **extra) {
  if (!f)
    return hipErrorInvalidHandle;
  allow(f, shared);
  return CUDA(cuLaunchKernel, (CUfunction)f, gx, gy, gz, bx, by, bz, shared,
              (CUstream)s, params, extra);
}

hipError_t real_hipModuleLaunchCooperativeKernel(hipFunction_t f, unsigned gx,
                                                 unsigned gy, unsigned gz,
                                                 unsigned bx, unsigned by,
                                                 unsigned bz, unsigned shared,
                                                 hipStream_t s, void **params) {
  if (!f)
    return hipErrorInvalidHandle;
  allow(f, shared);
  return CUDA(cuLaunchCooperativeKernel, (CUfunction)f, gx, gy, gz, bx, by, bz,
              shared, (CUstream)s, params);
}
