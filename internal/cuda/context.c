#include "context.h"

#include <pthread.h>

/* The current device of the calling thread, since libcuda has none, and the context that was
 * made current on the thread for it. */
static __thread struct {
  const table *driver;
  int device;
  CUcontext bound;
} thread __attribute__((tls_model("initial-exec")));

static void adopt(const table *t) {
  if (__builtin_expect(thread.driver == t, 1))
    return;
  thread.driver = t;
  thread.device = 0;
  thread.bound = NULL;
}

int32_t cuda_device_set(table *t, uintptr_t device) {
  CUdevice found = 0;
  cuda_status status = t->cuDeviceGet(&found, (int)device);
  if (status != cuda_success)
    return blame(row_cuDeviceGet, status);
  adopt(t);
  thread.device = (int)device;
  return cuda_success;
}

struct given cuda_device_get(table *t) {
  adopt(t);
  return given(cuda_success, (uintptr_t)thread.device);
}

/* Returns the primary context of a device. The first call for a device retains the context.
 * Launches may come here directly from C, and the driver opens files while the lock is held:
 * so cancellation is disabled, or a cancelled thread would leave the lock locked. */
static cuda_status retain(table *t, int ordinal, CUcontext *context) {
  static pthread_mutex_t retaining = PTHREAD_MUTEX_INITIALIZER;
  *context = __atomic_load_n(&t->state.primary[ordinal], __ATOMIC_ACQUIRE);
  if (__builtin_expect(*context != NULL, 1))
    return cuda_success;
  int cancel;
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
  pthread_mutex_lock(&retaining);
  cuda_status status = cuda_success;
  *context = __atomic_load_n(&t->state.primary[ordinal], __ATOMIC_RELAXED);
  if (*context == NULL) {
    CUdevice device = 0;
    status = t->cuDeviceGet(&device, ordinal);
    if (status == cuda_success)
      status = (cuda_status)blame(row_cuDevicePrimaryCtxRetain,
                                  t->cuDevicePrimaryCtxRetain(context, device));
    if (status == cuda_success)
      __atomic_store_n(&t->state.primary[ordinal], *context, __ATOMIC_RELEASE);
  }
  pthread_mutex_unlock(&retaining);
  pthread_setcancelstate(cancel, &cancel);
  return status;
}

/* If the program has made a context of its own current, context_leave restores that context.
 * Otherwise the primary context stays current. */
cuda_status context_enter(table *t, bool *pushed) {
  *pushed = false;
  adopt(t);
  CUcontext wanted = NULL, now = NULL;
  cuda_status status = retain(t, thread.device, &wanted);
  if (status != cuda_success)
    return status;
  status = t->cuCtxGetCurrent(&now);
  if (__builtin_expect(status == cuda_success && now == wanted, 1))
    return cuda_success;
  if (status != cuda_success)
    return (cuda_status)blame(row_cuCtxGetCurrent, status);
  if (now != NULL && now != thread.bound) {
    status = t->cuCtxPushCurrent_v2(wanted);
    *pushed = status == cuda_success;
    return (cuda_status)blame(row_cuCtxPushCurrent_v2, status);
  }
  status = t->cuCtxSetCurrent(wanted);
  if (status == cuda_success)
    thread.bound = wanted;
  return (cuda_status)blame(row_cuCtxSetCurrent, status);
}
