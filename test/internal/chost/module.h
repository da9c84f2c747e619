/* What C hosts share. */
#ifndef CHOST_MODULE_H
#define CHOST_MODULE_H

#include <stdio.h>
#include <stdlib.h>

/* Reads a module of at most 1 MiB into memory that stays, with zeros after it, as PTX
 * needs. Not in .bss: HIP takes an image there for a part of the program's file. Without
 * the file the host exits with 2. */
static inline void *read_module(const char *path) {
  enum { most = 1 << 20 };
  char *image = calloc(1, most + 1);
  FILE *f = path == NULL ? NULL : fopen(path, "rb");
  if (image == NULL || f == NULL || fread(image, 1, most, f) == 0) {
    fprintf(stderr, "host: no module in '%s'\n", path == NULL ? "" : path);
    exit(2);
  }
  fclose(f);
  return image;
}

#endif
