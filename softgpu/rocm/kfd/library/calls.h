/* What libmgpu_kfd.so calls in libmgpu_rocm.so, which it opens when a program first looks for a GPU.
 * Functions that return int32_t return an errno, 0 for success. */
#ifndef MGPU_KFD_CALLS_H
#define MGPU_KFD_CALLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What a path leads to, in the numbers of package kfd. */
enum found_kind {
  found_foreign,
  found_missing,
  found_file,
  found_folder,
  found_link,
  found_device
};

struct found {
  int32_t kind;
  int32_t index;         /* of a device */
  uint32_t major, minor; /* likewise */
  size_t size;           /* of text */
  char *
      text; /* a file's; where a link leads; a folder's names. The caller frees it */
  char *path; /* without links but the last. The caller frees it */
};

/* A block that the program has asked AMD's libraries for. */
struct allocation {
  uintptr_t address;
  size_t size;
  const char *call; /* "hipMalloc" */
  const char *file; /* of the program, or of its library */
  uintptr_t base;   /* where that is loaded */
  uintptr_t caller; /* where the call returns to */
  uintptr_t outer;  /* where its caller returns to; 0: unknown */
  int32_t device;   /* HIP's number of the current device; -1: none */
  bool pooled;      /* of a pool, in a stream's order */
};

/* The calls, as name, parameters in parentheses. */
#define KFD_CALLS(CALL)                                                        \
  CALL(files, (int32_t *descriptors, uint32_t *minors, int32_t most,           \
               uint8_t *claims))                                               \
  CALL(find, (char *path, bool follow, struct found *found))                   \
  CALL(ioctl, (int32_t file, uint64_t request, uintptr_t arg))                 \
  CALL(map,                                                                    \
       (int32_t file, int32_t fd, uintptr_t addr, uint64_t size,               \
        uint64_t protection, uint64_t flags, uint64_t offset, uintptr_t *at))  \
  CALL(unmap, (uintptr_t addr, uint64_t size, bool reserve))                   \
  CALL(allocated, (struct allocation * block))                                 \
  CALL(released, (uintptr_t address))                                          \
  CALL(reset, (int32_t device))

/* claims has a byte for each claim_size bytes of the process's addresses: not 0 where munmap and mmap
 * have to ask first. */
enum { claim_bits = 21, claims_size = 1 << (47 - claim_bits) };

#endif
