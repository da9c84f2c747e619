#include "image.h"

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../bundle.h"
#include "host.h"

enum { amdgpu = 224, most_bytes = 1 << 30, most_entries = 64, most_id = 256 };

/* Copies bytes of the program. */
static hipError_t copy_image(const char *at, size_t n, int amd,
                             struct image *out) {
  char *copy = n && n <= most_bytes ? malloc(n) : NULL;
  if (!copy || !host_read(copy, at, n)) {
    free(copy);
    return hipErrorInvalidImage;
  }
  *out = (struct image){at, n, bundle_hash(copy, n), copy, amd};
  return hipSuccess;
}

/* A code object ends after its section table, or its last section. */
static hipError_t read_amd(const char *p, struct image *out) {
  Elf64_Ehdr h;
  if (!host_read(&h, p, sizeof h) || memcmp(h.e_ident, ELFMAG, SELFMAG) != 0 ||
      h.e_ident[EI_CLASS] != ELFCLASS64 || h.e_machine != amdgpu ||
      h.e_shentsize != sizeof(Elf64_Shdr) || h.e_shoff > most_bytes)
    return hipErrorInvalidImage;
  uint64_t end = h.e_shoff + (uint64_t)h.e_shnum * h.e_shentsize;
  for (int i = 0; i < h.e_shnum; i++) {
    Elf64_Shdr s;
    if (!host_read(&s, p + h.e_shoff + (uint64_t)i * sizeof s, sizeof s) ||
        s.sh_offset > most_bytes || s.sh_size > most_bytes)
      return hipErrorInvalidImage;
    if (s.sh_type != SHT_NOBITS && s.sh_offset + s.sh_size > end)
      end = s.sh_offset + s.sh_size;
  }
  return copy_image(p, end, 1, out);
}

struct entry {
  uint64_t offset, size, id_length;
};

/* Returns the entry's hash, if the entry is for the chip of this library. */
static int for_us(const char *id, uint64_t *hash) {
  static const char prefix[] = BUNDLE_TRIPLE BUNDLE_CHIP "-";
  char after;
  unsigned long long h;
  if (strncmp(id, prefix, strlen(prefix)) != 0 ||
      sscanf(id + strlen(prefix), "%llx%c", &h, &after) != 1)
    return 0;
  *hash = h;
  return 1;
}

static hipError_t read_entry(const char *p, const struct entry *e,
                             const char *id, struct image *out) {
  uint64_t hash;
  const char *triple = strchr(id, '-');
  if (e->offset > most_bytes || e->size > most_bytes)
    return hipErrorInvalidImage;
  if (triple && (strncmp(triple, "-amdgcn-", 8) == 0 ||
                 strncmp(triple, "-amdgpu", 7) == 0))
    return e->size ? read_amd(p + e->offset, out) : hipErrorNoBinaryForGpu;
  if (!for_us(id, &hash))
    return hipErrorNoBinaryForGpu;
  hipError_t status = copy_image(p + e->offset, e->size, 0, out);
  if (status == hipSuccess && out->hash != hash) {
    image_free(out);
    status = hipErrorInvalidImage;
  }
  return status;
}

static hipError_t read_bundle(const char *p, struct image *out) {
  uint64_t n, at = strlen(BUNDLE_MAGIC) + sizeof n;
  if (!host_read(&n, p + strlen(BUNDLE_MAGIC), sizeof n) || n > most_entries)
    return hipErrorInvalidImage;
  hipError_t status = hipErrorNoBinaryForGpu;
  for (uint64_t i = 0; i < n && status == hipErrorNoBinaryForGpu; i++) {
    struct entry e;
    char id[most_id + 1];
    if (!host_read(&e, p + at, sizeof e) || e.id_length > most_id ||
        !host_read(id, p + at + sizeof e, e.id_length) ||
        memchr(id, 0, e.id_length))
      return hipErrorInvalidImage;
    id[e.id_length] = 0;
    at += sizeof e + e.id_length;
    status = read_entry(p, &e, id, out);
  }
  return status;
}

hipError_t image_read(const void *p, struct image *out) {
  char magic[sizeof BUNDLE_MAGIC - 1];
  if (host_read(magic, p, sizeof magic) &&
      memcmp(magic, BUNDLE_MAGIC, sizeof magic) == 0)
    return read_bundle(p, out);
  return read_amd(p, out);
}

int image_unchanged(const struct image *i) {
  char *now = malloc(i->bytes);
  int same = now && host_read(now, i->at, i->bytes) &&
             memcmp(now, i->copy, i->bytes) == 0;
  free(now);
  return same;
}

/* Returns the section of a type, NULL if the image contains none. */
static const Elf64_Shdr *section(const struct image *i, uint32_t type) {
  const Elf64_Ehdr *h = (const Elf64_Ehdr *)i->copy;
  const Elf64_Shdr *s = (const Elf64_Shdr *)(i->copy + h->e_shoff);
  for (int k = 0; k < h->e_shnum && h->e_shoff % 8 == 0; k++)
    if (s[k].sh_type == type && s[k].sh_offset + s[k].sh_size <= i->bytes &&
        s[k].sh_offset % 8 == 0 && s[k].sh_link < h->e_shnum)
      return &s[k];
  return NULL;
}

char **image_amd_kernels(const struct image *i) {
  const Elf64_Shdr *table = section(i, SHT_DYNSYM);
  if (!table)
    return NULL;
  const Elf64_Shdr *text =
      (const Elf64_Shdr *)(i->copy + ((const Elf64_Ehdr *)i->copy)->e_shoff) +
      table->sh_link;
  if (text->sh_offset + text->sh_size > i->bytes || text->sh_size == 0 ||
      i->copy[text->sh_offset + text->sh_size - 1] != 0)
    return NULL;
  const Elf64_Sym *symbol = (const Elf64_Sym *)(i->copy + table->sh_offset);
  uint64_t n = table->sh_size / sizeof *symbol, kept = 0;
  char **names = calloc(n + 1, sizeof *names);
  for (uint64_t k = 0; names && k < n; k++) {
    const char *name = i->copy + text->sh_offset + symbol[k].st_name;
    size_t length = symbol[k].st_name < text->sh_size ? strlen(name) : 0;
    if (length > 3 && strcmp(name + length - 3, ".kd") == 0)
      names[kept++] = strndup(name, length - 3);
  }
  return names;
}

void image_free(struct image *i) {
  free(i->copy);
  i->copy = NULL;
}
