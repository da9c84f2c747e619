/* Calls that C lookups by itself: entering Go costs ten times what this does, and
 * takes a lock that all threads share. With MGPU_CACHE=off nothing is answered.
 *
 * Kernel names. LLVM's code asks for its kernel before every launch, always with
 * the same module and name. An answer is a thread's own and belongs to an epoch,
 * which changes when any module leaves the driver, so a handle that the driver
 * gives out again never finds an old answer. As in Go, a module that the program
 * has given back still lookups while the cache keeps it.
 *
 * Modules. LLVM 20 and older load and unload their module around every launch.
 * Where the image can't change, a thread does not give its reference back when
 * the program unloads the module, and uses it for the program's next load. It
 * keeps one module at most, which the cache can't evict meanwhile; when the
 * thread ends, the next one that starts takes it over.
 *
 * A reference that a thread has noted is the program's, or kept for the thread.
 * Only the latter can't be told from the program's by Go, so an unload takes the
 * program's first: the calling thread's, another thread's, and where there is
 * none what Go counts, less all that is kept. What is unloaded more often than
 * it was loaded is then Go's to tell.
 */

#include "lookup.h"

#include <string.h>

#include "thread.h"

static uint64_t epoch; /* 0: lookups are off */

void lookup_enable(bool enabled) {
  __atomic_store_n(&epoch, enabled, __ATOMIC_SEQ_CST);
}

void lookup_forget(void) {
  if (lookup_epoch() != 0)
    __atomic_add_fetch(&epoch, 1, __ATOMIC_SEQ_CST);
}

uint64_t lookup_epoch(void) {
  return __atomic_load_n(&epoch, __ATOMIC_ACQUIRE);
}

_Static_assert(lookup_slots == 16, "slot() keeps four bits");

/* By the addresses of both: a compiler may place the same name several times. A
 * name is only read at an address where one was found before: what is no pointer
 * to text is Go's to refuse. */
static struct lookup *slot(uintptr_t module, const char *name) {
  uint64_t h = (module ^ (uint64_t)(uintptr_t)name << 7) * 0x9E3779B97F4A7C15u;
  return &this_thread->lookups[h >> 60];
}

HOT uintptr_t lookup_function(uintptr_t module, const char *name) {
  const struct lookup *a = slot(module, name);
  if (module == 0 || name == NULL || a->module != module || a->at != name ||
      a->epoch != lookup_epoch() || strcmp(a->name, name) != 0)
    return 0;
  return a->function;
}

void lookup_note(uint64_t at, uintptr_t module, const char *name,
                 uintptr_t function) {
  if (at == 0 || function == 0)
    return;
  struct lookup *a = slot(module, name);
  size_t n = strnlen(name, sizeof a->name);
  if (n == sizeof a->name)
    return;
  a->epoch = at;
  a->module = module;
  a->function = function;
  a->at = name;
  memcpy(a->name, name, n + 1);
}

enum { unused = 0, held = 1, kept = 2, states = 4 };

/* Moves a note to another state, unless it has changed since seen was read. */
static bool turn(struct loaded *l, uint64_t seen, uint64_t to) {
  return __atomic_compare_exchange_n(&l->state, &seen,
                                     seen / states * states + to, false,
                                     __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
}

/* Whether the note is of module, and in the state; seen is for turn. */
static bool is(struct loaded *l, uintptr_t module, uint64_t state,
               uint64_t *seen) {
  *seen = __atomic_load_n(&l->state, __ATOMIC_ACQUIRE);
  return *seen % states == state &&
         __atomic_load_n(&l->module, __ATOMIC_RELAXED) == module;
}

/* Moves one note of module, whosever it is, from a state to another. */
static bool turn_any(uintptr_t module, uint64_t from, uint64_t to) {
  uint64_t seen;
  for (struct thread *c = threads_all(); c != NULL; c = c->next)
    if (is(&c->loaded, module, from, &seen) && turn(&c->loaded, seen, to))
      return true;
  return false;
}

uintptr_t lookup_load(uintptr_t image, uint64_t generation, int32_t opt) {
  struct loaded *l = &this_thread->loaded;
  uint64_t seen;
  if (l->image != image || l->generation != generation || l->opt != opt ||
      !is(l, l->module, kept, &seen) || !turn(l, seen, held))
    return 0;
  return l->module;
}

void lookup_loaded(uintptr_t image, uint64_t generation, int32_t opt,
                   uintptr_t module) {
  struct loaded *l = &this_thread->loaded;
  uint64_t seen = __atomic_load_n(&l->state, __ATOMIC_RELAXED);
  if (lookup_epoch() == 0 || seen % states != unused)
    return;
  l->image = image;
  l->generation = generation;
  l->opt = opt;
  __atomic_store_n(&l->module, module, __ATOMIC_RELAXED);
  /* The next number, so that nobody takes this note for an older one. */
  __atomic_store_n(&l->state, seen / states * states + states + held,
                   __ATOMIC_RELEASE);
}

bool lookup_unload(uintptr_t module) {
  struct loaded *l = &this_thread->loaded;
  uint64_t seen;
  if (module == 0 || lookup_epoch() == 0)
    return false;
  return (is(l, module, held, &seen) && turn(l, seen, kept)) ||
         turn_any(module, held, kept);
}

uintptr_t lookup_surplus(void) {
  struct loaded *l = &this_thread->loaded;
  for (;;) {
    uint64_t seen = __atomic_load_n(&l->state, __ATOMIC_ACQUIRE);
    if (seen % states == unused)
      return 0;
    if (turn(l, seen, unused))
      return seen % states == kept ? l->module : 0;
  }
}

bool lookup_surplus_of(uintptr_t module) {
  return module != 0 && turn_any(module, kept, unused);
}
