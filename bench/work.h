/* What is measured, by one process, of one measured library and, alternating with
 * it, of what it is compared with: the vendor's library used directly, or where
 * forward.c is linked another measured library. */
#ifndef BENCH_WORK_H
#define BENCH_WORK_H

#include <stdbool.h>
#include <stddef.h>

#include "raw.h"

/* Who does the work. */
enum who { other, library, whos };

/* Both, one after the other; who is first changes with the turn. */
#define IN_TURNS(w, turn)                                                      \
  for (unsigned k_##w = 0, w = (unsigned)(turn) % whos; k_##w < whos;          \
       k_##w++, w ^= 1)

/* Whether it is done by hand. If not, mgpu's functions are those of that library
 * from now on. */
bool by_hand(enum who);

/* forward.c's: chooses a library. */
void forward_to(enum who) __attribute__((weak));

/* Microseconds. */
double now(void);

/* Bounds a series: so many samples, in at most so many seconds. A quick run
 * divides both. */
struct bound {
  long samples;
  double until;
};
struct bound at_most(long samples, double seconds);
bool within(const struct bound *, long done);

/* Notes a sample of a piece of work. */
void sample(const char *work, enum who, double us);

/* Samples from now on were taken in another block of time. */
void next_block(void);

/* The kernels of kernels.c, as each of the two has them. */
extern void *empty[whos], *spin[whos], *args[whos];

/* How many ticks of the device's clock are a microsecond. */
extern double ticks_per_us;

/* A stream; a launch of one thread; a wait. */
void *stream_create(enum who);
void stream_destroy(enum who, void *stream);
void launch(enum who, void *function, void *stream, void **params);
void synchronize(enum who, void *stream);

/* Runs job(argument, 0) to job(argument, threads - 1), each on a thread of a
 * crew, all at once; thread 0 is the caller. Returns the microseconds from the
 * first one's begin to the last one's end. */
struct crew;
typedef void (*job)(void *argument, int thread);
struct crew *crew_of(int threads);
double crew_run(struct crew *, job, void *argument);
void crew_dismiss(struct crew *);

enum { max_threads = 64 };

/* The parts. */
void measure_loops(void);
void measure_loops_of(int threads);
void measure_bursts(int threads);
void measure_churn(void);
void measure_alloc(size_t bytes);
void measure_alloc_of(int threads, size_t bytes);
void measure_rounds(size_t bytes);
void measure_copy(size_t bytes);
void measure_wait(double us, int others);
void measure_graphs(void);
void measure_regions_alone(enum who);
void measure_programs(void);
void measure_programs_alone(enum who);
void measure_rounds_of(int threads, size_t bytes);
void measure_rounds_alone(enum who, size_t bytes);
void measure_memory(void);

#endif
