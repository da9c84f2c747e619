#include "violation.h"

#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../fakehip.h"
#include "call.h"
#include "option.h"

static const char *const name[violation_kinds] = {
    "argument", "device", "fork", "handle", "image", "leak", "memory", "order"};

static bool ignored[violation_kinds];
static _Atomic uint64_t count[violation_kinds];

void violation(enum violation kind, const char *format, ...) {
  if (ignored[kind])
    return;
  atomic_fetch_add(&count[kind], 1);
  char line[512];
  int n = snprintf(line, sizeof line, "fakehip: %s: %s: ", name[kind],
                   call_current);
  va_list args;
  va_start(args, format);
  vsnprintf(line + n, sizeof line - (size_t)n, format, args);
  va_end(args);
  fprintf(stderr, "%s\n", line);
}

bool violation_wanted(enum violation kind) { return !ignored[kind]; }

uint64_t violation_count(void) {
  uint64_t n = 0;
  for (int kind = 0; kind < violation_kinds; kind++)
    n += atomic_load(&count[kind]);
  return n;
}

uint64_t fakehip_violations(const char *kind) {
  for (int k = 0; kind && k < violation_kinds; k++)
    if (strcmp(name[k], kind) == 0)
      return atomic_load(&count[k]);
  return kind ? 0 : violation_count();
}

void violation_configure(void) {
  for (struct list l = list_of(getenv("FAKEHIP_IGNORE")); list_next(&l);) {
    int kind = 0;
    while (kind < violation_kinds &&
           (strlen(name[kind]) != l.length ||
            memcmp(name[kind], l.item, l.length) != 0))
      kind++;
    if (kind == violation_kinds) {
      fprintf(stderr,
              "fakehip: FAKEHIP_IGNORE: there are no violations called %.*s\n",
              (int)l.length, l.item);
      exit(2);
    }
    ignored[kind] = true;
  }
}
