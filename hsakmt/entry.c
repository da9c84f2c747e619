/* The C ABI: one C function per function of libhsakmt, in front of its Go export. */

#include "enter.h"

#include <stdint.h>

#include "_cgo_export.h"

#define API __attribute__((visibility("default")))

/* HSAKMT_STATUS values that C returns by itself. */
enum { failure = 1, not_supported = 11 };

#define CALL(name, parameters, arguments)                                      \
  API int32_t hsaKmt##name parameters;                                         \
  int32_t hsaKmt##name parameters {                                            \
    return enter("hsaKmt" #name) ? go##name arguments : failure;               \
  }
#include "calls.def"
#undef CALL

#define REFUSED(name)                                                          \
  API int32_t hsaKmt##name(void);                                              \
  int32_t hsaKmt##name(void) { return not_supported; }
#include "refused.def"
#undef REFUSED

/*---- libdtif ---------------------------------------------------------------
 *
 * ROCm 7 opens libdtif.so where HSA_ENABLE_DTIF is set, calls DtifCreate first, and
 * finds the rest by name. */

API void *DtifCreate(const char *caller);
API void DtifDestroy(void);
API int32_t hsaKmtModelEnabled(bool *enabled);

void *DtifCreate(const char *caller) {
  static char instance;
  (void)caller;
  if (!enter("DtifCreate") || !goRelease7())
    return NULL;
  return &instance;
}

void DtifDestroy(void) {}

int32_t hsaKmtModelEnabled(bool *enabled) {
  *enabled = false;
  return 0;
}

/* A handle that the runtime passes to libdrm only. */
API int32_t hsaKmtGetAMDGPUDeviceHandle(uint32_t node, void **handle);

int32_t hsaKmtGetAMDGPUDeviceHandle(uint32_t node, void **handle) {
  static char device;
  (void)node;
  *handle = &device;
  return 0;
}
