/* Images of modules. */
#ifndef FAKEHIP_IMAGE_H
#define FAKEHIP_IMAGE_H

#include "types.h"

struct image {
  const char *at; /* where the program has the bytes */
  size_t bytes;
  uint64_t hash;
  char *copy;
  int amd; /* a code object for AMD GPUs, which can't run here; otherwise a shared object */
};

/* Reads an image, and finds out its length. */
hipError_t image_read(const void *p, struct image *out);

/* Reports whether the program's bytes are unchanged. */
int image_unchanged(const struct image *i);

/* The names of the kernels in a code object for AMD GPUs, an array of texts that ends with NULL, all to be freed; NULL if it can't
 * be read. */
char **image_amd_kernels(const struct image *i);

void image_free(struct image *i);

#endif
