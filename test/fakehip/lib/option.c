#include "option.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool option_set(const char *name) {
  const char *text = getenv(name);
  return text && strcmp(text, "1") == 0;
}

uint64_t option_number(const char *name, uint64_t usual) {
  const char *text = getenv(name);
  if (!text || !*text)
    return usual;
  static const char unit[] = "KMG";
  char *end;
  uint64_t n = strtoull(text, &end, 10);
  const char *u = *end ? strchr(unit, *end) : NULL;
  if (u) {
    n <<= 10 * (u - unit + 1);
    end++;
  }
  if (end == text || *end) {
    fprintf(stderr, "fakehip: %s=%s is not a number\n", name, text);
    exit(2);
  }
  return n;
}

struct list list_of(const char *text) {
  return (struct list){.rest = text && *text ? text : NULL};
}

bool list_next(struct list *l) {
  if (!l->rest)
    return false;
  const char *comma = strchr(l->rest, ',');
  l->item = l->rest;
  l->length = comma ? (size_t)(comma - l->rest) : strlen(l->rest);
  l->rest = comma ? comma + 1 : NULL;
  return true;
}
