/* Looks up functions and modules without entering Go, which costs ten times as much and
 * takes a lock that all threads share. With MGPU_CACHE=off every look-up enters Go.
 *
 * Functions. LLVM's code looks up its kernel before every launch, with the same module and
 * name. A cached look-up is valid for one epoch. The epoch changes when the driver unloads
 * any module, so a handle that the driver reuses never finds an old function. The functions
 * of a module that the program has unloaded stay valid as long as the cache keeps the
 * module loaded, as in Go. The table grows with the number of look-ups, so that a kernel is
 * found as fast among many others as alone.
 *
 * Modules. LLVM 20 and older load and unload their module around every launch. When the
 * program unloads a module, the thread keeps the reference for the program's next load.
 * That load compares the image with the cache's copy: a JIT may have placed other code
 * there, and a program can make its constants writable and change them. A thread keeps
 * references to a few modules, which the cache can't evict meanwhile. When the thread ends,
 * the next thread that starts takes the references over with the state.
 *
 * A noted reference belongs to the program or to the thread. Go can't distinguish the two.
 * So an unload takes the references that belong to the program first: the one in the
 * calling thread's note, then in another thread's, then those that Go counts without those
 * that threads keep. Go reports a module that is unloaded more often than it was loaded.
 * While the thread compares, the reference belongs to neither, so that it can't be dropped
 * and the copy stays in place. */

#include "lookup.h"

#include <stddef.h>
#include <stdlib.h>
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

void lookup_forget_thread(void) {
  free(this_thread->lookups);
  this_thread->lookups = NULL;
  this_thread->lookup_slots = 0;
}

uint64_t lookup_epoch(void) {
  return __atomic_load_n(&epoch, __ATOMIC_ACQUIRE);
}

/* Returns the set for a function, by the addresses of module and name. A compiler may emit a
 * name several times. A name is read only at an address at which a name was found before; Go
 * refuses addresses without a readable name. */
static struct lookup *lookup_set(struct lookup *table, uint32_t slots,
                                 uintptr_t module, const char *name) {
  uint64_t h = (module ^ (uint64_t)(uintptr_t)name << 7) * 0x9E3779B97F4A7C15u;
  return table + (h >> 40 & (slots / lookup_ways - 1)) * lookup_ways;
}

HOT uintptr_t lookup_function(uintptr_t module, const char *name) {
  const struct thread *t = this_thread;
  if (t->lookups == NULL || module == 0 || name == NULL)
    return 0;
  uint64_t now = lookup_epoch();
  const struct lookup *s =
      lookup_set(t->lookups, t->lookup_slots, module, name);
  for (int i = 0; i < lookup_ways; i++, s++)
    if (s->module == module && s->address == name && s->epoch == now &&
        strcmp(s->name, name) == 0)
      return s->function;
  return 0;
}

/* Returns a way for a function in its set: its own, or one without a valid entry. NULL: the
 * set is full. */
static struct lookup *lookup_way(struct lookup *set, uint64_t now,
                                 uintptr_t module, const char *name) {
  struct lookup *unused = NULL;
  for (int i = 0; i < lookup_ways; i++) {
    if (set[i].module == module && set[i].address == name)
      return &set[i];
    if (set[i].epoch != now)
      unused = &set[i];
  }
  return unused;
}

/* Doubles the calling thread's table. Valid entries move, if their new sets have a free way.
 * Returns false if the table has its largest size, or out of memory. */
static bool lookup_grow(uint64_t now) {
  struct thread *t = this_thread;
  uint32_t slots =
      t->lookups == NULL ? lookup_slots_first : 2 * t->lookup_slots;
  struct lookup *table =
      slots > lookup_slots_most ? NULL : calloc(slots, sizeof *table);
  if (table == NULL)
    return false;
  for (uint32_t i = 0; i < t->lookup_slots; i++) {
    const struct lookup *old = &t->lookups[i];
    struct lookup *way =
        old->epoch != now
            ? NULL
            : lookup_way(lookup_set(table, slots, old->module, old->address),
                         now, old->module, old->address);
    if (way != NULL)
      *way = *old;
  }
  free(t->lookups);
  t->lookups = table;
  t->lookup_slots = slots;
  return true;
}

void lookup_store_function(uint64_t asked, uintptr_t module, const char *name,
                           uintptr_t function) {
  struct thread *t = this_thread;
  size_t n;
  if (asked == 0 || function == 0 ||
      (n = strnlen(name, sizeof t->lookups->name)) == sizeof t->lookups->name ||
      (t->lookups == NULL && !lookup_grow(asked)))
    return;
  struct lookup *set, *s;
  do {
    set = lookup_set(t->lookups, t->lookup_slots, module, name);
    s = lookup_way(set, asked, module, name);
  } while (s == NULL && lookup_grow(asked));
  if (s == NULL)
    s = &set[t->lookups_replaced++ % lookup_ways];
  s->epoch = asked;
  s->module = module;
  s->function = function;
  s->address = name;
  memcpy(s->name, name, n + 1);
}

/* Owners of a noted reference. A state is one of these plus a multiple of ref_states, which
 * is the note's serial number. */
enum {
  ref_none = 0,
  ref_program = 1,
  ref_thread = 2,
  ref_comparing = 3, /* the thread's, in lookup_module */
  ref_states = 4
};

static uint64_t losses;

uint64_t lookup_losses(void) {
  return __atomic_load_n(&losses, __ATOMIC_SEQ_CST);
}

