/* The functions of libdrm_amdgpu that ROCr 6 calls with the handles that this library
 * gives it: ROCr needs this library first, so its references end here. Other handles
 * are other people's, for whom the next library answers. */
#define _GNU_SOURCE
#include "drm.h"

#include <dlfcn.h>
#include <errno.h>
#include <stddef.h>

#define API __attribute__((visibility("default")))

static char device; /* every GPU's handle is its address */

void *mgpu_hsakmt_drm_device(void) { return &device; }

/* The beginning of struct amdgpu_gpu_info. */
struct gpu_info {
  uint32_t asic_id, chip_rev, chip_external_rev, family_id;
  uint64_t ids_flags, max_engine_clk, max_memory_clk;
  uint32_t num_shader_engines, num_shader_arrays_per_engine;
  uint32_t avail_quad_shader_pipes, max_quad_shader_pipes;
  uint32_t cache_entries_per_quad_pipe, num_hw_gfx_contexts;
  uint32_t rb_pipes, enabled_rb_pipes_mask;
  uint32_t gpu_counter_freq; /* kHz */
};

enum { vega = 141, nanoseconds = 1000000 };

API int amdgpu_query_gpu_info(void *handle, struct gpu_info *info);

int amdgpu_query_gpu_info(void *handle, struct gpu_info *info) {
  if (handle != &device) {
    int (*next)(void *, struct gpu_info *);
    *(void **)&next = dlsym(RTLD_NEXT, "amdgpu_query_gpu_info");
    return next != NULL ? next(handle, info) : -ENOSYS;
  }
  *info = (struct gpu_info){.family_id = vega, .gpu_counter_freq = nanoseconds};
  return 0;
}
