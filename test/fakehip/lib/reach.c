/* Access to memory: which side may use which. */
#include "blocks.h"
#include "real.h"
#include "violation.h"

#include "../fakehip.h"
#include "object.h"

#include <string.h>

/* Reports whether a range in a block goes past its end. */
static bool beyond(const struct block *b, uint64_t address, uint64_t bytes) {
  return bytes > b->size - (address - b->address);
}

static bool within(const struct block *b, uint64_t address, uint64_t bytes) {
  if (atomic_load(&b->state) == state_freed)
    violation(violation_memory,
              "%#llx was freed: it is in the block of call %llu of %s",
              (unsigned long long)address, (unsigned long long)b->made_by,
              call_name[b->maker]);
  else if (beyond(b, address, bytes))
    violation(violation_memory,
              "%llu bytes at %#llx end beyond the block of %llu bytes at %#llx",
              (unsigned long long)bytes, (unsigned long long)address,
              (unsigned long long)b->size, (unsigned long long)b->address);
  else
    return true;
  return false;
}

struct block *memory_take(uint64_t address, uint64_t bytes, bool *wrong) {
  struct block *b = blocks_find(address);
  *wrong = false;
  if (!b) {
    *wrong = blocks_reserved(address);
    if (*wrong)
      violation(violation_memory,
                "%#llx is device memory that is not allocated",
                (unsigned long long)address);
    return NULL;
  }
  bool freeing = atomic_load(&b->state) == state_freeing;
  if (freeing)
    violation(violation_memory, "%#llx is being freed by another thread",
              (unsigned long long)address);
  if (!freeing && within(b, address, bytes))
    return b;
  memory_release(b);
  /* Registered memory is the program's beyond its end, too. */
  *wrong = true;
  return NULL;
}

struct block *memory_at(uint64_t address) {
  struct block *b = blocks_find(address);
  if (b && atomic_load(&b->state) != state_live) {
    memory_release(b);
    return NULL;
  }
  return b;
}

void *memory_for_kernel(int device, uint64_t address, uint64_t bytes) {
  struct block *b = blocks_find(address);
  char *host = NULL;
  if (!b)
    violation(violation_memory, "%llu bytes at %#llx are in no block",
              (unsigned long long)bytes, (unsigned long long)address);
  else if (b->place <= place_variable && b->device != device)
    violation(violation_device,
              "%#llx is memory of device %d, and the kernel runs on device %d",
              (unsigned long long)address, b->device, device);
  else if (within(b, address, bytes))
    host = b->host + (address - b->address);
  if (b)
    memory_release(b);
  return host;
}

static void forgive(void *p) {
  struct block *b = memory_at((uint64_t)(uintptr_t)p);
  if (!b)
    return;
  b->forgiven = true;
  memory_release(b);
}

void forgive_hipFree(void *p) { forgive(p); }
void forgive_hipHostFree(void *p) { forgive(p); }
void forgive_hipHostUnregister(void *p) { forgive(p); }

/* Blocks that live, by whether they are registered memory. */
struct census {
  uint64_t n[2], bytes[2];
  const struct block *first[2];
  bool leaks;
};

static void count(struct block *b, void *arg) {
  struct census *c = arg;
  int registered = b->place == place_registered;
  if (b->place == place_variable || (c->leaks && b->forgiven))
    return;
  if (c->n[registered]++ == 0)
    c->first[registered] = b;
  c->bytes[registered] += b->size;
}

void memory_report_leaks(void) {
  struct census c = {.leaks = true};
  blocks_each(count, &c);
  if (c.n[0] != 0)
    violation(
        violation_leak,
        "%llu bytes in %llu blocks never freed, the first from call %llu of %s",
        (unsigned long long)c.bytes[0], (unsigned long long)c.n[0],
        (unsigned long long)c.first[0]->made_by, call_name[c.first[0]->maker]);
  if (c.n[1] != 0)
    violation(violation_leak,
              "%llu pieces of host memory never unregistered, the first from "
              "call %llu of hipHostRegister",
              (unsigned long long)c.n[1],
              (unsigned long long)c.first[1]->made_by);
}

uint64_t fakehip_live(const char *what) {
  struct census c = {0};
  blocks_each(count, &c);
  if (strcmp(what, "memory") == 0 || strcmp(what, "registration") == 0)
    return c.n[*what == 'r'];
  for (enum kind kind = 0; kind < kinds; kind++)
    if (strcmp(what, kind_name[kind]) == 0)
      return object_live(kind);
  return 0;
}
