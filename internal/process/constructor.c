/* Whether code runs as a global constructor. */

#define _GNU_SOURCE
#include "process.h"

#include <elf.h>
#include <link.h>
#include <stddef.h>

/* How far behind a constructor's first instruction it may call: LLVM's, which load a
 * module, have less than a hundred bytes. */
enum { constructor_bytes = 128 };

struct caller {
  uintptr_t at;
  bool found;
};

static bool holds(const struct dl_phdr_info *info, uintptr_t addr) {
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *p = &info->dlpi_phdr[i];
    if (p->p_type == PT_LOAD &&
        addr - (info->dlpi_addr + p->p_vaddr) < p->p_memsz)
      return true;
  }
  return false;
}

static int look(struct dl_phdr_info *info, size_t size, void *v) {
  (void)size;
  struct caller *c = v;
  if (!holds(info, c->at))
    return 0;
  const ElfW(Dyn) *dynamic = NULL;
  for (int i = 0; i < info->dlpi_phnum; i++)
    if (info->dlpi_phdr[i].p_type == PT_DYNAMIC)
      dynamic =
          (const ElfW(Dyn) *)(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr);
  const uintptr_t *constructors = NULL;
  size_t bytes = 0;
  for (; dynamic != NULL && dynamic->d_tag != DT_NULL; dynamic++) {
    if (dynamic->d_tag == DT_INIT_ARRAY)
      constructors = (const uintptr_t *)(info->dlpi_addr + dynamic->d_un.d_ptr);
    if (dynamic->d_tag == DT_INIT_ARRAYSZ)
      bytes = dynamic->d_un.d_val;
  }
  for (size_t i = 0; constructors != NULL && i < bytes / sizeof *constructors;
       i++)
    if (c->at - constructors[i] < constructor_bytes)
      c->found = true;
  return 1;
}

bool constructor_calls(uintptr_t from) {
  struct caller c = {from, false};
  dl_iterate_phdr(look, &c);
  return c.found;
}
