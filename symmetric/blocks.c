/* Blocks of a heap, allocated first fit. Ranks that make the same calls get the same
 * offsets. */
#include "symmetric.h"

#include <stdlib.h>

enum { ALIGNMENT = 256 };

struct block {
  uint64_t offset, bytes;
  bool used;
  struct block *next; /* by ascending offset, without gaps */
};

struct blocks {
  struct block *first;
};

static struct block *block_make(uint64_t offset, uint64_t bytes,
                                struct block *next) {
  struct block *b = malloc(sizeof *b);
  if (b)
    *b = (struct block){offset, bytes, false, next};
  return b;
}

struct blocks *blocks_make(uint64_t bytes) {
  struct blocks *b = malloc(sizeof *b);
  if (b && !(b->first = block_make(0, bytes, NULL))) {
    free(b);
    return NULL;
  }
  return b;
}

void blocks_end(struct blocks *b) {
  for (struct block *at = b->first, *next; at; at = next) {
    next = at->next;
    free(at);
  }
  free(b);
}

uint64_t blocks_take(struct blocks *b, uint64_t bytes) {
  if (bytes > UINT64_MAX - ALIGNMENT)
    return UINT64_MAX;
  bytes = (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  for (struct block *at = b->first; at; at = at->next) {
    if (at->used || at->bytes < bytes)
      continue;
    if (at->bytes > bytes) {
      struct block *rest =
          block_make(at->offset + bytes, at->bytes - bytes, at->next);
      if (!rest)
        return UINT64_MAX;
      at->next = rest;
      at->bytes = bytes;
    }
    at->used = true;
    return at->offset;
  }
  return UINT64_MAX;
}

/* Joins a free block with the free one that follows it. */
static void join(struct block *b) {
  struct block *next = b->next;
  if (b->used || !next || next->used)
    return;
  b->bytes += next->bytes;
  b->next = next->next;
  free(next);
}

bool blocks_give(struct blocks *b, uint64_t offset) {
  struct block *before = NULL;
  for (struct block *at = b->first; at && at->offset <= offset;
       before = at, at = at->next) {
    if (at->offset != offset || !at->used)
      continue;
    at->used = false;
    join(at);
    if (before)
      join(before);
    return true;
  }
  return false;
}
