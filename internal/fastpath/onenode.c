/* Launches through graphs of one node.
 *
 * On some drivers changing the node of a graph and launching that costs half of
 * what a launch does; on others twice as much. So where the driver offers it a
 * thread keeps such graphs for what it launches again and again, one for each
 * function, shape and stream, and the first that has one measures: plain launches
 * and ones through the graph in turns, the program's own. Go judges (launchgraph),
 * for each device, and again after every measure_again launches; a graph that fails in
 * any way ends it for the device, and the launch is made plainly.
 *
 * A thread's graphs are its own, so that nothing is locked between changing a node
 * and launching it, and one for each stream, since launches of one exec wait for
 * each other. They are in sets of ways; in a full set the one used longest ago goes.
 * When the thread ends, the next one that starts takes them over. They belong to
 * the epoch of lookup.c: a function that was looked up before a module left the
 * driver is not trusted. */

#include "onenode.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "lookup.h"
#include "thread.h"

#include "_cgo_export.h"

typedef int32_t (*graph_function)(uintptr_t, uintptr_t, uintptr_t, uintptr_t,
                                  uint32_t, uint32_t, uint32_t, uint32_t,
                                  uint32_t, uint32_t, uintptr_t, uintptr_t,
                                  bool);

enum {
  set_bits = 3,
  ways = 4,
  often_enough = 6, /* launches before there is a graph */
  warm = 6,         /* measured launches of each kind that don't count */
  in_turn = 4,      /* of a kind, one after another */
  attempts = 3,     /* verdicts against graphs before they are off for good */
  most_devices = 16,
};

/* Launches through graphs until they are measured again, and plain ones during
 * which another thread's measurement does not go on until it is taken over. */
static const uint64_t measure_again = 1 << 18, measure_patience = 4096;

/* A launch that was seen, with its graph once there is one. */
struct row {
  uintptr_t function, stream;
  uint32_t grid[3], block[3];
  uint64_t epoch, used;
  uint32_t seen;
  bool refused; /* Go makes no graph of it */
  struct onenode_graph g;
  uint64_t left; /* updates */
  uint64_t at;   /* the number of the latest submission */
  bool ahead;    /* value is not what the node has */
  uint8_t value[onenode_bytes];
};

struct onenode {
  struct row row[1 << set_bits][ways];
  uint64_t tick;
  uint64_t launched; /* through graphs */

  /* The measurement that the thread makes, NULL: none. */
  struct gate *gate;
  uint64_t next;       /* launches until the next one */
  uint64_t waiting;    /* launches since another thread's has gone on */
  uint32_t progress;   /* when that was */
  bool dropped;        /* graphs are off, and there are none any more */
  uint32_t until_look; /* launches until the thread looks for others */
  uint32_t crowded;    /* looks until others, who were seen, count as gone */
  unsigned turn;       /* measured launches so far */
  bool plain;          /* the launch under way is one of the plain ones */
  uintptr_t awaited;   /* the stream of the only launch since a wait; 0: none */
  uint64_t since;      /* when it began */
  bool awaited_plain, alone;
  struct onenode_costs costs[2]; /* plain, graph */
};

enum { undecided, on, off };

/* What is known of a device. */
static struct gate {
  uint32_t state;
  uint32_t progress;     /* measured launches */
  uint32_t lost;         /* attempts */
  struct onenode *owner; /* who measures; NULL: nobody */
  struct onenode *here;  /* who launched, as far as anybody looked */
} gates[most_devices];

bool onenode_enabled;

static struct {
  uintptr_t driver;
  graph_function launch;
  bool pinned, always;
} offered;

void onenode_offer(uintptr_t driver, uintptr_t launch, bool pinned,
                   bool always) {
  for (int i = 0; always && i < most_devices; i++)
    gates[i].state = on;
  offered.always = always;
  offered.driver = driver;
  offered.pinned = pinned;
  offered.launch = (graph_function)launch;
  __atomic_store_n(&onenode_enabled, launch != 0, __ATOMIC_RELEASE);
}

uint64_t onenode_now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

