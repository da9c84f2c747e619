/* Allocates memory in all ways that MGPU_CHECK=leak knows, and frees as much of it as the argument says. */
#include "hip.h"

#include <hsa/hsa.h>
#include <hsa/hsa_ext_amd.h>

static void *allocate(size_t size) {
  void *p;
  CHECK(hipMalloc(&p, size)); /* the line that reports name */
  return p;
}

static hsa_status_t agent(hsa_agent_t a, void *out) {
  hsa_device_type_t kind;
  hsa_agent_get_info(a, HSA_AGENT_INFO_DEVICE, &kind);
  if (kind == HSA_DEVICE_TYPE_GPU)
    *(hsa_agent_t *)out = a;
  return HSA_STATUS_SUCCESS;
}

static hsa_status_t pool(hsa_amd_memory_pool_t p, void *out) {
  hsa_amd_segment_t segment;
  hsa_amd_memory_pool_get_info(p, HSA_AMD_MEMORY_POOL_INFO_SEGMENT, &segment);
  if (segment != HSA_AMD_SEGMENT_GLOBAL)
    return HSA_STATUS_SUCCESS;
  *(hsa_amd_memory_pool_t *)out = p;
  return HSA_STATUS_INFO_BREAK;
}

/* Memory of HSA's, which HIP has initialized. */
static void *from_hsa(size_t size) {
  hsa_agent_t gpu;
  hsa_amd_memory_pool_t p;
  void *block;
  hsa_iterate_agents(agent, &gpu);
  EXPECT(hsa_amd_agent_iterate_memory_pools(gpu, pool, &p) ==
         HSA_STATUS_INFO_BREAK);
  EXPECT(hsa_amd_memory_pool_allocate(p, size, 0, &block) ==
         HSA_STATUS_SUCCESS);
  return block;
}

int main(int argc, char **argv) {
  EXPECT(argc == 2);
  bool all = !strcmp(argv[1], "all");
  hipStream_t s;
  void *p, *q;
  CHECK(hipStreamCreate(&s));
  if (!strcmp(argv[1], "reset")) {
    allocate(100);
    CHECK(hipDeviceReset());
    return 0;
  }

  allocate(all ? 0 : 1000);
  p = allocate(24);
  q = allocate(500);
  CHECK(hipFree((char *)q + 40)); /* HIP frees a block by any address in it */
  if (all)
    CHECK(hipFree(p));

  CHECK(hipMallocAsync(&p, 4096, s));
  CHECK(hipMallocAsync(&q, 8192, s));
  CHECK(hipFreeAsync(p, s));
  if (all)
    CHECK(hipFreeAsync(q, s));
  CHECK(hipStreamSynchronize(s));

  CHECK(hipHostMalloc(&p, 64, 0));
  CHECK(hipHostFree(p));
  CHECK(hipMallocManaged(&p, 300, hipMemAttachGlobal));
  CHECK(hipFree(p));
  CHECK(hipFree(NULL));

  size_t pitch;
  CHECK(hipMallocPitch(&p, &pitch, 100, 10));
  if (all)
    CHECK(hipFree(p));
  else
    printf("pitch: %zu\n", 10 * pitch);

  hipPitchedPtr block;
  CHECK(hipMalloc3D(&block, make_hipExtent(100, 4, 5)));
  CHECK(hipFree(block.ptr));

  q = from_hsa(12288);
  p = from_hsa(4096);
  EXPECT(hsa_amd_memory_pool_free(p) == HSA_STATUS_SUCCESS);
  if (all)
    EXPECT(hsa_amd_memory_pool_free(q) == HSA_STATUS_SUCCESS);
  return 0;
}
