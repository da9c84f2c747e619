/* bundle OUT MODULE.so [CHIP]: makes a module's image of a shared object. */
#include "../bundle.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void put(FILE *f, uint64_t v) { fwrite(&v, sizeof v, 1, f); }

int main(int argc, char **argv) {
  if (argc < 3 || argc > 4) {
    fprintf(stderr, "usage: bundle OUT MODULE.so [CHIP]\n");
    return 2;
  }
  FILE *in = fopen(argv[2], "rb"), *out = in ? fopen(argv[1], "wb") : NULL;
  if (!out) {
    perror(in ? argv[1] : argv[2]);
    return 1;
  }
  size_t n = 0, room = 1 << 20;
  char *bytes = malloc(room);
  for (size_t got; bytes && (got = fread(bytes + n, 1, room - n, in)) > 0;)
    if ((n += got) == room)
      bytes = realloc(bytes, room *= 2);
  if (!bytes || ferror(in)) {
    fprintf(stderr, "%s: can't be read\n", argv[2]);
    return 1;
  }
  char id[128];
  snprintf(id, sizeof id, BUNDLE_TRIPLE "%s-%016llx",
           argc > 3 ? argv[3] : BUNDLE_CHIP,
           (unsigned long long)bundle_hash(bytes, n));
  enum { page = 4096 };
  fwrite(BUNDLE_MAGIC, 1, strlen(BUNDLE_MAGIC), out);
  put(out, 1);
  put(out, page);
  put(out, n);
  put(out, strlen(id));
  fwrite(id, 1, strlen(id), out);
  while (ftell(out) < page)
    fputc(0, out);
  fwrite(bytes, 1, n, out);
  free(bytes);
  if (fclose(out) != 0) {
    perror(argv[1]);
    return 1;
  }
  return 0;
}