/* Gives a reference to another owner, unless its state differs from seen. */
static bool ref_move(struct module_ref *r, uint64_t seen, uint64_t owner) {
  return __atomic_compare_exchange_n(&r->state, &seen,
                                     seen / ref_states * ref_states + owner,
                                     false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
}

/* Reports whether the reference is to the module and belongs to owner. Sets seen for
 * ref_move. */
static bool ref_matches(struct module_ref *r, uintptr_t module, uint64_t owner,
                        uint64_t *seen) {
  *seen = __atomic_load_n(&r->state, __ATOMIC_ACQUIRE);
  return *seen % ref_states == owner &&
         __atomic_load_n(&r->module, __ATOMIC_RELAXED) == module;
}

/* Gives one reference to the module, among a thread's notes, to another owner. Begins with
 * the note that the thread used last. */
static bool ref_move_one(struct thread *t, uintptr_t module, uint64_t from,
                         uint64_t to) {
  uint64_t seen;
  uint32_t last = __atomic_load_n(&t->module_last, __ATOMIC_RELAXED);
  for (uint32_t i = 0; i < module_refs; i++) {
    struct module_ref *r = &t->modules[(last + i) % module_refs];
    if (ref_matches(r, module, from, &seen) && ref_move(r, seen, to))
      return true;
  }
  return false;
}

static bool ref_move_any(uintptr_t module, uint64_t from, uint64_t to) {
  for (struct thread *t = threads_all(); t != NULL; t = t->next)
    if (ref_move_one(t, module, from, to))
      return true;
  return false;
}

uintptr_t lookup_module(uintptr_t address, int32_t opt,
                        bool (*holds)(uintptr_t, uintptr_t, size_t)) {
  struct thread *t = this_thread;
  uint32_t last = t->module_last;
  for (uint32_t i = 0; i < module_refs; i++) {
    uint32_t n = (last + i) % module_refs;
    struct module_ref *r = &t->modules[n];
    uint64_t seen;
    if (r->address != address || r->opt != opt ||
        !ref_matches(r, r->module, ref_thread, &seen) ||
        !ref_move(r, seen, ref_comparing))
      continue;
    seen = seen / ref_states * ref_states + ref_comparing;
    bool same = holds(address, r->image.copy, r->image.length);
    if (ref_move(r, seen, same ? ref_program : ref_thread) && same) {
      __atomic_store_n(&t->module_last, n, __ATOMIC_RELAXED);
      return r->module;
    }
  }
  return 0;
}

/* Frees a note of the calling thread for another module: an unused one, or one whose
 * reference belongs to the program, or the one after the last used. Sets released to the
 * note's module if the reference belonged to the thread. NULL: other threads changed all
 * notes meanwhile. */
static struct module_ref *ref_free(struct thread *t, uintptr_t *released) {
  static const uint64_t order[] = {ref_none, ref_program, ref_thread,
                                   ref_comparing};
  for (size_t o = 0; o < sizeof order / sizeof *order; o++)
    for (uint32_t i = 1; i <= module_refs; i++) {
      uint32_t n = (t->module_last + i) % module_refs;
      struct module_ref *r = &t->modules[n];
      uint64_t seen = __atomic_load_n(&r->state, __ATOMIC_ACQUIRE);
      if (seen % ref_states != order[o] || !ref_move(r, seen, ref_none))
        continue;
      if (order[o] >= ref_thread)
        *released = r->module;
      __atomic_store_n(&t->module_last, n, __ATOMIC_RELAXED);
      return r;
    }
  return NULL;
}

uintptr_t lookup_store_module(uint64_t asked, uintptr_t address, int32_t opt,
                              struct loaded_image image, uintptr_t module) {
  uintptr_t released = 0;
  struct module_ref *r =
      lookup_epoch() == 0 ? NULL : ref_free(this_thread, &released);
  if (r == NULL)
    return 0;
  r->address = address;
  r->opt = opt;
  r->image = image;
  __atomic_store_n(&r->module, module, __ATOMIC_RELAXED);
  /* The next serial number, so that other threads do not take this note for an older one. */
  uint64_t state =
      __atomic_load_n(&r->state, __ATOMIC_RELAXED) / ref_states * ref_states +
      ref_states + ref_program;
  __atomic_store_n(&r->state, state, __ATOMIC_SEQ_CST);
  /* Lost since it was loaded: the thread that lost it may have passed this note already. */
  if (lookup_losses() != asked)
    ref_move(r, state, ref_none);
  return released;
}

bool lookup_keep_module(uintptr_t module) {
  if (module == 0 || lookup_epoch() == 0)
    return false;
  return ref_move_one(this_thread, module, ref_program, ref_thread) ||
         ref_move_any(module, ref_program, ref_thread);
}

bool lookup_release_module(uintptr_t module) {
  return module != 0 && ref_move_any(module, ref_thread, ref_none);
}

bool lookup_lose_module(uintptr_t module) {
  bool comparing = false;
  __atomic_add_fetch(&losses, 1, __ATOMIC_SEQ_CST);
  for (struct thread *t = threads_all(); t != NULL; t = t->next)
    for (struct module_ref *r = t->modules; r < t->modules + module_refs; r++) {
      uint64_t seen = __atomic_load_n(&r->state, __ATOMIC_SEQ_CST);
      while (seen % ref_states != ref_none &&
             __atomic_load_n(&r->module, __ATOMIC_RELAXED) == module) {
        if (ref_move(r, seen, ref_none)) {
          comparing |= seen % ref_states == ref_comparing;
          break;
        }
        seen = __atomic_load_n(&r->state, __ATOMIC_SEQ_CST);
      }
    }
  return comparing;
}
