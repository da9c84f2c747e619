/* Copies to the GPU and back by the calls of AMD's runtime that choose an engine by themselves, which HIP
 * makes for some sizes and some chips only. */
#include <hsa/hsa.h>
#include <hsa/hsa_ext_amd.h>

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(call)                                                            \
  do {                                                                         \
    hsa_status_t status_ = (call);                                             \
    if (status_ != HSA_STATUS_SUCCESS) {                                       \
      const char *why_ = "";                                                   \
      hsa_status_string(status_, &why_);                                       \
      printf("%s: %s\n", #call, why_);                                         \
      exit(1);                                                                 \
    }                                                                          \
  } while (0)

enum { bytes = 1 << 20 };

static hsa_agent_t cpu, gpu;
static hsa_amd_memory_pool_t host, device;

static hsa_status_t agent(hsa_agent_t a, void *unused) {
  (void)unused;
  hsa_device_type_t kind;
  CHECK(hsa_agent_get_info(a, HSA_AGENT_INFO_DEVICE, &kind));
  *(kind == HSA_DEVICE_TYPE_CPU ? &cpu : &gpu) = a;
  return HSA_STATUS_SUCCESS;
}

/* Stores the first global pool from which the runtime allocates. */
static hsa_status_t pool(hsa_amd_memory_pool_t p, void *out) {
  hsa_amd_segment_t segment;
  bool allocates;
  CHECK(hsa_amd_memory_pool_get_info(p, HSA_AMD_MEMORY_POOL_INFO_SEGMENT,
                                     &segment));
  CHECK(hsa_amd_memory_pool_get_info(
      p, HSA_AMD_MEMORY_POOL_INFO_RUNTIME_ALLOC_ALLOWED, &allocates));
  if (segment != HSA_AMD_SEGMENT_GLOBAL || !allocates)
    return HSA_STATUS_SUCCESS;
  *(hsa_amd_memory_pool_t *)out = p;
  return HSA_STATUS_INFO_BREAK;
}

static void copy(void *to, hsa_agent_t at, const void *from,
                 hsa_agent_t from_at) {
  hsa_signal_t done;
  CHECK(hsa_signal_create(1, 0, NULL, &done));
  CHECK(hsa_amd_memory_async_copy(to, at, from, from_at, bytes, 0, NULL, done));
  hsa_signal_value_t left = hsa_signal_wait_scacquire(
      done, HSA_SIGNAL_CONDITION_LT, 1, UINT64_MAX, HSA_WAIT_STATE_BLOCKED);
  if (left != 0) {
    printf("the copy ended with %ld\n", (long)left);
    exit(1);
  }
  CHECK(hsa_signal_destroy(done));
}

int main(void) {
  CHECK(hsa_init());
  CHECK(hsa_iterate_agents(agent, NULL));
  hsa_amd_agent_iterate_memory_pools(cpu, pool, &host);
  hsa_amd_agent_iterate_memory_pools(gpu, pool, &device);
  char *a, *b, *c, *d;
  CHECK(hsa_amd_memory_pool_allocate(host, bytes, 0, (void **)&a));
  CHECK(hsa_amd_memory_pool_allocate(host, bytes, 0, (void **)&b));
  CHECK(hsa_amd_memory_pool_allocate(device, bytes, 0, (void **)&c));
  CHECK(hsa_amd_memory_pool_allocate(device, bytes, 0, (void **)&d));
  CHECK(hsa_amd_agents_allow_access(1, &gpu, NULL, a));
  CHECK(hsa_amd_agents_allow_access(1, &gpu, NULL, b));
  for (int i = 0; i < bytes; i++)
    a[i] = (char)(i * 7 + i / 256);
  copy(c, gpu, a, cpu);
  copy(d, gpu, c, gpu);
  copy(b, cpu, d, gpu);
  puts(memcmp(a, b, bytes) == 0 ? "ok" : "other bytes came back");
  CHECK(hsa_shut_down());
}
