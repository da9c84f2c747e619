#define _GNU_SOURCE
#include "blocks.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "device.h"

/* Number of freed blocks that the table remembers. */
enum { most_freed = 4096 };

static const uint64_t page = 4096;

/* A range of a device's addresses, which have no memory. */
struct range {
  uint64_t begin, end, next;
};

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static struct block **table; /* under lock, with all below */
static size_t n, room, freed;
static struct range range[most_devices];

/* Returns the first block that ends past an address. */
static size_t first_behind(uint64_t address) {
  size_t low = 0, high = n;
  while (low < high) {
    size_t mid = (low + high) / 2;
    if (table[mid]->address + table[mid]->size <= address)
      low = mid + 1;
    else
      high = mid;
  }
  return low;
}

static void insert(size_t at, struct block *b) {
  if (n == room) {
    room = room ? 2 * room : 256;
    if (!(table = realloc(table, room * sizeof *table)))
      abort();
  }
  memmove(table + at + 1, table + at, (n - at) * sizeof *table);
  table[at] = b;
  n++;
  atomic_fetch_add(&b->references, 1);
}

static void forget_freed(void) {
  size_t kept = 0;
  for (size_t i = 0; i < n; i++) {
    if (atomic_load(&table[i]->state) == state_freed)
      memory_release(table[i]);
    else
      table[kept++] = table[i];
  }
  n = kept;
  freed = 0;
}

static void reserve(struct range *r) {
  for (uint64_t size = (uint64_t)256 << 30; size >= (uint64_t)1 << 30;
       size /= 2) {
    void *p = mmap(NULL, size, PROT_NONE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (p != MAP_FAILED) {
      *r = (struct range){(uint64_t)(uintptr_t)p, (uint64_t)(uintptr_t)p + size,
                          (uint64_t)(uintptr_t)p};
      return;
    }
  }
}

/* Returns the first free range from an address on, 0 if there is none. A page stays free after each block. */
static uint64_t place_from(const struct range *r, uint64_t address,
                           uint64_t size) {
  for (size_t i = first_behind(address);
       size <= r->end - r->begin && address + size <= r->end; i++) {
    if (i == n || table[i]->address >= address + size)
      return address;
    address = (table[i]->address + table[i]->size + 2 * page - 1) & ~(page - 1);
  }
  return 0;
}

bool blocks_place(struct block *b) {
  uint64_t size = (b->size + 2 * page - 1) & ~(page - 1);
  pthread_rwlock_wrlock(&lock);
  struct range *r = &range[b->device];
  if (!r->begin)
    reserve(r);
  uint64_t at = r->begin ? place_from(r, r->next, size) : 0;
  if (!at && r->begin) {
    forget_freed();
    at = place_from(r, r->begin, size);
  }
  if (at) {
    r->next = at + size;
    b->address = at;
    insert(first_behind(at), b);
  }
  pthread_rwlock_unlock(&lock);
  return at != 0;
}

bool blocks_enter(struct block *b) {
  pthread_rwlock_wrlock(&lock);
  size_t at = first_behind(b->address);
  bool fits = at == n || table[at]->address >= b->address + b->size;
  if (fits)
    insert(at, b);
  pthread_rwlock_unlock(&lock);
  return fits;
}

void blocks_remove(struct block *b) {
  pthread_rwlock_wrlock(&lock);
  atomic_store(&b->state, state_freed);
  if (b->place <= place_variable) {
    if (++freed > most_freed)
      forget_freed();
  } else {
    size_t at = first_behind(b->address);
    memmove(table + at, table + at + 1, (--n - at) * sizeof *table);
    memory_release(b);
  }
  pthread_rwlock_unlock(&lock);
}

struct block *blocks_find(uint64_t address) {
  pthread_rwlock_rdlock(&lock);
  size_t at = first_behind(address);
  struct block *b = at < n && table[at]->address <= address ? table[at] : NULL;
  if (b)
    atomic_fetch_add(&b->references, 1);
  pthread_rwlock_unlock(&lock);
  return b;
}

bool blocks_reserved(uint64_t address) {
  bool is = false;
  pthread_rwlock_rdlock(&lock);
  for (int i = 0; i < most_devices && !is; i++)
    is = range[i].begin <= address && address < range[i].end;
  pthread_rwlock_unlock(&lock);
  return is;
}

void blocks_each(void (*f)(struct block *, void *), void *arg) {
  pthread_rwlock_rdlock(&lock);
  for (size_t i = 0; i < n; i++)
    if (atomic_load(&table[i]->state) != state_freed)
      f(table[i], arg);
  pthread_rwlock_unlock(&lock);
}
