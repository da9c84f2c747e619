/* The C ABI: one C function per function of libhsakmt, in front of its Go export. */

#include "drm.h"
#include "guest.h"
#include "process.h"

#include <stdint.h>
#include <string.h>

#include "_cgo_export.h"

#define API __attribute__((visibility("default")))

/* HSAKMT_STATUS values that C returns by itself. */
enum { failure = 1, not_supported = 11 };

/*---- The library as a guest of the process ---------------------------------*/

static __thread bool here; /* the thread can enter Go */

static bool attached(void) { return here; }
static bool attach(void) { return here = true; }
static void detach(void) { here = false; }
static void nothing(void) {}

const struct guest_library guest_library = {
    .name = "libhsakmt",
    .attached = attached,
    .attach = attach,
    .detach = detach,
    .adopted = nothing,
    .forget = detach,
    .start = goStart,
    .end = goEnd,
    .aborts = failures_abort,
};

/* Whether the calling thread may call into Go. A child of fork may not, as it may not
 * use AMD's library. It is told so where it allocates memory, once, and not by the calls
 * of its exit handlers. */
static inline bool enter(const char *call) {
  static bool told;
  if (__builtin_expect(here, true))
    return true;
  if (guest_forked() && (told || strncmp(call, "hsaKmtAllocMemory", 17) != 0))
    return false;
  told = guest_forked();
  environment_read();
  return guest_first(call);
}

/*---- Calls -----------------------------------------------------------------*/

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

/* For libdtif.so: ROCm 7 calls from now on. False: there is no GPU. */
API int mgpu_hsakmt_rocm7(void);

int mgpu_hsakmt_rocm7(void) { return enter("DtifCreate") && goRelease7(); }

/* For libmgpu_sites.so: what the program asked HIP for, and where. */
API void mgpu_hsakmt_allocated(uintptr_t address, size_t size, char *call,
                               char *file, uintptr_t base, uintptr_t caller,
                               uintptr_t outer);

void mgpu_hsakmt_allocated(uintptr_t address, size_t size, char *call,
                           char *file, uintptr_t base, uintptr_t caller,
                           uintptr_t outer) {
  if (enter("hipMalloc"))
    goAllocated(address, size, call, file, base, caller, outer);
}

/* Whether AMD's own simulator is behind the thunk. */
API int32_t hsaKmtModelEnabled(bool *enabled);

int32_t hsaKmtModelEnabled(bool *enabled) {
  *enabled = false;
  return 0;
}

/* A handle that the runtime passes to libdrm only. */
API int32_t hsaKmtGetAMDGPUDeviceHandle(uint32_t node, void **handle);

int32_t hsaKmtGetAMDGPUDeviceHandle(uint32_t node, void **handle) {
  (void)node;
  *handle = mgpu_hsakmt_drm_device();
  return 0;
}
