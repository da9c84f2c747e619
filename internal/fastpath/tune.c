/* Measurements of launches.
 *
 * On some drivers changing the node of a graph and launching the graph costs half as much
 * as a plain launch, on others twice as much. So one thread at a time measures a device,
 * with the program's own launches: a few plain ones and a few by graph, alternately. Go
 * judges the samples (launchgraph). A thread measures again after measure_again launches.
 * After max_losses verdicts against graphs, they are off permanently. */

#include "tune.h"

#include <stddef.h>
#include <string.h>

#include "driver.h"
#include "thread.h"

#include "_cgo_export.h"

enum {
  warmup = 6,     /* measured launches of each kind that don't count */
  run_length = 4, /* launches of one kind in a row */
  max_losses = 3,
};

/* Launches by graph until the next measurement, and launches of a thread without progress of
 * another thread's measurement until it takes the measurement over. */
static const uint64_t measure_again = 1 << 18, measure_patience = 4096;

struct tuning tunings[tune_devices];

void tune_init(struct tuner *n) { n->next = measure_again; }

void tune_postpone(struct tuner *n) { n->next = measure_again; }

static struct tuner *measuring(const struct tuning *t) {
  return __atomic_load_n(&t->measuring, __ATOMIC_ACQUIRE);
}

bool tune_begin(struct tuner *n, struct tuning *t) {
  struct tuner *other = measuring(t);
  if (other != NULL) {
    uint32_t progress = __atomic_load_n(&t->progress, __ATOMIC_RELAXED);
    if (progress != n->progress) {
      n->progress = progress;
      n->waited = 0;
    }
    if (++n->waited < measure_patience)
      return false;
  }
  n->waited = 0;
  if (!__atomic_compare_exchange_n(&t->measuring, &other, n, false,
                                   __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
    return false;
  n->measures = t;
  n->measured = 0;
  tune_ignore_wait(n);
  memset(n->costs, 0, sizeof n->costs);
  return true;
}

bool tune_wants_plain(struct tuner *n, const struct tuning *t) {
  n->plain = n->measures == t && n->measured / run_length % 2 == 0;
  return n->plain;
}

void tune_stop(struct tuner *n, struct tuning *t) {
  struct tuner *expected = n;
  n->measures = NULL;
  __atomic_compare_exchange_n(&t->measuring, &expected, NULL, false,
                              __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
}

void tune_judge(struct tuner *n, struct tuning *t) {
  if (n->costs[0].issues < tune_samples || n->costs[1].issues < tune_samples)
    return;
  bool won = goOneNodeJudge(tune_device(t), &n->costs[0], &n->costs[1]);
  tune_postpone(n);
  if (won) {
    t->losses = 0;
    if (tune_state(t) == tune_undecided)
      tune_decide(t, tune_on);
  } else if (++t->losses >= max_losses) {
    tune_decide(t, tune_off);
    goOneNodeRetreat(tune_device(t), 0, 0);
  }
  tune_stop(n, t);
}

void tune_thread_ended(struct tuner *n) {
  if (n != NULL && n->measures != NULL)
    tune_stop(n, n->measures);
}

/* Writes nothing shared as long as only one thread launches. */
HOT bool tune_check_crowded(struct tuner *n, struct tuning *t) {
  enum { check_again = 8, check_when_crowded = 32, quiet_checks = 4 };
  struct tuner *last = __atomic_load_n(&t->last_launcher, __ATOMIC_RELAXED);
  if (last != n)
    __atomic_store_n(&t->last_launcher, n, __ATOMIC_RELAXED);
  if (last != n && last != NULL)
    n->quiet_checks_left = quiet_checks;
  else if (n->quiet_checks_left != 0)
    n->quiet_checks_left--;
  n->until_check = n->quiet_checks_left != 0 ? check_when_crowded : check_again;
  return n->quiet_checks_left != 0;
}

static void add_sample(uint32_t *count, uint64_t *samples, uint64_t ns) {
  if (*count < tune_samples)
    samples[(*count)++] = ns;
}

bool tune_measures_plain(void) {
  return this_thread->tuner != NULL && this_thread->tuner->plain;
}

void tune_launched(uint64_t from, uint64_t to, uintptr_t stream, bool ok) {
  struct tuner *n = this_thread->tuner;
  bool plain = n->plain;
  n->plain = false;
  if (n->measures != NULL)
    __atomic_store_n(&n->measures->progress, n->measures->progress + 1,
                     __ATOMIC_RELAXED);
  if (ok && n->measured++ >= 2 * warmup) {
    struct tune_costs *c = &n->costs[!plain];
    add_sample(&c->issues, c->issue_ns, to - from);
    n->awaited = n->alone ? stream : 0;
    n->awaited_plain = plain;
    n->awaited_since = from;
  }
  n->alone = false;
}

void tune_waited(uintptr_t stream) {
  struct tuner *n = this_thread->tuner;
  if (n == NULL || n->measures == NULL)
    return;
  if (n->awaited == stream) {
    struct tune_costs *c = &n->costs[!n->awaited_plain];
    add_sample(&c->waits, c->wait_ns, monotonic_ns() - n->awaited_since);
  }
  n->awaited = 0;
  n->alone = true;
}
