/* What the process knows about the memory that a module image lies in. */

#define _GNU_SOURCE
#include "guest.h"

#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <stddef.h>

/* _dl_find_object, which takes no lock. Looked up because glibc has it only since
 * 2.35: a reference would keep the library from loading with older ones. */
static int (*find_object)(void *addr, void *found);

struct range {
  uintptr_t begin, end;
};

static struct range main_program; /* constant once set: it is never unloaded */

/* The loader reports the main program first. */
static int measure_main_program(struct dl_phdr_info *info, size_t size,
                                void *out) {
  (void)size;
  struct range *r = out;
  r->begin = UINTPTR_MAX;
  r->end = 0;
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *p = &info->dlpi_phdr[i];
    if (p->p_type != PT_LOAD)
      continue;
    uintptr_t at = info->dlpi_addr + p->p_vaddr;
    if (at < r->begin)
      r->begin = at;
    if (at + p->p_memsz > r->end)
      r->end = at + p->p_memsz;
  }
  return 1;
}

/* What needs an answer before this has run gets it the long way. */
__attribute__((constructor)) static void prepare(void) {
  dl_iterate_phdr(measure_main_program, &main_program);
  find_object = (int (*)(void *, void *))(uintptr_t)dlsym(RTLD_DEFAULT,
                                                          "_dl_find_object");
}

static int count_unloads(struct dl_phdr_info *info, size_t size, void *out) {
  if (size >= offsetof(struct dl_phdr_info, dlpi_subs) + sizeof info->dlpi_subs)
    *(uint64_t *)out = info->dlpi_subs;
  return 1;
}

uint64_t image_generation(uintptr_t addr) {
  if (addr >= main_program.begin && addr < main_program.end)
    return 0;
  /* Memory of no object at all, a JIT's for one, is never called stable, so its
   * generation is never asked for; the loader's lock is saved. */
  void *found[16]; /* more than any version's struct dl_find_object */
  if (find_object != NULL && find_object((void *)addr, found) != 0)
    return 0;
  uint64_t unloads = 0;
  dl_iterate_phdr(count_unloads, &unloads);
  return unloads + 1;
}

struct question {
  uintptr_t addr, n;
  bool yes;
};

static int find_segment(struct dl_phdr_info *info, size_t size, void *v) {
  (void)size;
  struct question *q = v;
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *p = &info->dlpi_phdr[i];
    if (p->p_type != PT_LOAD)
      continue;
    uintptr_t at = info->dlpi_addr + p->p_vaddr;
    /* Of the segment only what comes from the file: the rest is zeros. */
    if (q->addr < at || q->addr - at >= p->p_filesz)
      continue;
    q->yes = !(p->p_flags & PF_W) && (p->p_flags & PF_R) &&
             q->n <= p->p_filesz - (q->addr - at);
    return 1;
  }
  return 0;
}

bool image_is_stable(uintptr_t addr, uintptr_t n) {
  struct question q = {addr, n, false};
  if (addr != 0 && n != 0)
    dl_iterate_phdr(find_segment, &q);
  return q.yes;
}
