/* Memory, modules and streams are made once, nothing is waited for but what the program
 * reads, and what repeats is a graph that was captured. */

#include "hand.h"

#include <stdlib.h>

#include "../raw.h"

struct hand {
  int program, release;
  void *kernels[4], *streams[chains_count], *events[chains_count + 1];
  void *graphs[2];
};

static const struct {
  const char *images[2], *kernels[4];
  int streams;
} made_of[programs_count] = {
    {{jacobi_19_kernels_binary, jacobi_22_kernels_binary},
     {"sweep", "residual"},
     1},
    {{cg_19_kernels_binary, cg_22_kernels_binary},
     {"apply", "dot", "update", "direction"},
     1},
    {{heat_19_kernels_binary, heat_22_kernels_binary}, {"slope", "advance"}, 1},
    {{chains_19_kernels_binary, chains_22_kernels_binary},
     {"link"},
     chains_count},
    {.streams = 1}, /* lowered_by_hand.c has its kernels */
};

struct hand *hand_open(int program, int release) {
  struct hand *h = calloc(1, sizeof *h);
  h->program = program;
  h->release = release;
  const char *image = made_of[program].images[release == 22];
  void *module = image == NULL ? NULL : raw_module(image);
  for (int i = 0; i < 4 && made_of[program].kernels[i] != NULL; i++)
    h->kernels[i] = raw_function(module, made_of[program].kernels[i]);
  for (int i = 0; i < made_of[program].streams; i++) {
    h->streams[i] = raw_stream();
    h->events[i] = raw_event();
  }
  h->events[chains_count] = raw_event();
  return h;
}

void hand_close(struct hand *h) {
  for (int i = 0; i < made_of[h->program].streams; i++)
    raw_stream_destroy(h->streams[i]);
  free(h);
}

/* Launches a kernel of arrays and one more parameter, if it has one. */
static void launch(void *kernel, unsigned blocks, unsigned threads,
                   void *stream, int arrays, float *const *array, int64_t n,
                   void *last) {
  static int64_t zero = 0, one = 1;
  void *params[5 * 4 + 1];
  int count = 0;
  for (int i = 0; i < arrays; i++) {
    params[count++] = (void *)&array[i];
    params[count++] = (void *)&array[i];
    params[count++] = &zero;
    params[count++] = &n;
    params[count++] = &one;
  }
  params[count] = last;
  raw_launch_blocks(kernel, (unsigned[]){blocks, 1, 1},
                    (unsigned[]){threads, 1, 1}, stream, params);
}
#define ARRAYS(...)                                                            \
  sizeof((float *[]){__VA_ARGS__}) / sizeof(float *), (float *[]) {            \
    __VA_ARGS__                                                                \
  }

static float sum_of(const float *v, int n) {
  float sum = 0;
  for (int i = 0; i < n; i++)
    sum += v[i];
  return sum;
}

/* Between two readings. */
static void jacobi_sweep(struct hand *h, struct memory *m) {
  void *s = h->streams[0];
  for (int j = 0; j < jacobi_sweeps; j++) {
    launch(h->kernels[0], 256, 256, s, ARRAYS(m->d[0], m->d[1]), jacobi_points,
           NULL);
    launch(h->kernels[0], 256, 256, s, ARRAYS(m->d[1], m->d[0]), jacobi_points,
           NULL);
  }
  launch(h->kernels[1], 4, 256, s, ARRAYS(m->d[0], m->d[1], m->d[2]),
         jacobi_points, NULL);
}

static void jacobi(struct hand *h, struct memory *m, bool graphs) {
  if (graphs && h->graphs[0] == NULL) {
    raw_capture(h->streams[0]);
    jacobi_sweep(h, m);
    h->graphs[0] = raw_captured(h->streams[0], NULL);
  }
  for (int i = 0; i < jacobi_readings; i++) {
    if (graphs)
      raw_graph_launch(h->graphs[0], h->streams[0]);
    else
      jacobi_sweep(h, m);
    raw_copy(m->sums, m->d[2], sizeof *m->sums * jacobi_sums, h->streams[0]);
    raw_stream_synchronize(h->streams[0]);
    m->result = sum_of(m->sums, jacobi_sums);
  }
}

static void dot(struct hand *h, struct memory *m, float *a, float *b) {
  launch(h->kernels[1], 4, 64, h->streams[0], ARRAYS(a, b, m->d[4]), cg_points,
         NULL);
}

static float read_sums(struct hand *h, struct memory *m) {
  raw_copy(m->sums, m->d[4], sizeof *m->sums * cg_sums, h->streams[0]);
  raw_stream_synchronize(h->streams[0]);
  return sum_of(m->sums, cg_sums);
}

/* Launches the work that was put into the stream since raw_capture. */
static void launch_captured(struct hand *h, int graph) {
  h->graphs[graph] = raw_captured(h->streams[0], h->graphs[graph]);
  raw_graph_launch(h->graphs[graph], h->streams[0]);
}

