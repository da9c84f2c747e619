/* The order of work. */
#ifndef FAKEHIP_ORDER_H
#define FAKEHIP_ORDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../kernel.h"

struct stream;
struct block;

/* A point in a stream: the end of the work with a number. */
struct mark {
  struct stream *stream; /* with a reference */
  uint64_t number;
};

/* A set of points, at most one per stream. Zero is the empty set. */
struct clock {
  struct mark *mark;
  size_t n, room;
};

/* Adds a point. Points that are reached are removed, now or later. */
void clock_add(struct clock *c, struct stream *s, uint64_t number);
void clock_join(struct clock *c, const struct clock *other);
bool clock_has(const struct clock *c, const struct stream *s, uint64_t number);
void clock_clear(struct clock *c);

/* Waits until all points are reached. */
void clock_wait(const struct clock *c);
bool clock_reached(const struct clock *c);

/* Memory that a piece of work uses. */
struct touch {
  struct block *block;
  uint64_t from, to; /* offsets in the block */
  enum use use;
};

/* A use of a block by work that may still be pending. */
struct usage {
  struct mark mark;
  uint64_t from, to;
  enum use use;
  const char *name; /* lives as long as the library */
};

struct usages {
  struct usage *usage;
  size_t n, room;
};

/* Notes that work of a stream uses a block. A violation where other work uses it at the same time, in a way that does not go
 * together, and nothing orders the two; before is what is done before the work. */
void order_use(const struct touch *t, struct stream *s, uint64_t number,
               const struct clock *before, const char *name);

/* Returns the name of pending work that uses a block, NULL if there is none. */
const char *order_pending(struct block *b);

void usages_clear(struct usages *u);

#endif
