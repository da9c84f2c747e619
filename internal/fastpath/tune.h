/* Measures, per device, whether launches by one-node graphs are cheaper than plain ones. */
#ifndef MGPU_FASTPATH_TUNE_H
#define MGPU_FASTPATH_TUNE_H

#include <stdbool.h>
#include <stdint.h>

enum {
  tune_samples = 48, /* measured launches of each kind for a verdict */
  tune_devices = 16, /* devices with a verdict; others launch plainly */
};

/* Times of measured launches in nanoseconds. */
struct tune_costs {
  uint32_t issues, waits;          /* number of samples */
  uint64_t issue_ns[tune_samples]; /* duration of the driver call alone */
  uint64_t
      wait_ns[tune_samples]; /* from the call to the end of the next wait */
};

enum { tune_undecided, tune_on, tune_off };

struct tuner;

/* The verdict on a device. */
struct tuning {
  uint32_t state;              /* tune_undecided, tune_on, tune_off */
  uint32_t progress;           /* measured launches */
  uint32_t losses;             /* verdicts against graphs */
  struct tuner *measuring;     /* the measuring thread's; NULL: none */
  struct tuner *last_launcher; /* at the last check for other threads */
};

extern struct tuning tunings[tune_devices]
    __attribute__((visibility("hidden")));

/* The part of a thread in measuring. */
struct tuner {
  struct tuning
      *measures;        /* the device that this thread measures; NULL: none */
  uint64_t next;        /* launches until the next measurement */
  uint64_t waited;      /* launches without progress of another thread's */
  uint32_t progress;    /* value of its progress then */
  uint32_t until_check; /* launches until the next check for other threads */
  uint32_t
      quiet_checks_left; /* checks without another launching thread before graphs
                                 resume */
  unsigned measured;     /* launches so far */
  bool plain;            /* the current launch is measured as a plain one */
  bool alone;            /* no launch since the last wait */
  uintptr_t awaited;     /* stream of the only launch since a wait; 0: none */
  uint64_t awaited_since;     /* time of that launch */
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

/* Begins a measurement if no other thread measures. Returns whether the calling thread
 * measures the device now. */
bool tune_begin(struct tuner *n, struct tuning *t);

/* Reports whether the current launch has to be a plain one, for comparison. */
bool tune_wants_plain(struct tuner *n, const struct tuning *t);

/* Excludes the next launches from the samples of waits. */
static inline void tune_ignore_wait(struct tuner *n) {
  n->awaited = 0;
  n->alone = false;
}

/* Ends the measurement if there are enough samples: Go judges. */
void tune_judge(struct tuner *n, struct tuning *t);

/* Cancels a measurement. */
void tune_stop(struct tuner *n, struct tuning *t);

/* Postpones the thread's next measurement by many launches. */
void tune_postpone(struct tuner *n);

/* Reports whether other threads launch on the device. tune_crowded calls it from time to
 * time. */
bool tune_check_crowded(struct tuner *n, struct tuning *t);

/* Reports whether other threads launch on the device at the same time. CUDA 13 was seen to
 * take one lock for all graphs of the process: 4 threads launched 1.2 times, and 16 threads
 * 1.9 times, as slowly as without graphs. */
static inline bool tune_crowded(struct tuner *n, struct tuning *t) {
  return __builtin_expect(n->until_check-- != 0, 1) ? n->quiet_checks_left != 0
                                                    : tune_check_crowded(n, t);
}

/* Reports whether the calling thread's current plain launch is a sample. */
bool tune_measures_plain(void);

/* Adds the sample of a launch on a stream. ok: it succeeded. */
void tune_launched(uint64_t from, uint64_t to, uintptr_t stream, bool ok);

/* Adds the sample of a wait, if the thread's only launch since the previous wait was
 * measured. */
void tune_waited(uintptr_t stream);

/* Cancels the measurement of a thread that ends. NULL: the thread never measured. */
void tune_thread_ended(struct tuner *n);

#endif
