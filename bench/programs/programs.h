/* The programs: as lowered by a release of MLIR, and by hand. */
#ifndef BENCH_PROGRAMS_H
#define BENCH_PROGRAMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A memref of one dimension as lowered functions take it: five arguments. */
#define MEMREF void *, void *, int64_t, int64_t, int64_t
#define AS_MEMREF(p, n) (p), (p), 0, (n), 1

/* The functions of a release, and the image of its kernels. The asked ones use
 * extensions: regions. */
#define LOWERED(RELEASE)                                                       \
  float jacobi_##RELEASE(MEMREF, MEMREF, MEMREF, MEMREF);                      \
  float jacobi_asked_##RELEASE(MEMREF, MEMREF, MEMREF, MEMREF);                \
  float cg_##RELEASE(MEMREF, MEMREF, MEMREF, MEMREF, MEMREF, MEMREF);          \
  float cg_asked_##RELEASE(MEMREF, MEMREF, MEMREF, MEMREF, MEMREF, MEMREF);    \
  void heat_##RELEASE(MEMREF);                                                 \
  void heat_asked_##RELEASE(MEMREF);                                           \
  void chains_##RELEASE(MEMREF);                                               \
  void chains_asked_##RELEASE(MEMREF);                                         \
  void transformer_##RELEASE(MEMREF, MEMREF, MEMREF, MEMREF);                  \
  void transformer_asked_##RELEASE(MEMREF, MEMREF, MEMREF, MEMREF);            \
  extern const char jacobi_##RELEASE##_kernels_binary[],                       \
      cg_##RELEASE##_kernels_binary[], heat_##RELEASE##_kernels_binary[],      \
      chains_##RELEASE##_kernels_binary[];
LOWERED(19)
LOWERED(22)

enum {
  jacobi_side = 256,
  jacobi_points = jacobi_side * jacobi_side,
  jacobi_sums = 1024,
  jacobi_readings = 20,
  jacobi_sweeps = 25, /* there and back, between two readings */
  cg_side = 128,
  cg_points = cg_side * cg_side,
  cg_sums = 256,
  cg_turns = 100,
  heat_points = 16384,
  heat_steps = 1000,
  heat_batch = 50,
  chains_points = 8192,
  chains_count = 8,
  chains_links = 4,
  chains_rounds = 100,
  transformer_tokens = 32,
  transformer_width = 32,
  transformer_heads = 4,
  transformer_points = transformer_tokens * transformer_width,
  transformer_attention = 4 * transformer_width * transformer_width,
  transformer_wide = 64 * transformer_width, /* a matrix up, and one down */
  transformer_blocks_count = 10,
};

/* What a program works on: device memory by way of mgpu or of the vendor, and the host's
 * copy of its results. */
struct memory {
  float *d[5];
  float host[65536], sums[1024];
  float result;
};

/* A program: how much device memory it takes, what that begins with, and what has to
 * come out. */
struct program {
  const char *name;
  int arrays;
  int points[5];
  void (*begin)(int array, float *values);
  int result; /* the array that is checked; its values at the end: */
  void (*expect)(float *values);
  float tolerance;
  void (*lowered[2])(struct memory *),
      (*asked[2])(struct memory *); /* 19, 22 */
};

enum { programs_count = 5 };
extern const struct program programs[programs_count];

/* transformer.c */
void transformer_begin(int array, float *values);
void transformer_expect(float *values);

/* The largest difference between a program's results and the expected ones. */
float program_error(const struct program *, const float *values);

#endif
