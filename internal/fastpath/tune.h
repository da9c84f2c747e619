/* Measures, per device, whether launches by one-node graphs are cheaper than plain ones. */
#ifndef MGPU_FASTPATH_TUNE_H
#define MGPU_FASTPATH_TUNE_H

#include <stdbool.h>
#include <stdint.h>

enum {
  tune_samples =
      48, /* measured launches of each kind that a verdict is about */
  tune_devices = 16, /* devices with a verdict; others launch plainly */
};

/* Times of measured launches in nanoseconds. */
struct tune_costs {
  uint32_t issues, waits;          /* how many samples there are */
  uint64_t issue_ns[tune_samples]; /* the driver call alone */
  uint64_t
      wait_ns[tune_samples]; /* from the call to the end of the wait after it */
};

enum { tune_undecided, tune_on, tune_off };

struct tuner;

/* The verdict on a device. */
struct tuning {
  uint32_t state;          /* tune_undecided, tune_on, tune_off */
  uint32_t progress;       /* measured launches */
  uint32_t losses;         /* verdicts against graphs */
  struct tuner *measuring; /* of the thread that measures; NULL: none does */
  struct tuner *last_launcher; /* as of the last check for other threads */
};

extern struct tuning tunings[tune_devices]
    __attribute__((visibility("hidden")));

/* A thread's part in measuring. */
struct tuner {
  struct tuning
      *measures;     /* the device that this thread measures; NULL: none */
  uint64_t next;     /* launches until the next measurement */
  uint64_t waited;   /* launches since another thread's measurement went on */
  uint32_t progress; /* of that measurement then */
  uint32_t until_check; /* launches until the next check for other threads */
  uint32_t
      quiet_checks_left; /* checks without another launching thread before graphs
                                 resume */
  unsigned measured;     /* launches so far */
  bool plain;        /* the launch under way is to be measured as a plain one */
  bool alone;        /* no launch since the last wait */
  uintptr_t awaited; /* the stream of the only launch since a wait; 0: none */
  uint64_t awaited_since;     /* when that launch began */
  bool awaited_plain;         /* that launch was a plain one */
  struct tune_costs costs[2]; /* plain, by graph */
};

static inline uint32_t tune_state(const struct tuning *t) {
  return __atomic_load_n(&t->state, __ATOMIC_ACQUIRE);
}

static inline void tune_decide(struct tuning *t, uint32_t state) {
  __atomic_store_n(&t->state, state, __ATOMIC_RELEASE);
}

/* Returns the number of a verdict's device. */
static inline int tune_device(const struct tuning *t) {
  return (int)(t - tunings);
}

/* Sets up the tuner of a thread. */
void tune_init(struct tuner *n);

/* Begins a measurement if none is due to another thread. Returns whether the calling
 * thread measures the device now. */
bool tune_begin(struct tuner *n, struct tuning *t);

/* Reports whether the launch under way is to be a plain one, for comparison. */
bool tune_wants_plain(struct tuner *n, const struct tuning *t);

/* Has the next launches be no samples of waits. */
static inline void tune_ignore_wait(struct tuner *n) {
  n->awaited = 0;
  n->alone = false;
}

/* Ends the measurement if there are samples enough: Go judges. */
void tune_judge(struct tuner *n, struct tuning *t);

/* Gives up a measurement. */
void tune_stop(struct tuner *n, struct tuning *t);

/* Has the thread measure again only after many launches. */
void tune_postpone(struct tuner *n);

/* Reports whether other threads launch on the device, by a check that tune_crowded
 * makes now and then. */
bool tune_check_crowded(struct tuner *n, struct tuning *t);

/* Reports whether other threads launch on the device at the same time. Drivers have
 * been seen (CUDA 13) to take one lock for every graph of the process, so that 4 threads
 * launched 1.2 and 16 1.9 times as slowly as without graphs. */
static inline bool tune_crowded(struct tuner *n, struct tuning *t) {
  return __builtin_expect(n->until_check-- != 0, 1) ? n->quiet_checks_left != 0
                                                    : tune_check_crowded(n, t);
}

/* Reports whether the calling thread's plain launch under way is a sample. */
bool tune_measures_plain(void);

/* Adds the sample of a launch on a stream. ok: it succeeded. */
void tune_launched(uint64_t from, uint64_t to, uintptr_t stream, bool ok);

/* Adds the sample of a wait, if the thread's only launch since the last one was measured. */
void tune_waited(uintptr_t stream);

/* Gives up the measurement of a thread that ends. NULL: it never measured. */
void tune_thread_ended(struct tuner *n);

#endif
