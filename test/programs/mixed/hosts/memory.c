/* Memory: allocations, frees, and the host's own accesses. */
#include "operations.h"

#include <stdlib.h>
#include <string.h>

bool op_alloc(const struct operation *o) {
  struct block *b = &world.block[o->a % block_slots];
  enum block_kind kind = (enum block_kind)(1 + o->b % (variable - 1));
  uint32_t words = 16 << o->c % 7;
  size_t bytes = 4 * words;
  if (options.no_kind[kind])
    return false;
  if (b->kind || (world.region && kind != mgpu_device && kind != pageable))
    return false;
  if (words > most_words)
    words = most_words;
  memset(b, 0, sizeof *b);
  *b = (struct block){.kind = kind, .device = world.device, .words = words};
  name_block(b);
  say(" of %u words on device %d", words, world.device);
  switch (kind) {
  case mgpu_device:
    MGPU(b->at = mgpuMemAlloc(bytes, NULL, 0));
    break;
  case mgpu_managed:
    MGPU(b->at = b->host = mgpuMemAlloc(bytes, NULL, 1));
    break;
  case hip_device:
    OK(hipMalloc((void **)&b->at, bytes));
    break;
  case hip_managed:
    OK(hipMallocManaged((void **)&b->at, bytes, hip_attach_global));
    b->host = b->at;
    break;
  case hip_pinned:
    OK(hipHostMalloc((void **)&b->host, bytes, 0));
    OK(hipHostGetDevicePointer((void **)&b->at, b->host, 0));
    break;
  default:
    if (posix_memalign((void **)&b->host, 4096, (bytes + 4095) & ~4095ul) != 0)
      fail("out of memory");
    b->at = b->host;
    if (kind == mgpu_registered)
      MGPU(mgpuMemHostRegister(b->host, bytes));
    if (kind == hip_registered)
      OK(hipHostRegister(b->host, bytes, hip_register_mapped));
    if (kind != pageable)
      OK(hipHostGetDevicePointer((void **)&b->at, b->host, 0));
  }
  if (!b->at)
    fail("no memory");
  if (b->host && (o->d & 1)) {
    for (uint32_t i = 0; i < words; i++)
      b->host[i] = b->model[i] = o->d + i;
    return true;
  }
  if (b->kind == pageable) {
    memset(b->host, 0, bytes);
    return true;
  }
  /* Waits for all work, by the default stream. */
  put(b, 0, words, o->d);
  handle s;
  OK(hipStreamCreateWithFlags(&s, hip_stream_non_blocking));
  OK(hipMemsetD32Async(b->at, (int)o->d, words, s));
  OK(hipStreamSynchronize(s));
  OK(hipStreamDestroy(s));
  return true;
}

/* Reports whether the model lets a call free a block, with the work pending on it; waits: the call waits for work. */
static bool may_free(const struct block *b, bool waits) {
  const struct pending *p = &b->use;
  return !in_graph(b) &&
         (p->stream == 0 ||
          (waits && (!p->unseen || options.stock) && stream_by_id(p->stream) &&
           stream_by_id(p->stream)->device == b->device)) &&
         !(capturing() && p->stream != 0);
}

bool op_free(const struct operation *o) {
  struct block *b = block_in(o->a);
  if (!b)
    return false;
  /* HIP's free of managed memory waits for nothing that does not use it. */
  bool waits = b->kind <= hip_managed,
       for_all = b->kind == mgpu_device || b->kind == hip_device,
       mgpus = b->kind == mgpu_device || b->kind == mgpu_managed,
       by_hip = hip_ends(!mgpus && b->kind != mgpu_registered, o->b);
  /* docs/semantics.md, "Blocks that HIP freed" */
  if (mgpus && world.reuses && !world.mixes)
    by_hip = false;
  if ((b->kind == pageable && b->use.stream != 0) || !may_free(b, waits) ||
      (world.region && b->kind != mgpu_device && b->kind != pageable))
    return false;
  uint32_t recent = world.recent_block;
  name_block(b);
  world.recent_block = recent; /* what is freed is not what is of interest */
  say(" of device %d", b->device);
  int device = b->device;
  if (waits && !by_hip) {
    say(" by mgpuMemFree");
    MGPU(mgpuMemFree(b->at, NULL));
    *(mgpus ? &world.reuses : &world.mixes) = true;
  } else if (waits) {
    say(" by hipFree");
    OK(hipFree(b->at));
  } else if (b->kind == hip_pinned) {
    OK(hipHostFree(b->host));
  } else {
    if (b->kind == mgpu_registered && !by_hip)
      MGPU(mgpuMemHostUnregister(b->host));
    else if (b->kind != pageable)
      OK(hipHostUnregister(b->host));
    free(b->host);
  }
  b->kind = block_none;
  if (for_all)
    waited_for_device(device, !by_hip);
  return true;
}

bool op_host_write(const struct operation *o) {
  struct block *b = block_in(o->a);
  if (!b || !host_may(b))
    return false;
  uint32_t at = o->b % b->words, n = 1 + o->c % (b->words - at);
  name_block(b);
  say(": words %u to %u", at, at + n - 1);
  for (uint32_t i = at; i < at + n; i++)
    b->host[i] = b->model[i] = o->d ^ i;
  return true;
}

bool op_host_read(const struct operation *o) {
  struct block *b = block_in(o->a);
  if (!b || !host_may(b))
    return false;
  name_block(b);
  expect(b, b->host, "read by the host");
  return true;
}
