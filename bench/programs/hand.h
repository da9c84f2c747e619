/* The programs by hand over the vendor's library, with the kernels of the lowered ones. */
#ifndef BENCH_PROGRAMS_HAND_H
#define BENCH_PROGRAMS_HAND_H

#include "programs.h"

/* Created once by the programs by hand: streams, kernels and, where they are used, graphs. */
struct hand;
struct hand *hand_open(int program, int release);
void hand_close(struct hand *);

/* Runs the program, by launches or by graphs. */
void hand_run(struct hand *, struct memory *, bool graphs);

/* The transformer as lowered, with calls by hand in the place of
 * mgpu's: lowered_by_hand.c. */
void hand_transformer_19(MEMREF, MEMREF, MEMREF, MEMREF);
void hand_transformer_22(MEMREF, MEMREF, MEMREF, MEMREF);

/* Has the lowered code submit its work to a stream. */
void hand_lowered_stream(void *stream);

#endif
