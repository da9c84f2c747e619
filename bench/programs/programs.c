/* The programs as lowered, with what they begin with and what has to come out of them,
 * which the host computes here in the plainest way. */

#include "programs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/*---- Jacobi ----------------------------------------------------------------*/

static void jacobi_begin(int array, float *v) {
  for (int i = 0; i < (array < 2 ? jacobi_points : jacobi_sums); i++)
    v[i] = array < 2 && i < jacobi_side ? 1 : 0; /* the upper edge is hot */
}

static void jacobi_expect(float *v) {
  float *w = malloc(sizeof *w * jacobi_points), *a = v, *b = w;
  jacobi_begin(0, v);
  memcpy(w, v, sizeof *w * jacobi_points);
  for (int k = 0; k < 2 * jacobi_sweeps * jacobi_readings; k++) {
    for (int y = 1; y < jacobi_side - 1; y++)
      for (int x = 1; x < jacobi_side - 1; x++) {
        const float *p = a + y * jacobi_side + x;
        b[y * jacobi_side + x] =
            0.25f * ((p[-jacobi_side] + p[jacobi_side]) + (p[-1] + p[1]));
      }
    float *other = a;
    a = b;
    b = other;
  }
  free(w); /* after an even number of sweeps a is v */
}

/*---- Conjugate gradients ---------------------------------------------------*/

static float cg_right(int i) { return i % 7 == 0 ? 1 : -0.25f; }

static void cg_begin(int array, float *v) {
  int n = array == 4 ? cg_sums : cg_points;
  for (int i = 0; i < n; i++)
    v[i] = array == 1 ? cg_right(i) : 0;
}

static void cg_apply(const double *p, double *q) {
  for (int y = 0; y < cg_side; y++)
    for (int x = 0; x < cg_side; x++) {
      int i = y * cg_side + x;
      q[i] = 4 * p[i] - (y > 0 ? p[i - cg_side] : 0) -
             (y < cg_side - 1 ? p[i + cg_side] : 0) - (x > 0 ? p[i - 1] : 0) -
             (x < cg_side - 1 ? p[i + 1] : 0);
    }
}

static void cg_expect(float *v) {
  static double x[cg_points], r[cg_points], p[cg_points], q[cg_points];
  double rr = 0, beta = 0;
  for (int i = 0; i < cg_points; i++) {
    x[i] = p[i] = 0;
    r[i] = cg_right(i);
    rr += r[i] * r[i];
  }
  for (int k = 0; k < cg_turns; k++) {
    double pq = 0, next = 0;
    for (int i = 0; i < cg_points; i++)
      p[i] = r[i] + beta * p[i];
    cg_apply(p, q);
    for (int i = 0; i < cg_points; i++)
      pq += p[i] * q[i];
    for (int i = 0; i < cg_points; i++) {
      x[i] += rr / pq * p[i];
      r[i] -= rr / pq * q[i];
      next += r[i] * r[i];
    }
    beta = next / rr;
    rr = next;
  }
  for (int i = 0; i < cg_points; i++)
    v[i] = (float)x[i];
}

/*---- Heat ------------------------------------------------------------------*/

static void heat_begin(int array, float *v) {
  (void)array;
  for (int i = 0; i < heat_points; i++)
    v[i] = i / 1024 % 2 ? 1 : 0;
}

static void heat_slope(float *k, const float *u) {
  k[0] = k[heat_points - 1] = 0;
  for (int i = 1; i < heat_points - 1; i++)
    k[i] = (u[i - 1] + u[i + 1]) - 2 * u[i];
}

static void heat_expect(float *u) {
  static float k1[heat_points], t[heat_points], k2[heat_points];
  heat_begin(0, u);
  for (int s = 0; s < heat_steps; s++) {
    heat_slope(k1, u);
    for (int i = 0; i < heat_points; i++)
      t[i] = u[i] + 0.125f * k1[i];
    heat_slope(k2, t);
    for (int i = 0; i < heat_points; i++)
      u[i] += 0.25f * k2[i];
  }
}

/*---- Chains ----------------------------------------------------------------*/

static void chains_begin(int array, float *v) {
  (void)array;
  for (int i = 0; i < chains_points; i++)
    v[i] = (float)(i % 64);
}

