/* Options in the environment. */
#ifndef FAKEHIP_OPTION_H
#define FAKEHIP_OPTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Reports whether an option is 1. */
bool option_set(const char *name);

/* The number that an option gives, with K, M or G after it; otherwise what is usual. A line on stderr and the process's
 * end where it is not a number. */
uint64_t option_number(const char *name, uint64_t usual);

/* The items of a text that commas separate: for (struct list l = list_of(text); list_next(&l);) use(l.item, l.length). */
struct list {
  const char *item;
  size_t length;
  const char *rest;
};

struct list list_of(const char *text);
bool list_next(struct list *l);

#endif
