/* Calls that C answers by itself: entering Go costs ten times what this does, and
 * takes a lock that all threads share. With MGPU_CACHE=off nothing is answered.
 *
 * Kernel names. LLVM's code asks for its kernel before every launch, always with
 * the same module and name. An answer is a thread's own and belongs to an epoch,
 * which changes when any module leaves the driver, so a handle that the driver
 * gives out again never finds an old answer. As in Go, a module that the program
 * has given back still answers while the cache keeps it.
 *
 * Modules. LLVM 20 and older load and unload their module around every launch.
 * Where the image can't change, a thread does not give its reference back when
 * the program unloads the module, and uses it for the program's next load. It
 * keeps one module at most, which the cache can't evict meanwhile; when the
 * thread ends, the next one that starts takes it over. */

#include "answer.h"

#include <string.h>

#include "calls.h"

static uint64_t epoch; /* 0: answers are off */

void answer_enable(bool enabled) {
  __atomic_store_n(&epoch, enabled, __ATOMIC_SEQ_CST);
}

void answer_forget(void) {
  if (answer_epoch() != 0)
    __atomic_add_fetch(&epoch, 1, __ATOMIC_SEQ_CST);
}

uint64_t answer_epoch(void) {
  return __atomic_load_n(&epoch, __ATOMIC_ACQUIRE);
}

_Static_assert(answer_slots == 16, "slot() keeps four bits");

/* By the addresses of both: a compiler may place the same name several times. A
 * name is only read at an address where one was found before: what is no pointer
 * to text is Go's to refuse. */
static struct answer *slot(uintptr_t module, const char *name) {
  uint64_t h = (module ^ (uint64_t)(uintptr_t)name << 7) * 0x9E3779B97F4A7C15u;
  return &calls_here->answers[h >> 60];
}

uintptr_t answer_function(uintptr_t module, const char *name) {
  const struct answer *a = slot(module, name);
  if (module == 0 || name == NULL || a->module != module || a->at != name ||
      a->epoch != answer_epoch() || strcmp(a->name, name) != 0)
    return 0;
  return a->function;
}

void answer_note(uint64_t at, uintptr_t module, const char *name,
                 uintptr_t function) {
  if (at == 0 || function == 0)
    return;
  struct answer *a = slot(module, name);
  size_t n = strnlen(name, sizeof a->name);
  if (n == sizeof a->name)
    return;
  a->epoch = at;
  a->module = module;
  a->function = function;
  a->at = name;
  memcpy(a->name, name, n + 1);
}

uintptr_t answer_load(uintptr_t image, uint64_t generation) {
  struct loaded *l = &calls_here->loaded;
  if (!l->kept || l->image != image || l->generation != generation)
    return 0;
  l->kept = false;
  return l->module;
}

void answer_loaded(uintptr_t image, uint64_t generation, uintptr_t module) {
  if (answer_epoch() != 0)
    calls_here->loaded = (struct loaded){image, module, generation, false};
}

bool answer_unload(uintptr_t module) {
  struct loaded *l = &calls_here->loaded;
  if (module == 0 || l->module != module || l->kept)
    return false;
  l->kept = true;
  return true;
}

uintptr_t answer_surplus(void) {
  struct loaded *l = &calls_here->loaded;
  if (!l->kept)
    return 0;
  uintptr_t module = l->module;
  *l = (struct loaded){0};
  return module;
}
