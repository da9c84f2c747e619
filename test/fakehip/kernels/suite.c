/* The kernels of the conformance suite; drivertest.Images says what each does. OTHER is 1 in the second module. */
#include "../kernel.h"

#include <sched.h>

#ifndef OTHER
#define OTHER 0
#endif

KERNEL(empty, NOTHING) {}

KERNEL(fill, OUT, VALUE(4), VALUE(4)) {
  uint32_t n = ARG(uint32_t, 2), *out = MEMORY(uint32_t, 0, n);
  for (uint32_t i = FIRST(l); i < AFTER(l) && i < n; i++)
    out[i] = ARG(uint32_t, 1) + OTHER;
}

KERNEL(vector_add, IN, IN, OUT, VALUE(4)) {
  uint32_t n = ARG(uint32_t, 3);
  const float *a = MEMORY(float, 0, n), *b = MEMORY(float, 1, n);
  float *out = MEMORY(float, 2, n);
  for (uint32_t i = FIRST(l); i < AFTER(l) && i < n; i++)
    out[i] = a[i] + b[i];
}

KERNEL(step, INOUT, VALUE(4)) {
  uint32_t n = ARG(uint32_t, 1), *out = MEMORY(uint32_t, 0, n);
  for (uint32_t i = FIRST(l); i < AFTER(l) && i < n; i++)
    out[i] = 3 * out[i] + 1;
}

KERNEL(indices, OUT) {
  uint64_t size[3], items = 1;
  for (int k = 0; k < 3; k++)
    items *= size[k] = (uint64_t)l->grid[k] * l->block[k];
  uint32_t *out = MEMORY(uint32_t, 0, 12 * items);
  uint32_t item[3];
  for (item[2] = 0; item[2] < l->block[2]; item[2]++)
    for (item[1] = 0; item[1] < l->block[1]; item[1]++)
      for (item[0] = 0; item[0] < l->block[0]; item[0]++) {
        uint64_t at[3];
        for (int k = 0; k < 3; k++)
          at[k] = (uint64_t)l->group[k] * l->block[k] + item[k];
        uint32_t *mine =
            out + 12 * ((at[2] * size[1] + at[1]) * size[0] + at[0]);
        for (int k = 0; k < 3; k++) {
          mine[k] = l->group[k];
          mine[3 + k] = l->block[k];
          mine[6 + k] = item[k];
          mine[9 + k] = (uint32_t)size[k];
        }
      }
}

static void publish(uint32_t *at, uint32_t value) {
  __atomic_store_n(at, value, __ATOMIC_SEQ_CST);
}

static uint32_t wait_for(uint32_t *flag, uint32_t n) {
  for (uint32_t i = 0; i < n; i++) {
    if (__atomic_load_n(flag, __ATOMIC_SEQ_CST))
      return 2;
    sched_yield();
  }
  return 3;
}

KERNEL(spin_until, FLAG, FLAG, VALUE(4)) {
  uint32_t *flag = MEMORY(uint32_t, 0, 1), *reached = MEMORY(uint32_t, 1, 1);
  publish(reached, 1);
  publish(reached, wait_for(flag, ARG(uint32_t, 2)));
}

KERNEL(meet, FLAG, FLAG, FLAG, VALUE(4)) {
  uint32_t *mine = MEMORY(uint32_t, 0, 1), *other = MEMORY(uint32_t, 1, 1),
           *out = MEMORY(uint32_t, 2, 1);
  publish(mine, 1);
  publish(out, wait_for(other, ARG(uint32_t, 3)));
}

/* Two loops, with the barrier between them. */
KERNEL(reverse_shared, INOUT) {
  uint32_t n = l->block[0], *shared = l->shared;
  uint32_t *mine = (uint32_t *)MEMORY(uint32_t, 0, (uint64_t)l->grid[0] * n) +
                   (uint64_t)l->group[0] * n;
  for (uint32_t i = 0; i < n; i++)
    shared[i] = mine[i];
  for (uint32_t i = 0; i < n; i++)
    mine[i] = shared[n - 1 - i];
}

KERNEL(scalars, VALUE(1), VALUE(2), VALUE(4), VALUE(8), VALUE(4), VALUE(8),
       OUT) {
  uint64_t *out = MEMORY(uint64_t, 6, 6);
  out[0] = ARG(uint8_t, 0);
  out[1] = ARG(uint16_t, 1);
  out[2] = ARG(uint32_t, 2);
  out[3] = ARG(uint64_t, 3);
  out[4] = ARG(uint32_t, 4);
  out[5] = ARG(uint64_t, 5);
}

KERNEL(store_to, VALUE(8)) {
  uint32_t *at = MEMORY(uint32_t, 0, 1);
  *at = 1;
}

/* Not of the suite: each workgroup counts itself and waits for all; out[group] = 2 if it has seen them, 3 if not. */
KERNEL(gather, FLAG, FLAG, VALUE(4)) {
  uint32_t groups = l->grid[0] * l->grid[1] * l->grid[2], seen = 3;
  uint32_t *count = MEMORY(uint32_t, 0, 1), *out = MEMORY(uint32_t, 1, groups);
  __atomic_fetch_add(count, 1, __ATOMIC_SEQ_CST);
  for (uint32_t i = 0; i < ARG(uint32_t, 2) && seen == 3; i++) {
    if (__atomic_load_n(count, __ATOMIC_SEQ_CST) == groups)
      seen = 2;
    sched_yield();
  }
  out[(l->group[2] * l->grid[1] + l->group[1]) * l->grid[0] + l->group[0]] =
      seen;
}
