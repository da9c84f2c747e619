/* The functions that lowered code calls, as by hand: one stream, modules loaded and memory
 * allocated once, and no waits but the caller's. bench/programs/build renames mgpu's calls
 * to these in a copy of the lowered code, which has its arguments of 28 kernels. */

#include <stdlib.h>
#include <string.h>

#include "../raw.h"
#include "hand.h"

/* Kernels by the address of their image, each of which has one. */
enum { kernels_most = 256 };
static struct {
  const void *image;
  void *function;
} kernels[kernels_most];

/* Memory, in the order in which the code allocates it. */
enum { blocks_most = 16 };
static void *blocks[blocks_most];
static int blocks_used;

static void *stream;

void hand_lowered_stream(void *s) { stream = s; }

/* Constructors call it before the vendor's library is open. */
void *hand_mgpuModuleLoad(void *image, size_t bytes);
void *hand_mgpuModuleLoad(void *image, size_t bytes) {
  (void)bytes;
  return image;
}

void *hand_mgpuModuleLoadJIT(void *image, int32_t opt, size_t bytes);
void *hand_mgpuModuleLoadJIT(void *image, int32_t opt, size_t bytes) {
  (void)opt;
  return hand_mgpuModuleLoad(image, bytes);
}

void hand_mgpuModuleUnload(void *module);
void hand_mgpuModuleUnload(void *module) { (void)module; }

void *hand_mgpuModuleGetFunction(void *image, const char *name);
void *hand_mgpuModuleGetFunction(void *image, const char *name) {
  size_t i = (uintptr_t)image / 64 % kernels_most;
  while (kernels[i].image != image && kernels[i].image != NULL)
    i = (i + 1) % kernels_most;
  if (kernels[i].image == NULL) {
    kernels[i].image = image;
    kernels[i].function = raw_function(raw_module(image), name);
  }
  return kernels[i].function;
}

void hand_mgpuLaunchKernel(void *function, intptr_t gx, intptr_t gy,
                           intptr_t gz, intptr_t bx, intptr_t by, intptr_t bz,
                           int32_t shared, void *s, void **params, void **extra,
                           size_t count);
void hand_mgpuLaunchKernel(void *function, intptr_t gx, intptr_t gy,
                           intptr_t gz, intptr_t bx, intptr_t by, intptr_t bz,
                           int32_t shared, void *s, void **params, void **extra,
                           size_t count) {
  (void)shared, (void)s, (void)extra, (void)count;
  raw_launch_blocks(
      function, (unsigned[]){(unsigned)gx, (unsigned)gy, (unsigned)gz},
      (unsigned[]){(unsigned)bx, (unsigned)by, (unsigned)bz}, stream, params);
}

void *hand_mgpuStreamCreate(void);
void *hand_mgpuStreamCreate(void) { return stream; }

void hand_mgpuStreamDestroy(void *s);
void hand_mgpuStreamDestroy(void *s) { (void)s; }

void hand_mgpuStreamSynchronize(void *s);
void hand_mgpuStreamSynchronize(void *s) { (void)s; }

void *hand_mgpuMemAlloc(uint64_t bytes, void *s, uint8_t shared);
void *hand_mgpuMemAlloc(uint64_t bytes, void *s, uint8_t shared) {
  (void)s, (void)shared;
  if (blocks_used == blocks_most)
    abort();
  void **p = &blocks[blocks_used++];
  if (*p == NULL)
    *p = raw_alloc(bytes);
  return *p;
}

/* All are freed together. */
void hand_mgpuMemFree(void *p, void *s);
void hand_mgpuMemFree(void *p, void *s) {
  (void)p, (void)s;
  blocks_used--;
}
