/* The programs by hand over the vendor's library, with the kernels of the lowered ones. */
#ifndef BENCH_PROGRAMS_HAND_H
#define BENCH_PROGRAMS_HAND_H

#include "programs.h"

/* What a person makes once: streams, kernels and, with graphs, those. */
struct hand;
struct hand *hand_open(int program, int release);
void hand_close(struct hand *);

/* Runs the program, by launches or by graphs. */
void hand_run(struct hand *, struct memory *, bool graphs);

#endif
