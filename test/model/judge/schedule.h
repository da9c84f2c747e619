/* See schedule.c. */
#ifndef MGPU_MODEL_SCHEDULE_H
#define MGPU_MODEL_SCHEDULE_H

#include <stdbool.h>
#include <stdint.h>

enum { schedule_most = 8 };

/* Starts the schedule of a seed for so many threads, 8 at most. */
void schedule_begin(int threads, uint64_t seed);

/* Enters the schedule as one of its threads, and leaves it. */
void schedule_enter(int thread);
void schedule_leave(void);

/* Counts a step of the calling thread. */
void schedule_step(void);

/* Lets other threads go on for so many of their steps, if they can. */
void schedule_pause(uint64_t steps);

/* Lets another thread go on: the calling one waits for something. */
void schedule_yield(void);

/* Lets another thread go on, if the seed says so. */
void schedule_stop(void);

/* Ends or resumes the stops of the calling thread; nests. */
void schedule_hold(bool on);

/* Lets all threads run from now on. */
void schedule_open(void);

#endif
