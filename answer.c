/* Kernel names resolved without entering Go. LLVM's code asks for its kernel
 * before every launch, always with the same module and name, and entering Go
 * costs ten times what this does.
 *
 * An answer is a thread's own and belongs to an epoch. The epoch changes when any
 * module leaves the driver, so a handle that the driver gives out again never
 * finds an old answer. As in Go, a module that the program has given back still
 * answers while the cache keeps it. With MGPU_CACHE=off there is no epoch and
 * nothing is answered. */

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

/* By the addresses of both: a compiler may place the same name several times. */
static struct answer *slot(uintptr_t module, const char *name) {
  uint64_t h = (module ^ (uint64_t)(uintptr_t)name << 7) * 0x9E3779B97F4A7C15u;
  return &calls_here->answers[h >> 60];
}

uintptr_t answer_function(uintptr_t module, const char *name) {
  const struct answer *a = slot(module, name);
  if (module == 0 || a->module != module || a->epoch != answer_epoch() ||
      name == NULL || strcmp(a->name, name) != 0)
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
  memcpy(a->name, name, n + 1);
}
