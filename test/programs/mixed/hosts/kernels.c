/* kernels.hip for the HIP library for tests. */
#include "../../../fakehip/kernel.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#ifndef IMAGE
#define IMAGE 0
#endif

#define T(i) 100 * (IMAGE + 1) + i
#define C(i) 7 * (IMAGE + 1) + i
#define ALL(x)                                                                 \
  {x(0), x(1), x(2),  x(3),  x(4),  x(5),  x(6),  x(7),                        \
   x(8), x(9), x(10), x(11), x(12), x(13), x(14), x(15)}

#if IMAGE > 0
VARIABLE(uint32_t, table, 16) = ALL(T);
#else
static const uint32_t table[16] = ALL(T);
#endif
#if IMAGE > 1
VARIABLE(uint32_t, counter, 16) = ALL(C);
#else
static const uint32_t counter[16] = ALL(C);
#endif

KERNEL(step, INOUT, VALUE(4), VALUE(4)) {
  uint32_t n = ARG(uint32_t, 1), *p = MEMORY(uint32_t, 0, n);
  for (uint32_t i = FIRST(l); i < AFTER(l) && i < n; i++)
    p[i] = p[i] * 3 + ARG(uint32_t, 2);
}

KERNEL(look, OUT, VALUE(4)) {
  uint32_t n = ARG(uint32_t, 1), *p = MEMORY(uint32_t, 0, n);
  for (uint32_t i = FIRST(l); i < AFTER(l) && i < n; i++)
    p[i] = table[i & 15] * 1000 + counter[i & 15];
}

KERNEL(bump, VALUE(8), VALUE(4)) {
#if IMAGE > 1
  for (uint32_t i = FIRST(l); i < AFTER(l) && i < 16; i++)
    counter[i] += ARG(uint32_t, 1);
#endif
}

/* Writes a line to the file whose number the host has put into the environment. */
KERNEL(print, VALUE(4)) {
  dprintf(atoi(getenv("MIXED_PRINTS")), "%u\n", ARG(uint32_t, 0));
}

/* As long as on the software GPU, about. */
KERNEL(spin, VALUE(8), VALUE(4)) {
  struct timespec t = {0, (long)ARG(uint32_t, 1) * 60};
  nanosleep(&t, NULL);
}
