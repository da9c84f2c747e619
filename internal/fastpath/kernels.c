/* Rows of launches. Each thread has its own rows, so counting takes no lock. A row is never
 * freed or moved, so any thread may read it. */

#include "kernels.h"

#include <stddef.h>
#include <stdlib.h>

#include "thread.h"

enum { buckets = 64, rows_max = 4096 };

struct kernel_rows {
  struct kernel_row *of[buckets];
  struct kernel_row others;
};

static struct kernel_row *all;
static uint32_t rows;

struct kernel_row *kernels_all(void) {
  return __atomic_load_n(&all, __ATOMIC_ACQUIRE);
}

static void publish(struct kernel_row *r) {
  r->next = __atomic_load_n(&all, __ATOMIC_RELAXED);
  while (!__atomic_compare_exchange_n(&all, &r->next, r, true, __ATOMIC_RELEASE,
                                      __ATOMIC_RELAXED))
    ;
}

static bool equal_dims(struct dim3 a, struct dim3 b) {
  return a.x == b.x && a.y == b.y && a.z == b.z;
}

/* Returns the calling thread's row for a launch; NULL: out of memory. */
static struct kernel_row *row_of(const struct launch *l) {
  struct kernel_rows *k = this_thread->kernels;
  if (k == NULL) {
    if ((k = calloc(1, sizeof *k)) == NULL)
      return NULL;
    this_thread->kernels = k;
    publish(&k->others);
  }
  struct dim3 grid = launch_dims(l->grid), block = launch_dims(l->block);
  uint64_t h = (l->function ^ (uint64_t)grid.x << 32 ^ (uint64_t)grid.y << 17 ^
                block.x) *
               0x9E3779B97F4A7C15u;
  struct kernel_row **bucket = &k->of[h >> 58];
  for (struct kernel_row *r = *bucket; r != NULL; r = r->same)
    if (r->function == l->function && equal_dims(r->grid, grid) &&
        equal_dims(r->block, block))
      return r;
  if (__atomic_load_n(&rows, __ATOMIC_RELAXED) >= rows_max ||
      __atomic_add_fetch(&rows, 1, __ATOMIC_RELAXED) > rows_max)
    return &k->others;
  struct kernel_row *r = malloc(sizeof *r);
  if (r == NULL)
    return &k->others;
  *r = (struct kernel_row){
      .same = *bucket, .function = l->function, .grid = grid, .block = block};
  *bucket = r;
  publish(r);
  return r;
}

void kernels_count(const struct launch *l, bool by_graph) {
  struct kernel_row *r = row_of(l);
  if (r == NULL)
    return;
  thread_count(&r->launches, 1);
  thread_count(&r->by_graph, by_graph);
}
