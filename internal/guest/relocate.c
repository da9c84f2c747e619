//go:build linux && amd64 && !mgpu_plain

/* Relocates Go's data, at the process's first call.
 *
 * Nearly all relocations of this library are of Go's data: twenty thousand pointers on
 * 130 pages, which the loader would copy in every process that merely loads the library.
 * internal/guest/postlink hides these relocations from the loader, and this file applies
 * them just before the runtime starts. Until then nothing may read Go's data. */

#define _GNU_SOURCE
#include "start.h"

#include <elf.h>
#include <link.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

extern ElfW(Dyn) _DYNAMIC[] __attribute__((visibility("hidden")));
extern const char __ehdr_start[] __attribute__((visibility("hidden")));

/* The table's offset from the start of the library, and its length; 0: no table.
 * postlink finds this variable by name and writes it, hence volatile. */
static const volatile struct {
  uint64_t at, n;
} mgpu_late_relocations;

/* A range of addresses. */
struct span {
  uintptr_t begin, end;
};

/* This library's segments. */
struct segments {
  struct span table;       /* the one with the table */
  struct span writable[4]; /* GNU's linker makes one, LLVM's two */
  size_t writables;
  struct span relro; /* of those the part that is read-only after loading */
};

static bool span_holds(struct span s, uintptr_t at, uint64_t size) {
  return at >= s.begin && at <= s.end && size <= s.end - at;
}

/* The loader knows the segments even where a tool has moved their headers. */
static int find_segments(struct dl_phdr_info *info, size_t size, void *out) {
  (void)size;
  struct segments *l = out;
  *l = (struct segments){0};
  uintptr_t table = (uintptr_t)__ehdr_start + mgpu_late_relocations.at;
  bool here = false;
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *p = &info->dlpi_phdr[i];
    uintptr_t at = info->dlpi_addr + p->p_vaddr;
    struct span s = {at, at + p->p_memsz};
    if (p->p_type == PT_DYNAMIC)
      here = at == (uintptr_t)_DYNAMIC;
    else if (p->p_type == PT_GNU_RELRO)
      l->relro = s;
    else if (p->p_type == PT_LOAD && !(p->p_flags & PF_W) &&
             span_holds(s, table, 1))
      l->table = s;
    else if (p->p_type == PT_LOAD && p->p_flags & PF_W &&
             l->writables < sizeof l->writable / sizeof *l->writable)
      l->writable[l->writables++] = s;
  }
  return here;
}

/* Reports whether r is a relocation that postlink moves. */
static bool relocation_valid(const ElfW(Rela) * r, const struct segments *l) {
  if (r->r_info != ELF64_R_INFO(0, R_X86_64_RELATIVE))
    return false;
  for (size_t i = 0; i < l->writables; i++)
    if (span_holds(l->writable[i], (uintptr_t)__ehdr_start + r->r_offset,
                   sizeof(uintptr_t)))
      return true;
  return false;
}

const char *relocate(void) {
  uint64_t n = mgpu_late_relocations.n;
  if (n == 0)
    return NULL;
  uintptr_t base = (uintptr_t)__ehdr_start;
  struct segments l;
  /* Nor could Go start its threads: glibc's pthread_create crashes in a library that a
   * program without a loader of its own has opened. */
  if (dl_iterate_phdr(find_segments, &l) == 0)
    return "the program is linked statically: a library that it opens can't "
           "start threads; link it dynamically";
  const ElfW(Rela) *table =
      (const ElfW(Rela) *)(base + mgpu_late_relocations.at);
  /* Check the table first: a tool that moves sections may have overwritten it. */
  if (n > SIZE_MAX / sizeof *table ||
      !span_holds(l.table, (uintptr_t)table, n * sizeof *table))
    return "damaged library: its relocations are not there";
  for (uint64_t i = 0; i < n; i++)
    if (!relocation_valid(&table[i], &l) ||
        (i > 0 && table[i].r_offset <= table[i - 1].r_offset))
      return "damaged library: its relocations are overwritten";
  /* Rounded as the loader does: the last page is not read-only. */
  uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
  void *relro = (void *)(l.relro.begin & -page);
  size_t size = (l.relro.end & -page) - (uintptr_t)relro;
  if (size != 0 && mprotect(relro, size, PROT_READ | PROT_WRITE) != 0)
    return "no right to relocate the library's data";
  /* Populate all pages at once, if the kernel can (5.14): one fault per page takes as long
   * as everything else together. */
  uintptr_t first = (base + table[0].r_offset) & -page;
  uintptr_t last = (base + table[n - 1].r_offset) & -page;
  enum { populate_write = 23 }; /* MADV_POPULATE_WRITE */
  madvise((void *)first, last - first + page, populate_write);
  /* Pointers are set, not added to: after a failure the next call may repeat it. */
  for (uint64_t i = 0; i < n; i++)
    *(uintptr_t *)(base + table[i].r_offset) = base + table[i].r_addend;
  if (size != 0 && mprotect(relro, size, PROT_READ) != 0)
    return "no right to protect the library's data";
  return NULL;
}
