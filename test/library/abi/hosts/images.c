/* Images that are not modules for this device. */
#include "capture.h"

BLOB(blob, "v5.hsaco");
BLOB(gfx1100, "gfx1100.hsaco");
BLOB(gfx942, "gfx942.hsaco");

static char *copy(void) { return at_the_edge(blob, blob_end - blob); }

/* Overwrites every occurrence of what in the image. */
static char *without(const char *what, size_t n) {
  char *image = copy();
  size_t size = blob_end - blob;
  for (size_t i = 0; i + n <= size; i++)
    if (memcmp(image + i, what, n) == 0)
      memset(image + i, '!', n);
  return image;
}

int main(void) {
  size_t size = blob_end - blob;
  valid();
  CASE("null", mgpuModuleLoad(NULL, 0));
  CASE("unmapped", mgpuModuleLoad(unmapped(), size));
  CASE("small number", mgpuModuleLoad((void *)7, size));
  for (size_t n = 0; n < size; n += 64) {
    char name[40];
    snprintf(name, sizeof name, "truncated to %zu bytes", n);
    char *image = at_the_edge(blob, n);
    CASE(name, mgpuModuleLoad(image, n));
  }
  CASE("text", mgpuModuleLoad(at_the_edge("not a module", 13), 13));
  CASE("empty text", mgpuModuleLoad(at_the_edge("", 1), 0));
  static char zeros[4096];
  CASE("zeros", mgpuModuleLoad(zeros, sizeof zeros));
  char *image = copy();
  image[18] = 62; /* e_machine: x86-64 */
  CASE("another machine", mgpuModuleLoad(image, size));
  image = copy();
  image[4] = 1; /* ELFCLASS32 */
  CASE("32 bits", mgpuModuleLoad(image, size));
  image = copy();
  image[48] ^= 0x20; /* e_flags: the chip */
  CASE("flags of another chip", mgpuModuleLoad(image, size));
  image = copy();
  memset(image + 40, 0xff, 8); /* e_shoff */
  CASE("sections beyond the end", mgpuModuleLoad(image, size));
  image = copy();
  memset(image + 32, 0xff, 8); /* e_phoff */
  CASE("segments beyond the end", mgpuModuleLoad(image, size));
  CASE("gfx1100", mgpuModuleLoad(gfx1100, gfx1100_end - gfx1100));
  CASE("gfx942", mgpuModuleLoad(gfx942, gfx942_end - gfx942));
  CASE("no metadata", mgpuModuleLoad(without("AMDGPU\0", 7), size));
  CASE("metadata without sizes",
       mgpuModuleLoad(without(".kernarg_segment_size", 21), size));
  CASE("PTX", mgpuModuleLoadJIT(".version 8.0\n.target sm_90\n", 2, 0));
  image = (char *)malloc(size + 1) + 1; /* not aligned, as LLVM 17's blobs */
  memcpy(image, blob, size);
  void *m = mgpuModuleLoad(image, (size_t)&image);
  printf("unaligned\t%s\t0\t\n",
         m && mgpuModuleGetFunction(m, "sizes") ? "value" : "null");
}