static void chains_expect(float *v) {
  chains_begin(0, v);
  for (int c = 0; c < chains_count; c++)
    for (int l = 0; l < 64; l++)
      for (int k = 0; k < chains_rounds * chains_links; k++) {
        float *at = &v[1024 * c + l], new = *at;
        for (int i = 0; i < 64; i++)
          new = new * 0.5f + 1;
        *at += new;
      }
}

/*---- As lowered ------------------------------------------------------------*/

#define RUNS(RELEASE, asked)                                                   \
  static void run_jacobi_##asked##RELEASE(struct memory *m) {                  \
    m->result = jacobi_##asked##RELEASE(                                       \
        AS_MEMREF(m->d[0], jacobi_points), AS_MEMREF(m->d[1], jacobi_points),  \
        AS_MEMREF(m->d[2], jacobi_sums), AS_MEMREF(m->sums, jacobi_sums));     \
  }                                                                            \
  static void run_cg_##asked##RELEASE(struct memory *m) {                      \
    m->result = cg_##asked##RELEASE(                                           \
        AS_MEMREF(m->d[0], cg_points), AS_MEMREF(m->d[1], cg_points),          \
        AS_MEMREF(m->d[2], cg_points), AS_MEMREF(m->d[3], cg_points),          \
        AS_MEMREF(m->d[4], cg_sums), AS_MEMREF(m->sums, cg_sums));             \
  }                                                                            \
  static void run_heat_##asked##RELEASE(struct memory *m) {                    \
    heat_##asked##RELEASE(AS_MEMREF(m->d[0], heat_points));                    \
  }                                                                            \
  static void run_chains_##asked##RELEASE(struct memory *m) {                  \
    chains_##asked##RELEASE(AS_MEMREF(m->d[0], chains_points));                \
  }                                                                            \
  static void run_transformer_##asked##RELEASE(struct memory *m) {             \
    transformer_##asked##RELEASE(AS_MEMREF(m->d[0], transformer_points),       \
                                 AS_MEMREF(m->d[1], transformer_attention),    \
                                 AS_MEMREF(m->d[2], transformer_wide),         \
                                 AS_MEMREF(m->d[3], transformer_wide));        \
  }
RUNS(19, )
RUNS(22, )
RUNS(19, asked_)
RUNS(22, asked_)

#define LOWERED_AS(name)                                                       \
  .lowered = {run_##name##_19, run_##name##_22},                               \
  .asked = {run_##name##_asked_19, run_##name##_asked_22}

const struct program programs[programs_count] = {
    {.name = "jacobi",
     .arrays = 3,
     .points = {jacobi_points, jacobi_points, jacobi_sums},
     .begin = jacobi_begin,
     .expect = jacobi_expect,
     .tolerance = 1e-5f,
     LOWERED_AS(jacobi)},
    {.name = "conjugate gradients",
     .arrays = 5,
     .points = {cg_points, cg_points, cg_points, cg_points, cg_sums},
     .begin = cg_begin,
     .expect = cg_expect,
     .tolerance = 1e-2f,
     LOWERED_AS(cg)},
    {.name = "heat, with temporaries",
     .arrays = 1,
     .points = {heat_points},
     .begin = heat_begin,
     .expect = heat_expect,
     .tolerance = 1e-5f,
     LOWERED_AS(heat)},
    {.name = "eight chains of small kernels",
     .arrays = 1,
     .points = {chains_points},
     .begin = chains_begin,
     .expect = chains_expect,
     .tolerance = 1e-3f,
     LOWERED_AS(chains)},
    {.name = "transformer, ten blocks",
     .arrays = 4,
     .points = {transformer_points, transformer_attention, transformer_wide,
                transformer_wide},
     .begin = transformer_begin,
     .expect = transformer_expect,
     .tolerance = 1e-3f,
     LOWERED_AS(transformer)},
};

float program_error(const struct program *p, const float *values) {
  static float expected[65536];
  float most = 0;
  p->expect(expected);
  for (int i = 0; i < p->points[p->result]; i++) {
    float d = fabsf(values[i] - expected[i]);
    if (!(d <= most)) /* or NaN */
      most = d;
  }
  return most;
}
