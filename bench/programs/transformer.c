/* A transformer's blocks, computed in the plainest way: see transformer.mlir. */

#include "programs.h"

#include <math.h>

enum {
  tokens = transformer_tokens,
  width = transformer_width,
  heads = transformer_heads,
  each = width / heads,
  wide = transformer_wide / width,
};

static float number(int i, int array) {
  return (float)((i * 7919 + array * 104729) % 1009) / 1009 - 0.5f;
}

void transformer_begin(int array, float *v) {
  static const int count[] = {transformer_points, transformer_attention,
                              transformer_wide, transformer_wide};
  for (int i = 0; i < count[array]; i++)
    v[i] = number(i, array) * (array == 0 ? 2 : 0.5f);
}

/* Returns rows with mean 0 and variance 1. */
static void normalize(double (*x)[width], double (*out)[width]) {
  for (int i = 0; i < tokens; i++) {
    double mean = 0, spread = 0;
    for (int c = 0; c < width; c++)
      mean += x[i][c] / width;
    for (int c = 0; c < width; c++)
      spread += (x[i][c] - mean) * (x[i][c] - mean) / width;
    for (int c = 0; c < width; c++)
      out[i][c] = (x[i][c] - mean) / sqrt(spread + 1e-5);
  }
}

/* What token i gets of those up to itself, by one head. */
static void attend(double (*qkv)[3 * width], int i, int head, double *seen) {
  double weight[tokens], most = -INFINITY, sum = 0;
  for (int j = 0; j <= i; j++) {
    weight[j] = 0;
    for (int c = head * each; c < (head + 1) * each; c++)
      weight[j] += qkv[i][c] * qkv[j][width + c] / sqrt(each);
    most = fmax(most, weight[j]);
  }
  for (int j = 0; j <= i; j++)
    sum += weight[j] = exp(weight[j] - most);
  for (int c = head * each; c < (head + 1) * each; c++) {
    seen[c] = 0;
    for (int j = 0; j <= i; j++)
      seen[c] += weight[j] / sum * qkv[j][2 * width + c];
  }
}

static void block(double (*x)[width], const float *attention, const float *up,
                  const float *down) {
  static double normal[tokens][width], qkv[tokens][3 * width];
  const float *in = attention, *out = attention + 3 * width * width;
  normalize(x, normal);
  for (int i = 0; i < tokens; i++)
    for (int n = 0; n < 3 * width; n++) {
      qkv[i][n] = 0;
      for (int c = 0; c < width; c++)
        qkv[i][n] += normal[i][c] * (double)in[c * 3 * width + n];
    }
  for (int i = 0; i < tokens; i++) {
    double seen[width];
    for (int head = 0; head < heads; head++)
      attend(qkv, i, head, seen);
    for (int n = 0; n < width; n++)
      for (int c = 0; c < width; c++)
        x[i][n] += seen[c] * (double)out[c * width + n];
  }
  normalize(x, normal);
  for (int i = 0; i < tokens; i++)
    for (int w = 0; w < wide; w++) {
      double h = 0;
      for (int c = 0; c < width; c++)
        h += normal[i][c] * (double)up[c * wide + w];
      h /= 1 + exp(-1.702 * h);
      for (int n = 0; n < width; n++)
        x[i][n] += h * (double)down[w * width + n];
    }
}

void transformer_expect(float *v) {
  static float weights[3][transformer_attention];
  static double x[tokens][width];
  transformer_begin(0, v);
  for (int a = 1; a < 4; a++)
    transformer_begin(a, weights[a - 1]);
  for (int i = 0; i < transformer_points; i++)
    x[i / width][i % width] = (double)v[i];
  for (int b = 0; b < transformer_blocks_count; b++)
    block(x, weights[0], weights[1], weights[2]);
  for (int i = 0; i < transformer_points; i++)
    v[i] = (float)x[i / width][i % width];
}
