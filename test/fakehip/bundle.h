/* The images of the library's modules: clang offload bundles with one entry, whose id ends in the chip's name and the bytes' hash.
 * HIP is not told how long an image is, so that only the hash tells a whole one from the rest of something else. */
#ifndef FAKEHIP_BUNDLE_H
#define FAKEHIP_BUNDLE_H

#include <stddef.h>
#include <stdint.h>

#define BUNDLE_MAGIC "__CLANG_OFFLOAD_BUNDLE__"
#define BUNDLE_TRIPLE "hipv4-x86_64-unknown-linux-gnu--"
#define BUNDLE_CHIP "fakehip"

/* FNV-1a, 64 bits. */
static inline uint64_t bundle_hash(const void *bytes, size_t n) {
  uint64_t h = 0xcbf29ce484222325;
  for (size_t i = 0; i < n; i++)
    h = (h ^ ((const unsigned char *)bytes)[i]) * 0x100000001b3;
  return h;
}

#endif
