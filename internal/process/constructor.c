/* Detects calls by global constructors. */

#define _GNU_SOURCE
#include "process.h"

#include <elf.h>
#include <link.h>
#include <stddef.h>
#include <string.h>

/* If the object does not say how long a constructor is, calls within this distance of its
 * first instruction count as its calls. LLVM's constructors that load a module are shorter
 * than a hundred bytes. */
enum { constructor_bytes = 128 };

struct caller {
  uintptr_t at;
  bool found;
};

static bool object_holds(const struct dl_phdr_info *info, uintptr_t addr) {
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *p = &info->dlpi_phdr[i];
    if (p->p_type == PT_LOAD &&
        addr - (info->dlpi_addr + p->p_vaddr) < p->p_memsz)
      return true;
  }
  return false;
}

/* Reads a signed offset that is relative to its own address. */
static uintptr_t relative(const char *at) {
  int32_t offset;
  memcpy(&offset, at, sizeof offset);
  return (uintptr_t)at + (uintptr_t)(intptr_t)offset;
}

/* Returns the first instruction of the function that contains addr, according to the
 * object's unwind information (.eh_frame_hdr, as linkers write it); 0 if that does not say. */
static uintptr_t function_of(const struct dl_phdr_info *info, uintptr_t addr) {
  const char *header = NULL;
  for (int i = 0; i < info->dlpi_phnum; i++)
    if (info->dlpi_phdr[i].p_type == PT_GNU_EH_FRAME)
      header = (const char *)(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr);
  /* Version 1, a pointer as pcrel sdata4, a count as udata4, a table as datarel sdata4. */
  if (header == NULL || memcmp(header, "\1\x1b\x03\x3b", 4) != 0)
    return 0;
  uint32_t count;
  memcpy(&count, header + 8, sizeof count);
  const int32_t (*row)[2] = (const int32_t (*)[2])(const void *)(header + 12);
  uint32_t low = 0;
  for (uint32_t high = count; low < high;) {
    uint32_t middle = low + (high - low) / 2;
    if ((uintptr_t)header + (uintptr_t)(intptr_t)row[middle][0] <= addr)
      low = middle + 1;
    else
      high = middle;
  }
  if (low == 0)
    return 0;
  uintptr_t first = (uintptr_t)header + (uintptr_t)(intptr_t)row[low - 1][0];
  /* An entry: its length, the offset of what it shares, the first instruction, and the
   * bytes of the function, where the first instruction is written as pcrel sdata4. */
  const char *entry = header + row[low - 1][1];
  int32_t bytes;
  memcpy(&bytes, entry + 12, sizeof bytes);
  return relative(entry + 8) == first && addr - first <= (uint32_t)bytes ? first
                                                                         : 0;
}

static int search_object(struct dl_phdr_info *info, size_t size, void *v) {
  (void)size;
  struct caller *c = v;
  if (!object_holds(info, c->at))
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
  uintptr_t function = function_of(info, c->at);
  for (size_t i = 0; constructors != NULL && i < bytes / sizeof *constructors;
       i++)
    c->found |= function != 0 ? function == constructors[i]
                              : c->at - constructors[i] < constructor_bytes;
  return 1;
}

bool constructor_calls(uintptr_t from) {
  struct caller c = {from, false};
  dl_iterate_phdr(search_object, &c);
  return c.found;
}
