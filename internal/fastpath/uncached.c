/* Calls with MGPU_CACHE=off, which must not cost more than MLIR's own wrapper. C makes each
 * call that needs no preparation as one driver call. Go reports failures. */

#include "uncached.h"

#include <stddef.h>

#include "driver.h"
#include "kernels.h"
#include "launch.h"

#include "_cgo_export.h"

/* Go has state for streams, or for functions, that has to be removed with them. */
static bool scratch_kept, functions_kept;

void uncached_keep_scratch(void) {
  __atomic_store_n(&scratch_kept, true, __ATOMIC_SEQ_CST);
}

static bool uncached(void) {
  return __atomic_load_n(&driver.uncached, __ATOMIC_ACQUIRE);
}

/* Makes a call that returns a value. Returns the status. */
static int32_t give(enum call call, driver_give function, uintptr_t a,
                    uintptr_t b, uintptr_t *value) {
  uint64_t from = driver_call_begin();
  struct given g = function(driver.self, a, b);
  driver_call_end(call, from);
  *value = g.status == 0 ? g.value : 0;
  return g.status;
}

static bool make(enum call call, driver_call function, uintptr_t a, uintptr_t b,
                 uintptr_t c, uintptr_t d) {
  if (!uncached())
    return false;
  uint64_t from = driver_call_begin();
  int32_t status = function(driver.self, a, b, c, d);
  driver_call_end(call, from);
  if (__builtin_expect(status != 0, 0))
    goCallFailed(call, 0, status);
  return true;
}

bool uncached_load(uintptr_t image, int32_t opt, uintptr_t *module) {
  if (!uncached() || image == 0)
    return false;
  int32_t status =
      opt == no_compiler
          ? give(call_mgpuModuleLoad, driver.module_load, image, 0, module)
          : give(call_mgpuModuleLoadJIT, driver.module_compile, image,
                 (uintptr_t)opt, module);
  if (__builtin_expect(status != 0, 0))
    goLoadFailed(image, opt, opt != no_compiler, status);
  return true;
}

bool uncached_unload(uintptr_t module) {
  return !__atomic_load_n(&functions_kept, __ATOMIC_SEQ_CST) &&
         make(call_mgpuModuleUnload, driver.module_unload, module, 0, 0, 0);
}

bool uncached_function(uintptr_t module, const char *name,
                       uintptr_t *function) {
  if (!uncached() || name == NULL || driver.watched) /* Go needs the name */
    return false;
  int32_t status = give(call_mgpuModuleGetFunction, driver.module_function,
                        module, (uintptr_t)name, function);
  if (__builtin_expect(status != 0, 0))
    goFunctionFailed((uintptr_t)name, status);
  return true;
}

HOT bool uncached_launch(const struct launch *l) {
  if (!uncached() || !launch_dims_fit(l->grid) || !launch_dims_fit(l->block))
    return false;
  if (l->shared != 0) { /* the function's limit may have to be raised */
    __atomic_store_n(&functions_kept, true, __ATOMIC_SEQ_CST);
    return false;
  }
  uint64_t from = driver_call_begin();
  int32_t status = launch_plain(l);
  driver_call_end(call_mgpuLaunchKernel, from);
  if (__builtin_expect(driver.timed, 0) && status == 0)
    kernels_count(l, false);
  if (__builtin_expect(status != 0, 0))
    goLaunchFailed(l->function, status);
  return true;
}

bool uncached_stream_create(uintptr_t *stream) {
  if (!uncached())
    return false;
  int32_t status =
      give(call_mgpuStreamCreate, driver.stream_create, 0, 0, stream);
  if (__builtin_expect(status != 0, 0))
    goCallFailed(call_mgpuStreamCreate, 0, status);
  return true;
}

bool uncached_stream_destroy(uintptr_t stream) {
  return !__atomic_load_n(&scratch_kept, __ATOMIC_SEQ_CST) &&
         make(call_mgpuStreamDestroy, driver.stream_destroy, stream, 0, 0, 0);
}

HOT bool uncached_synchronize(uintptr_t stream) {
  return make(call_mgpuStreamSynchronize, driver.synchronize, stream, 0, 0, 0);
}

bool uncached_alloc(uint64_t bytes, uintptr_t *ptr) {
  if (!uncached() || bytes == 0)
    return false;
  int32_t status = give(call_mgpuMemAlloc, driver.mem_alloc, bytes, 0, ptr);
  if (__builtin_expect(status != 0, 0))
    goCallFailed(call_mgpuMemAlloc, 0, status);
  return true;
}

bool uncached_free(uintptr_t ptr) {
  return ptr != 0 && make(call_mgpuMemFree, driver.mem_free, ptr, 0, 0, 0);
}

bool uncached_copy(uintptr_t dst, uintptr_t src, uint64_t bytes,
                   uintptr_t stream) {
  return bytes != 0 &&
         make(call_mgpuMemcpy, driver.copy, dst, src, bytes, stream);
}

bool uncached_value(enum call call, uintptr_t dst, uint32_t value,
                    uint64_t count, uintptr_t stream) {
  return count != 0 && count <= UINT64_MAX / 4 &&
         make(call,
              call == call_mgpuMemset32 ? driver.memset32 : driver.memset16,
              dst, value, count, stream);
}
