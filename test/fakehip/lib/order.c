#include "order.h"

#include <stdlib.h>

#include "memory.h"
#include "stream.h"
#include "violation.h"

static bool reached(const struct mark *m) {
  return atomic_load(&m->stream->finished) >= m->number;
}

/* Removes the points that are reached. */
static void prune(struct clock *c) {
  size_t kept = 0;
  for (size_t i = 0; i < c->n; i++) {
    if (reached(&c->mark[i]))
      stream_release(c->mark[i].stream);
    else
      c->mark[kept++] = c->mark[i];
  }
  c->n = kept;
}

/* Makes room for one more element in an array. */
static void *grown(void *array, size_t n, size_t *room, size_t size) {
  if (n < *room)
    return array;
  *room = *room ? 2 * *room : 4;
  void *larger = realloc(array, *room * size);
  if (!larger)
    abort();
  return larger;
}

void clock_add(struct clock *c, struct stream *s, uint64_t number) {
  struct mark m = {s, number};
  if (reached(&m))
    return;
  for (size_t i = 0; i < c->n; i++)
    if (c->mark[i].stream == s) {
      if (c->mark[i].number < number)
        c->mark[i].number = number;
      return;
    }
  if (c->n == c->room)
    prune(c);
  c->mark = grown(c->mark, c->n, &c->room, sizeof *c->mark);
  object_hold(&s->object);
  c->mark[c->n++] = m;
}

void clock_join(struct clock *c, const struct clock *other) {
  for (size_t i = 0; i < other->n; i++)
    clock_add(c, other->mark[i].stream, other->mark[i].number);
}

bool clock_has(const struct clock *c, const struct stream *s, uint64_t number) {
  for (size_t i = 0; i < c->n; i++)
    if (c->mark[i].stream == s)
      return c->mark[i].number >= number;
  return false;
}

void clock_clear(struct clock *c) {
  for (size_t i = 0; i < c->n; i++)
    stream_release(c->mark[i].stream);
  free(c->mark);
  *c = (struct clock){0};
}

void clock_wait(const struct clock *c) {
  for (size_t i = 0; i < c->n; i++)
    stream_wait(c->mark[i].stream, c->mark[i].number);
}

bool clock_reached(const struct clock *c) {
  for (size_t i = 0; i < c->n; i++)
    if (!reached(&c->mark[i]))
      return false;
  return true;
}

static bool writes(enum use use) {
  return use == USE_OUT || use == USE_INOUT || use == USE_FLAG;
}
static bool atomically(enum use use) {
  return use == USE_FLAG || use == USE_PEEK;
}

static bool conflict(const struct usage *u, const struct touch *t) {
  return u->from < t->to && t->from < u->to &&
         (writes(u->use) || writes(t->use)) &&
         !(atomically(u->use) && atomically(t->use));
}

static void usages_prune(struct usages *u) {
  size_t kept = 0;
  for (size_t i = 0; i < u->n; i++) {
    if (reached(&u->usage[i].mark))
      stream_release(u->usage[i].mark.stream);
    else
      u->usage[kept++] = u->usage[i];
  }
  u->n = kept;
}

/* Notes a use, or finds the note of earlier work of the stream. */
static void note(struct usages *all, const struct touch *t, struct stream *s,
                 uint64_t number, const char *name) {
  for (size_t i = 0; i < all->n; i++) {
    struct usage *u = &all->usage[i];
    if (u->mark.stream == s && u->use == t->use && u->from == t->from &&
        u->to == t->to) {
      u->mark.number = number;
      u->name = name;
      return;
    }
  }
  all->usage = grown(all->usage, all->n, &all->room, sizeof *all->usage);
  object_hold(&s->object);
  all->usage[all->n++] =
      (struct usage){{s, number}, t->from, t->to, t->use, name};
}

void order_use(const struct touch *t, struct stream *s, uint64_t number,
               const struct clock *before, const char *name) {
  if (!violation_wanted(violation_order) || t->from == t->to)
    return;
  struct block *b = t->block;
  pthread_mutex_lock(&b->lock);
  usages_prune(&b->usages);
  for (size_t i = 0; i < b->usages.n; i++) {
    const struct usage *u = &b->usages.usage[i];
    if (u->mark.stream == s || !conflict(u, t) ||
        clock_has(before, u->mark.stream, u->mark.number) || reached(&u->mark))
      continue;
    violation(violation_order,
              "%s on stream %#llx uses %#llx, which %s, submitted earlier on "
              "stream %#llx, still uses",
              name, (unsigned long long)s->object.handle,
              (unsigned long long)b->address, u->name,
              (unsigned long long)u->mark.stream->object.handle);
    break;
  }
  note(&b->usages, t, s, number, name);
  pthread_mutex_unlock(&b->lock);
}

const char *order_pending(struct block *b) {
  pthread_mutex_lock(&b->lock);
  usages_prune(&b->usages);
  const char *name = b->usages.n ? b->usages.usage[0].name : NULL;
  pthread_mutex_unlock(&b->lock);
  return name;
}

void usages_clear(struct usages *u) {
  for (size_t i = 0; i < u->n; i++)
    stream_release(u->usage[i].mark.stream);
  free(u->usage);
  *u = (struct usages){0};
}