static void conjugate_gradients(struct hand *h, struct memory *m, bool graphs) {
  float *x = m->d[0], *r = m->d[1], *p = m->d[2], *q = m->d[3];
  void *s = h->streams[0];
  dot(h, m, r, r);
  float rr = read_sums(h, m), beta = 0;
  for (int k = 0; k < cg_turns; k++) {
    if (graphs)
      raw_capture(s);
    launch(h->kernels[3], 128, 128, s, ARRAYS(p, r), cg_points, &beta);
    launch(h->kernels[0], 128, 128, s, ARRAYS(p, q), cg_points, NULL);
    dot(h, m, p, q);
    if (graphs)
      launch_captured(h, 0);
    float alpha = rr / read_sums(h, m);
    if (graphs)
      raw_capture(s);
    launch(h->kernels[2], 128, 128, s, ARRAYS(x, r, p, q), cg_points, &alpha);
    dot(h, m, r, r);
    if (graphs)
      launch_captured(h, 1);
    float next = read_sums(h, m);
    beta = next / rr;
    rr = next;
  }
  m->result = rr;
}

static void heat_step(struct hand *h, struct memory *m, float *const *t) {
  float dt = 0.25f, half = 0.125f, *u = m->d[0];
  void *s = h->streams[0];
  launch(h->kernels[0], 128, 128, s, ARRAYS(t[0], u), heat_points, NULL);
  launch(h->kernels[1], 128, 128, s, ARRAYS(t[1], u, t[0]), heat_points, &half);
  launch(h->kernels[0], 128, 128, s, ARRAYS(t[2], t[1]), heat_points, NULL);
  launch(h->kernels[1], 128, 128, s, ARRAYS(u, u, t[2]), heat_points, &dt);
}

static void heat(struct hand *h, struct memory *m, bool graphs) {
  static float *t[3];
  for (int i = 0; i < 3 && t[i] == NULL; i++)
    t[i] = raw_alloc(sizeof *t[i] * heat_points);
  if (graphs && h->graphs[0] == NULL) {
    raw_capture(h->streams[0]);
    for (int i = 0; i < heat_batch; i++)
      heat_step(h, m, t);
    h->graphs[0] = raw_captured(h->streams[0], NULL);
  }
  for (int i = 0; i < heat_steps; i += graphs ? heat_batch : 1)
    if (graphs)
      raw_graph_launch(h->graphs[0], h->streams[0]);
    else
      heat_step(h, m, t);
  raw_stream_synchronize(h->streams[0]);
}

static void chains_round(struct hand *h, struct memory *m) {
  for (int k = 0; k < chains_links; k++)
    for (int64_t c = 0; c < chains_count; c++)
      launch(h->kernels[0], 1, 64, h->streams[c], ARRAYS(m->d[0]),
             chains_points, &c);
}

static void chains(struct hand *h, struct memory *m, bool graphs) {
  if (graphs && h->graphs[0] == NULL) {
    raw_capture(h->streams[0]);
    raw_event_record(h->events[chains_count], h->streams[0]);
    for (int c = 1; c < chains_count; c++)
      raw_stream_wait(h->streams[c], h->events[chains_count]);
    chains_round(h, m);
    for (int c = 1; c < chains_count; c++) {
      raw_event_record(h->events[c], h->streams[c]);
      raw_stream_wait(h->streams[0], h->events[c]);
    }
    h->graphs[0] = raw_captured(h->streams[0], NULL);
  }
  for (int i = 0; i < chains_rounds; i++) {
    if (graphs)
      raw_graph_launch(h->graphs[0], h->streams[0]);
    else
      chains_round(h, m);
    for (int c = 0; c < (graphs ? 1 : chains_count); c++)
      raw_stream_synchronize(h->streams[c]);
  }
}

static void transformer_blocks(struct hand *h, struct memory *m) {
  hand_lowered_stream(h->streams[0]);
  (h->release == 22 ? hand_transformer_22 : hand_transformer_19)(
      AS_MEMREF(m->d[0], transformer_points),
      AS_MEMREF(m->d[1], transformer_attention),
      AS_MEMREF(m->d[2], transformer_wide),
      AS_MEMREF(m->d[3], transformer_wide));
}

/* The graph is captured after a run of launches: nothing is loaded or allocated then. */
static void transformer(struct hand *h, struct memory *m, bool graphs) {
  if (graphs && h->graphs[0] == NULL) {
    raw_capture(h->streams[0]);
    transformer_blocks(h, m);
    h->graphs[0] = raw_captured(h->streams[0], NULL);
  }
  if (graphs)
    raw_graph_launch(h->graphs[0], h->streams[0]);
  else
    transformer_blocks(h, m);
  raw_stream_synchronize(h->streams[0]);
}

void hand_run(struct hand *h, struct memory *m, bool graphs) {
  static void (*const runs[programs_count])(
      struct hand *, struct memory *, bool) = {jacobi, conjugate_gradients,
                                               heat, chains, transformer};
  runs[h->program](h, m, graphs);
}
