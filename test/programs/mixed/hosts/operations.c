/* The table of operations, and what they share. */
#include "operations.h"

const char *const kind_names[block_kinds] = {"nothing",
                                             "mgpuMemAlloc",
                                             "mgpuMemAlloc, shared",
                                             "hipMalloc",
                                             "hipMallocManaged",
                                             "hipHostMalloc",
                                             "mgpuMemHostRegister",
                                             "hipHostRegister",
                                             "malloc",
                                             "a variable"};

bool host_may(const struct block *b) {
  return b->host && (b->use.stream == 0 || b->use.freed);
}

bool hip_may(uint32_t which) { return (which & 1) && !world.region; }

bool hip_works(uint32_t which) {
  return hip_may(which) && !options.no_vendor_work;
}

bool hip_ends(bool made_by_hip, uint32_t which) {
  return options.no_vendor_ends ? made_by_hip : hip_may(which);
}

struct block *block_in(uint32_t slot) {
  struct block *b = &world.block[slot % block_slots];
  return b->kind ? b : NULL;
}

int slot_of(const struct block *b) { return (int)(b - world.block); }

struct block *any_in(uint32_t slot) {
  slot %= all_slots;
  if (slot < block_slots)
    return block_in(slot);
  struct module *m = &world.module[(slot - block_slots) / 2];
  struct block *b = slot % 2 ? &m->table : &m->counter;
  return m->live && b->kind ? b : NULL;
}

static uint32_t any_slot(const struct block *b) {
  if (b >= world.block && b < world.block + block_slots)
    return (uint32_t)slot_of(b);
  uint32_t slot = block_slots;
  while (slot < all_slots && any_in(slot) != b)
    slot++;
  return slot;
}

void name_block(const struct block *b) {
  world.recent_block = any_slot(b);
  for (int i = 0; i < module_slots; i++)
    if (b == &world.module[i].table || b == &world.module[i].counter)
      say("%s of module %d", b == &world.module[i].table ? "table" : "counter",
          i);
  if (b >= world.block && b < world.block + block_slots)
    say("block %d (%s)", slot_of(b), kind_names[b->kind]);
}

void name_stream(const struct stream *s, bool by_hip) {
  world.recent_stream =
      s->handle ? (uint32_t)(s - world.stream) : stream_slots - 1;
  if (!s->handle)
    say(" on the default stream");
  else
    say(" on stream %d (%u, %s)", (int)(s - world.stream), s->id,
        s->by_hip ? "HIP's" : "mgpu's");
  say(by_hip ? " by HIP" : " by mgpu");
}

void use_block(struct block *b, struct stream *s, bool by_hip) {
  use(&b->use, s, by_hip);
  if (by_hip && b->host && !s->by_hip)
    use_unseen(&b->use);
}

void put(struct block *b, uint32_t at, uint32_t n, uint32_t value) {
  for (uint32_t i = at; i < at + n; i++)
    b->model[i] = value;
}

#define O(name, weight, part, chooses)                                         \
  {#name, weight, part, chooses, op_##name},
const struct operation_kind operation_kinds[] = {OPERATIONS};
#undef O
const int operations = sizeof operation_kinds / sizeof *operation_kinds;
