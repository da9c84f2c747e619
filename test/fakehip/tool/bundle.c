/* bundle OUT MODULE.so [CHIP [CODE-OBJECT]]: makes a module's image of a shared object. The code
 * object of an AMD GPU, if there is one, is for those who read what parameters kernels have. */
#include "../bundle.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { page = 4096 };

static void put(FILE *f, uint64_t v) { fwrite(&v, sizeof v, 1, f); }

struct entry {
  char id[128], *bytes;
  size_t n;
};

static void read_file(const char *path, struct entry *e) {
  FILE *in = fopen(path, "rb");
  size_t room = 1 << 20;
  e->bytes = malloc(room);
  for (size_t got; in && e->bytes &&
                   (got = fread(e->bytes + e->n, 1, room - e->n, in)) > 0;)
    if ((e->n += got) == room)
      e->bytes = realloc(e->bytes, room *= 2);
  if (!in || !e->bytes || ferror(in)) {
    fprintf(stderr, "%s: can't be read\n", path);
    exit(1);
  }
  fclose(in);
}

static void fill_to(FILE *out, size_t at) {
  while ((size_t)ftell(out) < at)
    fputc(0, out);
}

int main(int argc, char **argv) {
  struct entry e[2] = {0};
  int n = argc > 4 ? 2 : 1;
  if (argc < 3 || argc > 5) {
    fprintf(stderr, "usage: bundle OUT MODULE.so [CHIP [CODE-OBJECT]]\n");
    return 2;
  }
  read_file(argv[2], &e[0]);
  snprintf(e[0].id, sizeof e[0].id, BUNDLE_TRIPLE "%s-%016llx",
           argc > 3 ? argv[3] : BUNDLE_CHIP,
           (unsigned long long)bundle_hash(e[0].bytes, e[0].n));
  if (n > 1) {
    read_file(argv[4], &e[1]);
    strcpy(e[1].id, "hipv4-amdgcn-amd-amdhsa--gfx906");
  }
  FILE *out = fopen(argv[1], "wb");
  if (!out) {
    perror(argv[1]);
    return 1;
  }
  fwrite(BUNDLE_MAGIC, 1, strlen(BUNDLE_MAGIC), out);
  put(out, (uint64_t)n);
  size_t at = page;
  for (int i = 0; i < n; i++) {
    put(out, at);
    put(out, e[i].n);
    put(out, strlen(e[i].id));
    fwrite(e[i].id, 1, strlen(e[i].id), out);
    at = (at + e[i].n + page - 1) / page * page;
  }
  at = page;
  for (int i = 0; i < n; i++) {
    fill_to(out, at);
    fwrite(e[i].bytes, 1, e[i].n, out);
    at = (at + e[i].n + page - 1) / page * page;
  }
  if (fclose(out) != 0) {
    perror(argv[1]);
    return 1;
  }
  return 0;
}
