#include "cost.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../fakehip.h"
#include "option.h"

/* Times that users measured. */
static const struct {
  const char *name, *costs;
} preset[] = {
    {"gfx906", "hipStreamCreate=5000us,hipStreamCreateWithFlags=5000us,"
               "hipModuleLoadData=1500us,hipStreamDestroy=900us"},
    {"mi300x", "hipStreamCreate=3400us,hipStreamCreateWithFlags=3400us"},
};

/* A wait stops sleeping this long before its end, since sleeps end late by about as much. */
enum { spin_ns = 80 * 1000 };

static _Atomic uint64_t cost_ns[call_functions];

static uint64_t now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

void cost_charge(enum function f) {
  uint64_t ns = atomic_load_explicit(&cost_ns[f], memory_order_relaxed);
  if (ns == 0)
    return;
  uint64_t end = now() + ns;
  if (ns > spin_ns) {
    uint64_t until = end - spin_ns;
    struct timespec t = {(time_t)(until / 1000000000u),
                         (long)(until % 1000000000u)};
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL) != 0)
      continue;
  }
  while (now() < end)
    continue;
}

static const char *read_cost(const char *text, size_t length, uint64_t *fresh) {
  const char *end = text + length, *equals = memchr(text, '=', length);
  if (!equals)
    return "neither a preset nor function=microseconds";
  enum function f = call_find(text, (size_t)(equals - text));
  if (f == call_functions)
    return "no such function";
  char *after;
  double us = strtod(equals + 1, &after);
  if (end - after == 2 && memcmp(after, "us", 2) == 0)
    after += 2;
  if (after == equals + 1 || after != end || !(us >= 0 && us <= 60e6))
    return "no number of microseconds, a minute at most";
  fresh[f] = (uint64_t)(us * 1000);
  return NULL;
}

static int read_costs(const char *text, uint64_t *fresh) {
  for (struct list l = list_of(text); list_next(&l);) {
    const char *of_preset = NULL;
    for (size_t i = 0; i < sizeof preset / sizeof *preset; i++)
      if (strlen(preset[i].name) == l.length &&
          memcmp(preset[i].name, l.item, l.length) == 0)
        of_preset = preset[i].costs;
    if (of_preset) {
      read_costs(of_preset, fresh);
      continue;
    }
    const char *wrong = read_cost(l.item, l.length, fresh);
    if (wrong) {
      fprintf(stderr, "fakehip: cost %.*s: %s\n", (int)l.length, l.item, wrong);
      return -1;
    }
  }
  return 0;
}

int fakehip_costs(const char *text) {
  uint64_t fresh[call_functions] = {0};
  if (read_costs(text, fresh) != 0)
    return -1;
  for (enum function f = 0; f < call_functions; f++)
    atomic_store(&cost_ns[f], fresh[f]);
  return 0;
}

void cost_configure(void) {
  if (fakehip_costs(getenv("FAKEHIP_COSTS")) != 0)
    exit(2);
}
