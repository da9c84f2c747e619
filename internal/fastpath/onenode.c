/* Launches by graphs of one node.
 *
 * If the driver has a function for it, and it is cheaper (tune.c), a thread keeps such
 * graphs for launches that it repeats: one for each function, shape and stream. Each thread
 * has its own graphs, so that no lock is necessary between changing a node and launching
 * it. Each stream has its own graph, since launches of one exec wait for each other. Graphs
 * are in sets of a few ways; a full set drops the graph that was used longest ago. When the
 * thread ends, the next thread that starts takes the graphs over with the state.
 *
 * A graph is not launched if its function was looked up before the driver unloaded a module
 * (lookup_epoch). If a graph fails, its launch is made without the graph, and the device
 * uses no more graphs. */

#include "onenode.h"

#include <stdlib.h>
#include <string.h>

#include "driver.h"
#include "launch.h"
#include "lookup.h"
#include "stream.h"
#include "thread.h"
#include "tune.h"

#include "_cgo_export.h"

enum {
  set_bits = 3,
  ways = 4,
  launches_before_graph = 6,
};

/* A launch that the thread has made. It has a graph once one was made. */
struct cached_launch {
  uintptr_t function, stream;
  struct dim3 grid, block;
  uint64_t epoch; /* lookup_epoch() at the first launch */
  uint64_t used;  /* onenode_cache.clock at the latest launch */
  uint32_t launches;
  bool refused; /* Go makes no graph of this launch */
  struct onenode_graph g;
  uint64_t updates_left;
  uint64_t submission; /* number of the latest submission by graph */
  bool node_stale;     /* the node's parameters differ from values */
  uint8_t values[onenode_bytes];
};

struct onenode_cache {
  struct tuner tuner;
  struct cached_launch sets[1 << set_bits][ways];
  uint64_t clock;    /* number of launches looked up */
  uint64_t launched; /* number of launches by graph */
  bool dropped;      /* graphs are off, and all were dropped */
};

bool onenode_enabled;

static struct {
  bool pinned, always;
} by_graph;

void onenode_offer(const struct driver_functions *calls, bool always) {
  for (int i = 0; always && i < tune_devices; i++)
    tunings[i].state = tune_on;
  by_graph.always = always;
  by_graph.pinned = calls->graphs_pinned;
  __atomic_store_n(&onenode_enabled, calls->graph_launch != 0,
                   __ATOMIC_RELEASE);
}

uint64_t onenode_launches(void) {
  uint64_t sum = 0;
  for (struct thread *t = threads_all(); t != NULL; t = t->next) {
    const struct onenode_cache *c =
        __atomic_load_n(&t->onenode, __ATOMIC_ACQUIRE);
    if (c != NULL)
      sum += __atomic_load_n(&c->launched, __ATOMIC_RELAXED);
  }
  return sum;
}

/* Returns the calling thread's cache; NULL: out of memory. */
static struct onenode_cache *thread_cache(void) {
  struct onenode_cache *c = this_thread->onenode;
  if (__builtin_expect(c == NULL, 0) && (c = calloc(1, sizeof *c)) != NULL) {
    tune_init(&c->tuner);
    this_thread->tuner = &c->tuner;
    __atomic_store_n(&this_thread->onenode, c, __ATOMIC_RELEASE);
  }
  return c;
}

static void drop_graph(struct cached_launch *c) {
  if (c->g.exec != 0)
    goOneNodeDrop(c->g.graph, c->g.exec, c->stream);
  c->g.exec = 0;
}

static void drop_all(struct onenode_cache *cache) {
  for (int i = 0; i < 1 << set_bits; i++)
    for (int j = 0; j < ways; j++) {
      drop_graph(&cache->sets[i][j]);
      cache->sets[i][j].launches = 0;
    }
}

static bool same_launch(const struct cached_launch *c, const struct launch *l) {
  return c->function == l->function && c->stream == l->stream &&
         c->grid.x == (uint32_t)l->grid[0] &&
         c->block.x == (uint32_t)l->block[0] &&
         c->grid.y == (uint32_t)l->grid[1] &&
         c->block.y == (uint32_t)l->block[1] &&
         c->grid.z == (uint32_t)l->grid[2] &&
         c->block.z == (uint32_t)l->block[2];
}

/* Returns the cached launch. If there is none, returns a new one in place of the oldest. */
HOT static struct cached_launch *find_launch(struct onenode_cache *cache,
                                             const struct launch *l) {
  uint64_t h = (l->function ^ l->stream << 5 ^ (uint64_t)l->grid[0] << 17 ^
                (uint64_t)l->grid[1] << 29 ^ (uint64_t)l->block[0] << 39) *
               0x9E3779B97F4A7C15u;
  struct cached_launch *set = cache->sets[h >> (64 - set_bits)], *oldest = set;
  for (int i = 0; i < ways; i++) {
    if (same_launch(&set[i], l)) {
      set[i].used = ++cache->clock;
      return &set[i];
    }
    if (set[i].used < oldest->used)
      oldest = &set[i];
  }
  drop_graph(oldest);
  *oldest = (struct cached_launch){.function = l->function,
                                   .stream = l->stream,
                                   .grid = launch_dims(l->grid),
                                   .block = launch_dims(l->block),
                                   .epoch = lookup_epoch(),
                                   .used = ++cache->clock};
  return oldest;
}

