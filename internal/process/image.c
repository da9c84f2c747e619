/* Tells whether a module image in memory can have changed. */

#define _GNU_SOURCE
#include "process.h"

#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <stddef.h>
#include <sys/auxv.h>

/* _dl_find_object, which takes no lock and knows the objects of every namespace. Looked
 * up at run time: glibc has it since 2.35, and the library loads with older ones too. */
static int (*find_object)(void *addr, void *found);

struct range {
  uintptr_t begin, end;
};

static bool range_holds(const struct range *r, uintptr_t addr) {
  return addr >= r->begin && addr < r->end;
}

static struct range object_range(const struct dl_phdr_info *info) {
  struct range r = {UINTPTR_MAX, 0};
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *p = &info->dlpi_phdr[i];
    if (p->p_type != PT_LOAD)
      continue;
    uintptr_t at = info->dlpi_addr + p->p_vaddr;
    if (at < r.begin)
      r.begin = at;
    if (at + p->p_memsz > r.end)
      r.end = at + p->p_memsz;
  }
  return r;
}

/* The main program, which is never unloaded. Empty if this library was loaded into a
 * namespace of its own (dlmopen), whose first object may be unloaded. */
static struct range main_program;

/* Handles the first object that the loader reports: the main program, in its own
 * namespace only. */
static int find_main_program(struct dl_phdr_info *info, size_t size,
                             void *out) {
  (void)size;
  struct range r = object_range(info);
  if (range_holds(&r, getauxval(AT_PHDR)))
    *(struct range *)out = r;
  return 1;
}

/* Calls before this constructor take the slow way. */
__attribute__((constructor)) static void prepare(void) {
  dl_iterate_phdr(find_main_program, &main_program);
  find_object = (int (*)(void *, void *))(uintptr_t)dlsym(RTLD_DEFAULT,
                                                          "_dl_find_object");
}

struct search {
  uintptr_t addr;
  bool found;
  uint64_t loads;
};

static int count_loads(struct dl_phdr_info *info, size_t size, void *v) {
  struct search *s = v;
  /* dlpi_adds only grows; dlpi_subs shrinks when namespaces go. */
  if (size < offsetof(struct dl_phdr_info, dlpi_adds) + sizeof info->dlpi_adds)
    return 1;
  struct range r = object_range(info);
  s->loads = info->dlpi_adds;
  s->found |= range_holds(&r, s->addr);
  return s->found;
}

uint64_t image_generation(uintptr_t addr) {
  if (range_holds(&main_program, addr))
    return 0;
  struct search s = {.addr = addr};
  if (find_object != NULL) { /* a JIT's memory: no need for the loader's lock */
    void *found[16];         /* more than any version's struct dl_find_object */
    if (find_object((void *)addr, found) != 0)
      return UINT64_MAX;
    s.found = true;
  }
  dl_iterate_phdr(count_loads, &s);
  return s.found && s.loads != 0 ? s.loads : UINT64_MAX;
}

struct stable_query {
  uintptr_t addr, n;
  bool yes;
};

static int find_segment(struct dl_phdr_info *info, size_t size, void *v) {
  (void)size;
  struct stable_query *q = v;
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *p = &info->dlpi_phdr[i];
    if (p->p_type != PT_LOAD)
      continue;
    uintptr_t at = info->dlpi_addr + p->p_vaddr;
    /* Only the part of the segment that comes from the file: the rest is zeros. */
    if (q->addr < at || q->addr - at >= p->p_filesz)
      continue;
    q->yes = !(p->p_flags & PF_W) && (p->p_flags & PF_R) &&
             q->n <= p->p_filesz - (q->addr - at);
    return 1;
  }
  return 0;
}

bool image_is_stable(uintptr_t addr, uintptr_t n) {
  struct stable_query q = {addr, n, false};
  if (addr != 0 && n != 0)
    dl_iterate_phdr(find_segment, &q);
  return q.yes;
}