uint64_t onenode_launches(void) {
  uint64_t sum = 0;
  for (struct thread *c = threads_all(); c != NULL; c = c->next) {
    const struct onenode *k = __atomic_load_n(&c->onenode, __ATOMIC_ACQUIRE);
    if (k != NULL)
      sum += __atomic_load_n(&k->launched, __ATOMIC_RELAXED);
  }
  return sum;
}

static struct onenode *mine(void) {
  struct onenode *k = this_thread->onenode;
  if (__builtin_expect(k == NULL, 0) && (k = calloc(1, sizeof *k)) != NULL) {
    k->next = measure_again;
    __atomic_store_n(&this_thread->onenode, k, __ATOMIC_RELEASE);
  }
  return k;
}

static uint32_t state_of(const struct gate *g) {
  return __atomic_load_n(&g->state, __ATOMIC_ACQUIRE);
}

static void drop_graph(struct row *r) {
  if (r->g.exec != 0)
    goOneNodeDrop(r->g.graph, r->g.exec, r->stream);
  r->g.exec = 0;
}

static void drop_all(struct onenode *k) {
  for (int i = 0; i < 1 << set_bits; i++)
    for (int j = 0; j < ways; j++) {
      drop_graph(&k->row[i][j]);
      k->row[i][j].seen = 0;
    }
}

static bool same(const struct row *r, const struct launch *l) {
  return r->function == l->function && r->stream == l->stream &&
         r->grid[0] == (uint32_t)l->grid[0] &&
         r->block[0] == (uint32_t)l->block[0] &&
         r->grid[1] == (uint32_t)l->grid[1] &&
         r->block[1] == (uint32_t)l->block[1] &&
         r->grid[2] == (uint32_t)l->grid[2] &&
         r->block[2] == (uint32_t)l->block[2];
}

/* The launch's row, a new one if there was none. */
HOT static struct row *row_of(struct onenode *k, const struct launch *l) {
  uint64_t h = (l->function ^ l->stream << 5 ^ (uint64_t)l->grid[0] << 17 ^
                (uint64_t)l->grid[1] << 29 ^ (uint64_t)l->block[0] << 39) *
               0x9E3779B97F4A7C15u;
  struct row *set = k->row[h >> (64 - set_bits)], *oldest = set;
  for (int i = 0; i < ways; i++) {
    if (same(&set[i], l)) {
      set[i].used = ++k->tick;
      return &set[i];
    }
    if (set[i].used < oldest->used)
      oldest = &set[i];
  }
  drop_graph(oldest);
  *oldest = (struct row){.function = l->function,
                         .stream = l->stream,
                         .grid = {(uint32_t)l->grid[0], (uint32_t)l->grid[1],
                                  (uint32_t)l->grid[2]},
                         .block = {(uint32_t)l->block[0], (uint32_t)l->block[1],
                                   (uint32_t)l->block[2]},
                         .epoch = lookup_epoch(),
                         .used = ++k->tick};
  return oldest;
}

/* Sees to it that a row has a graph that may be changed; false: it has none. */
static bool made(struct row *r, const struct launch *l, struct gate *g) {
  drop_graph(r);
  if (r->refused || ++r->seen < often_enough)
    return false;
  int32_t made = goOneNodeMake((struct launch *)l, (int)(g - gates), &r->g);
  if (made < 0) /* Go knows why */
    __atomic_store_n(&g->state, off, __ATOMIC_RELEASE);
  if (made <= 0) {
    r->refused = true;
    return false;
  }
  r->left = r->g.updates;
  r->ahead = false;
  return true;
}

/* Notes the launch's parameters in the row, and says whether they are others than
 * those that its node has. first: nothing was noted yet. */
HOT static bool changed(struct row *r, const struct launch *l, bool first) {
  if (r->g.params < 0)
    return true;
  bool differs = first;
  uint8_t *at = r->value;
  void *const *param = (void *const *)l->params;
  for (int32_t i = 0; i < r->g.params; at += r->g.size[i++]) {
    if (r->g.size[i] == 8) {
      uint64_t is, was;
      memcpy(&is, param[i], 8);
      memcpy(&was, at, 8);
      differs |= is != was;
      memcpy(at, &is, 8);
    } else if (differs || memcmp(at, param[i], r->g.size[i]) != 0) {
      differs = true;
      memcpy(at, param[i], r->g.size[i]);
    }
  }
  return differs;
}

