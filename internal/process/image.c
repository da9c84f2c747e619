/* Compares a module image in memory with a copy, and reports whether the image can move. */

#define _GNU_SOURCE
#include "process.h"

#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <errno.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/uio.h>
#include <unistd.h>

/* _dl_find_object, which takes no lock and knows the objects of every namespace. It is
 * looked up at run time, since glibc has it from 2.35 on and the library also runs with
 * older ones. */
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

/* Handles the first object that the loader reports, which is the main program in its
 * namespace. */
static int find_main_program(struct dl_phdr_info *info, size_t size,
                             void *out) {
  (void)size;
  struct range r = object_range(info);
  if (range_holds(&r, getauxval(AT_PHDR)))
    *(struct range *)out = r;
  return 1;
}

/* Calls before this constructor use the slow way. */
__attribute__((constructor)) static void prepare(void) {
  dl_iterate_phdr(find_main_program, &main_program);
  find_object = (int (*)(void *, void *))(uintptr_t)dlsym(RTLD_DEFAULT,
                                                          "_dl_find_object");
}

/* Reports whether a loaded object contains addr. Without _dl_find_object it only checks the
 * main program. */
static bool in_object(uintptr_t addr) {
  void *found[16]; /* more than any version's struct dl_find_object */
  return range_holds(&main_program, addr) ||
         (find_object != NULL && find_object((void *)addr, found) == 0);
}

/* The page size of x86-64 and arm64 systems, or a divisor of it. */
enum { page = 4096 };

/* Compares page by page and stops at the first difference. It reads no page beyond the end
 * of the image at addr: as long as the bytes equal the copy's, so does the length in them. */
static enum image_comparison compare_mapped(const char *addr, const char *copy,
                                            size_t n) {
  while (n > 0) {
    size_t step = page - (uintptr_t)addr % page;
    if (step > n)
      step = n;
    if (memcmp(addr, copy, step) != 0)
      return image_differs;
    addr += step;
    copy += step;
    n -= step;
  }
  return image_same;
}

/* Compares by a system call, which fails on unreadable memory instead of faulting. */
static enum image_comparison compare_read(uintptr_t addr, const char *copy,
                                          size_t n) {
  char part[4 * page]; /* stacks of host threads may be small */
  int was = errno;
  while (n > 0) {
    size_t step = n < sizeof part ? n : sizeof part;
    struct iovec to = {part, step}, from = {(void *)addr, step};
    if (process_vm_readv(getpid(), &to, 1, &from, 1, 0) != (ssize_t)step) {
      errno = was;
      return image_unreadable;
    }
    if (memcmp(part, copy, step) != 0)
      return image_differs;
    addr += step;
    copy += step;
    n -= step;
  }
  return image_same;
}

enum image_comparison image_compare(uintptr_t addr, uintptr_t copy, size_t n) {
  if (in_object(addr))
    return compare_mapped((const char *)addr, (const char *)copy, n);
  return compare_read(addr, (const char *)copy, n);
}

bool image_holds(uintptr_t addr, uintptr_t copy, size_t n) {
  return image_compare(addr, copy, n) == image_same;
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
    /* Only the part of the segment that is in the file; the rest is zeros. */
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
