/* libdtif.so: what ROCm 7 opens in the thunk's place where HSA_ENABLE_DTIF is set. It
 * finds the thunk's functions by name, in libhsakmt.so.1, which this library needs;
 * here are those that open it, and libdrm's, which have no device. */

#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "../drm.h"

extern int mgpu_hsakmt_rocm7(void);

void *DtifCreate(const char *caller);
void DtifDestroy(void);

void *DtifCreate(const char *caller) {
  static char instance;
  (void)caller;
  return mgpu_hsakmt_rocm7() ? &instance : NULL;
}

void DtifDestroy(void) {}

/*---- libdrm ----------------------------------------------------------------*/

#define REFUSED(name)                                                          \
  int name(void);                                                              \
  int name(void) { return -ENOSYS; }

REFUSED(amdgpu_bo_cpu_map)
REFUSED(amdgpu_bo_export)
REFUSED(amdgpu_bo_import)
REFUSED(amdgpu_bo_query_info)
REFUSED(amdgpu_bo_set_metadata)
REFUSED(amdgpu_bo_va_op)
REFUSED(amdgpu_device_get_fd)
REFUSED(drmCommandWriteRead)
REFUSED(drmOpenRender)

#define DONE(name)                                                             \
  int name(void);                                                              \
  int name(void) { return 0; }

DONE(amdgpu_bo_free)
DONE(amdgpu_device_deinitialize)
DONE(drmClose)

int amdgpu_device_initialize(int fd, uint32_t *major, uint32_t *minor,
                             void **device);
const char *amdgpu_get_marketing_name(void *device);

int amdgpu_device_initialize(int fd, uint32_t *major, uint32_t *minor,
                             void **device) {
  (void)fd;
  *major = 3;
  *minor = 60;
  *device = mgpu_hsakmt_drm_device();
  return 0;
}

const char *amdgpu_get_marketing_name(void *device) {
  (void)device;
  return "Software GPU";
}