static void add(struct onenode_costs *c, bool wait, uint64_t ns) {
  uint32_t *n = wait ? &c->waited : &c->issued;
  if (*n < onenode_samples)
    (wait ? c->wait : c->issue)[(*n)++] = ns;
}

static struct onenode *owner_of(const struct gate *g) {
  return __atomic_load_n(&g->owner, __ATOMIC_ACQUIRE);
}

/* Begins a measurement, if nobody makes one or who does has stopped launching. */
static bool begin_measuring(struct onenode *k, struct gate *g) {
  struct onenode *owner = owner_of(g);
  if (owner != NULL) {
    uint32_t progress = __atomic_load_n(&g->progress, __ATOMIC_RELAXED);
    if (progress != k->progress) {
      k->progress = progress;
      k->waiting = 0;
    }
    if (++k->waiting < measure_patience)
      return false;
  }
  k->waiting = 0;
  if (!__atomic_compare_exchange_n(&g->owner, &owner, k, false,
                                   __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
    return false;
  k->gate = g;
  k->turn = 0;
  k->awaited = 0;
  k->alone = false;
  memset(k->costs, 0, sizeof k->costs);
  return true;
}

static void stop_measuring(struct onenode *k, struct gate *g) {
  struct onenode *owner = k;
  k->gate = NULL;
  __atomic_compare_exchange_n(&g->owner, &owner, NULL, false, __ATOMIC_ACQ_REL,
                              __ATOMIC_RELAXED);
}

void onenode_left(struct onenode *k) {
  if (k != NULL && k->gate != NULL)
    stop_measuring(k, k->gate);
}

static void end_measuring(struct onenode *k, struct gate *g) {
  int device = (int)(g - gates);
  bool won = goOneNodeJudge(device, &k->costs[0], &k->costs[1]);
  k->next = measure_again;
  if (won) {
    g->lost = 0;
    if (state_of(g) == undecided)
      __atomic_store_n(&g->state, on, __ATOMIC_RELEASE);
  } else if (++g->lost >= attempts) {
    __atomic_store_n(&g->state, off, __ATOMIC_RELEASE);
    goOneNodeRetreat(device, 0, 0);
  }
  stop_measuring(k, g);
}

bool onenode_measures(void) {
  return this_thread->onenode != NULL && this_thread->onenode->plain;
}

void onenode_measured(uint64_t from, uint64_t to, uintptr_t stream, bool ok) {
  struct onenode *k = this_thread->onenode;
  bool plain = k->plain;
  k->plain = false;
  if (k->gate != NULL)
    __atomic_store_n(&k->gate->progress, k->gate->progress + 1,
                     __ATOMIC_RELAXED);
  if (ok && k->turn++ >= 2 * warm) {
    add(&k->costs[!plain], false, to - from);
    k->awaited = k->alone ? stream : 0;
    k->awaited_plain = plain;
    k->since = from;
  }
  k->alone = false;
}

void onenode_waited(uintptr_t stream) {
  struct onenode *k = this_thread->onenode;
  if (k == NULL || k->gate == NULL)
    return;
  if (k->awaited == stream)
    add(&k->costs[!k->awaited_plain], true, onenode_now() - k->since);
  k->awaited = 0;
  k->alone = true;
}

/* What precedes the first launch of a row through a graph, and any launch while
 * graphs are measured or off: whether the launch goes on. */
static bool prepared(struct onenode *k, struct gate *g, uint32_t state,
                     struct row *r, const struct launch *l) {
  if (r->epoch != lookup_epoch()) {
    drop_graph(r);
    r->seen = 0;
    r->refused = false;
    r->epoch = lookup_epoch();
  }
  if ((r->g.exec == 0 || r->left == 0) && !made(r, l, g)) {
    k->awaited = 0;
    k->alone = false;
    return false;
  }
  if (k->gate == g && owner_of(g) != k)
    k->gate = NULL;
  if (k->gate == g)
    return true;
  if (state == on && k->next != 0)
    return true;
  if (!offered.always && begin_measuring(k, g))
    return true;
  k->next = measure_again;
  return state == on;
}

/* Whether other threads launch at the same time. Drivers have been seen (CUDA 13) to
 * take one lock for every graph of the process, so that 4 threads launched 1.2 and 16
 * 1.9 times as slowly as without graphs. So each thread leaves a note now and then,
 * and one that finds another's launches plainly until it has been alone for a while.
 * Nothing is written as long as a thread is alone. */
HOT static bool crowded(struct onenode *k, struct gate *g) {
  enum { look_again = 8, look_when_crowded = 32, looks = 4 };
  if (__builtin_expect(k->until_look-- != 0, 1))
    return k->crowded != 0;
  struct onenode *last = __atomic_load_n(&g->here, __ATOMIC_RELAXED);
  if (last != k)
    __atomic_store_n(&g->here, k, __ATOMIC_RELAXED);
  if (last != k && last != NULL)
    k->crowded = looks;
  else if (k->crowded != 0)
    k->crowded--;
  k->until_look = k->crowded != 0 ? look_when_crowded : look_again;
  return k->crowded != 0;
}

HOT bool onenode_launch(const struct launch *l, const struct pool_entry *e,
                        struct onenode_launched *out) {
  if ((uint32_t)e->device >= most_devices || l->extra != 0)
    return false;
  struct gate *g = &gates[e->device];
  struct onenode *k = mine();
  if (__builtin_expect(k == NULL, 0))
    return false;
  uint32_t state = state_of(g);
  if (__builtin_expect(state == off, 0)) {
    if (!k->dropped)
      drop_all(k);
    k->dropped = true;
    return false;
  }
  if (crowded(k, g)) {
    k->awaited = 0;
    k->alone = false;
    return false;
  }
  struct row *r = row_of(k, l);
  bool had = r->g.exec != 0 && r->left != 0 && r->epoch == lookup_epoch();
  if (__builtin_expect(!had || state != on || k->gate == g || --k->next == 0,
                       0)) {
    if (!prepared(k, g, state, r, l))
      return false;
    if (k->gate == g && k->turn / in_turn % 2 == 0) {
      k->plain = true;
      return false;
    }
  }
  if (l->params == 0 && r->g.params != 0)
    return false;
  bool set = changed(r, l, !had || r->ahead) && had;
  r->ahead =
      set && offered.pinned &&
      (int64_t)(__atomic_load_n(&e->synced, __ATOMIC_ACQUIRE) - r->at) < 0;
  if (r->ahead)
    return false;
  uint64_t from = __builtin_expect(k->gate == g, 0) ? onenode_now() : 0;
  r->ahead = set; /* for good if the thread is cancelled in the driver */
  int32_t status = offered.launch(
      offered.driver, r->g.exec, r->g.node, l->function, (uint32_t)l->grid[0],
      (uint32_t)l->grid[1], (uint32_t)l->grid[2], (uint32_t)l->block[0],
      (uint32_t)l->block[1], (uint32_t)l->block[2], l->stream, l->params, set);
  if (__builtin_expect(status != 0, 0)) {
    drop_graph(r);
    r->seen = 0;
    if (k->gate == g)
      stop_measuring(k, g);
    if (status > 0) {
      __atomic_store_n(&g->state, off, __ATOMIC_RELEASE);
      goOneNodeRetreat((int)(g - gates), l->function, status);
    }
    return false;
  }
  r->ahead = false;
  r->left -= set;
  __atomic_store_n(&k->launched, k->launched + 1, __ATOMIC_RELAXED);
  *out = (struct onenode_launched){1 + set, &r->at};
  if (__builtin_expect(from != 0, 0)) {
    onenode_measured(from, onenode_now(), l->stream, true);
    if (k->costs[0].issued == onenode_samples &&
        k->costs[1].issued == onenode_samples)
      end_measuring(k, g);
  }
  return true;
}