/* Makes a new graph of a launch. Returns false if Go makes none. */
static bool make_graph(struct cached_launch *c, const struct launch *l,
                       struct tuning *t) {
  drop_graph(c);
  if (c->refused || ++c->launches < launches_before_graph)
    return false;
  int32_t made = goOneNodeMake((struct launch *)l, tune_device(t), &c->g);
  if (made < 0) /* Go has reported why */
    tune_decide(t, tune_off);
  if (made <= 0) {
    c->refused = true;
    return false;
  }
  c->updates_left = c->g.updates;
  c->node_stale = false;
  return true;
}

/* Copies the launch's parameters to values. Returns whether they differ from the previous
 * values. first: there are no previous values. */
HOT static bool copy_params(struct cached_launch *c, const struct launch *l,
                            bool first) {
  if (c->g.params < 0)
    return true;
  bool differs = first;
  uint8_t *value = c->values;
  void *const *param = (void *const *)l->params;
  for (int32_t i = 0; i < c->g.params; value += c->g.size[i++]) {
    if (c->g.size[i] == 8) {
      uint64_t now, before;
      memcpy(&now, param[i], 8);
      memcpy(&before, value, 8);
      differs |= now != before;
      memcpy(value, &now, 8);
    } else if (differs || memcmp(value, param[i], c->g.size[i]) != 0) {
      differs = true;
      memcpy(value, param[i], c->g.size[i]);
    }
  }
  return differs;
}

/* Prepares the first launch of a graph, a launch that is measured, or a launch while it is
 * undecided whether graphs are used. Returns false if the launch has to be a plain one. */
static bool prepare_launch(struct tuner *n, struct tuning *t, uint32_t state,
                           struct cached_launch *c, const struct launch *l) {
  if (c->epoch != lookup_epoch()) {
    drop_graph(c);
    c->launches = 0;
    c->refused = false;
    c->epoch = lookup_epoch();
  }
  if ((c->g.exec == 0 || c->updates_left == 0) && !make_graph(c, l, t)) {
    tune_ignore_wait(n);
    return false;
  }
  if (n->measures == t && __atomic_load_n(&t->measuring, __ATOMIC_ACQUIRE) != n)
    n->measures = NULL;
  if (n->measures == t)
    return true;
  if (state == tune_on && n->next != 0)
    return true;
  if (!by_graph.always && tune_begin(n, t))
    return true;
  tune_postpone(n);
  return state == tune_on;
}

/* Handles a failed launch by graph. A positive status turns graphs off for the device. */
static void launch_failed(struct tuner *n, struct tuning *t,
                          struct cached_launch *c, int32_t status) {
  drop_graph(c);
  c->launches = 0;
  if (n->measures == t)
    tune_stop(n, t);
  if (status > 0) {
    tune_decide(t, tune_off);
    goOneNodeRetreat(tune_device(t), c->function, status);
  }
}

HOT bool onenode_launch(const struct launch *l, const struct pool_entry *e,
                        struct onenode_launched *out) {
  if ((uint32_t)e->device >= tune_devices || l->extra != 0)
    return false;
  struct tuning *t = &tunings[e->device];
  struct onenode_cache *cache = thread_cache();
  if (__builtin_expect(cache == NULL, 0))
    return false;
  struct tuner *n = &cache->tuner;
  uint32_t state = tune_state(t);
  if (__builtin_expect(state == tune_off, 0)) {
    if (!cache->dropped)
      drop_all(cache);
    cache->dropped = true;
    return false;
  }
  if (tune_crowded(n, t)) {
    tune_ignore_wait(n);
    return false;
  }
  struct cached_launch *c = find_launch(cache, l);
  bool had_graph =
      c->g.exec != 0 && c->updates_left != 0 && c->epoch == lookup_epoch();
  if (__builtin_expect(!had_graph || state != tune_on || n->measures == t ||
                           --n->next == 0,
                       0)) {
    if (!prepare_launch(n, t, state, c, l) || tune_wants_plain(n, t))
      return false;
  }
  if (l->params == 0 && c->g.params != 0)
    return false;
  bool update = copy_params(c, l, !had_graph || c->node_stale) && had_graph;
  c->node_stale = update && by_graph.pinned &&
                  (int64_t)(__atomic_load_n(&e->synced, __ATOMIC_ACQUIRE) -
                            c->submission) < 0;
  if (c->node_stale)
    return false;
  uint64_t from = __builtin_expect(n->measures == t, 0) ? monotonic_ns() : 0;
  c->node_stale =
      update; /* stays so if the thread is cancelled in the driver */
  int32_t status = driver.graph_launch(
      driver.self, c->g.exec, c->g.node, l->function, (uint32_t)l->grid[0],
      (uint32_t)l->grid[1], (uint32_t)l->grid[2], (uint32_t)l->block[0],
      (uint32_t)l->block[1], (uint32_t)l->block[2], l->stream, l->params,
      update);
  if (__builtin_expect(status != 0, 0)) {
    launch_failed(n, t, c, status);
    return false;
  }
  c->node_stale = false;
  c->updates_left -= update;
  thread_count(&cache->launched, 1);
  *out = (struct onenode_launched){1 + update, &c->submission};
  if (__builtin_expect(from != 0, 0)) {
    tune_launched(from, monotonic_ns(), l->stream, true);
    tune_judge(n, t);
  }
  return true;
}
