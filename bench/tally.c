/* tally FILE...: the samples that work wrote, as tables, and the targets. Prints
 * Markdown. Exits with 3 where a target is missed.
 *
 * On a virtual machine whole processes are faster or slower at waits, the hoisted
 * program with them, and there are episodes in which everything is late. So a
 * target for waits is judged twice: by all samples, ours against stock's, which
 * come from different processes; and "beside hoisted", by how much later than the
 * hoisted program's waits in the same process each is, block by block (350 samples,
 * 100 of the longest), the median over the blocks.
 *
 * Ratios of medians are taken round by round: what processes that follow each other
 * have in common is not part of them then. The tables show the median over the rounds,
 * the targets also between what they lie.
 *
 * A column "hoisted" is of the samples that a process took in turns with those of
 * "ours", the cached library: both saw the same machine. */

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct series {
  char work[96], who[16], beside[16];
  double *v;
  size_t n, room;
  int last_block;
  size_t blocks,
      begin[256];   /* of the blocks, while v is in the order of time */
  double block_p99; /* the median of the blocks' */
  double p50s[256], p99s[256]; /* of the blocks, in the order of time */
};

static struct series *all;
static size_t count;

static struct series *find(const char *work, const char *who,
                           const char *beside) {
  for (size_t i = count; i-- > 0;)
    if (!strcmp(all[i].work, work) && !strcmp(all[i].who, who) &&
        !strcmp(all[i].beside, beside))
      return &all[i];
  return NULL;
}

static void add(const char *work, const char *who, const char *beside,
                int block, double v) {
  struct series *s = find(work, who, beside);
  if (s == NULL) {
    all = realloc(all, (count + 1) * sizeof *all);
    if (all == NULL)
      abort();
    s = &all[count++];
    memset(s, 0, sizeof *s);
    snprintf(s->work, sizeof s->work, "%s", work);
    snprintf(s->who, sizeof s->who, "%s", who);
    snprintf(s->beside, sizeof s->beside, "%s", beside);
  }
  if (s->n == s->room) {
    s->room = s->room ? 2 * s->room : 1024;
    s->v = realloc(s->v, s->room * sizeof *s->v);
    if (s->v == NULL)
      abort();
  }
  if ((s->blocks == 0 || s->last_block != block) &&
      s->blocks < sizeof s->begin / sizeof *s->begin) {
    s->last_block = block;
    s->begin[s->blocks++] = s->n;
  }
  s->v[s->n++] = v;
}

static int files;

static bool read_file(const char *path) {
  FILE *f = fopen(path, "r");
  if (f == NULL) {
    fprintf(stderr, "tally: %s can't be read\n", path);
    return false;
  }
  char line[256];
  while (fgets(line, sizeof line, f)) {
    char *work = strtok(line, "\t"), *who = strtok(NULL, "\t"),
         *beside = strtok(NULL, "\t");
    char *block = strtok(NULL, "\t"), *v = strtok(NULL, "\t\n");
    if (v != NULL)
      add(work, who, beside, 1000 * files + atoi(block), atof(v));
  }
  fclose(f);
  files++;
  return true;
}

static int ascending(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* The value below which p percent of a series lie; NAN of none. */
static double percentile(const struct series *s, double p) {
  if (s == NULL || s->n == 0)
    return NAN;
  size_t at = (size_t)ceil(p / 100 * (double)s->n);
  return s->v[at > 0 ? at - 1 : 0];
}

enum { p99_of_blocks = -99 };

static const struct series *series_of(const char *work, const char *who) {
  return find(work, who, strcmp(who, "hoisted") ? who : "ours");
}

static double of(const char *work, const char *who, double p) {
  const struct series *s = series_of(work, who);
  if (p == p99_of_blocks)
    return s ? s->block_p99 : NAN;
  return percentile(s, p);
}

/* Sorts a series, its blocks first. */
static void order(struct series *s) {
  double p99[sizeof s->begin / sizeof *s->begin];
  for (size_t b = 0; b < s->blocks; b++) {
    size_t end = b + 1 < s->blocks ? s->begin[b + 1] : s->n;
    struct series block = {.v = s->v + s->begin[b], .n = end - s->begin[b]};
    qsort(block.v, block.n, sizeof *block.v, ascending);
    s->p50s[b] = percentile(&block, 50);
    s->p99s[b] = p99[b] = percentile(&block, 99);
  }
  qsort(p99, s->blocks, sizeof *p99, ascending);
  s->block_p99 = s->blocks ? p99[(s->blocks - 1) / 2] : NAN;
  qsort(s->v, s->n, sizeof *s->v, ascending);
}

/* How much later than the hoisted program's in the block beside it: the median over
 * the blocks. */
static double beside(const char *work, const char *who, double p) {
  const struct series *s = find(work, who, who),
                      *h = find(work, "hoisted", who);
  if (s == NULL || h == NULL || s->blocks == 0 || s->blocks != h->blocks)
    return NAN;
  double d[sizeof s->begin / sizeof *s->begin];
  for (size_t b = 0; b < s->blocks; b++)
    d[b] = p == 50 ? s->p50s[b] - h->p50s[b] : s->p99s[b] - h->p99s[b];
  qsort(d, s->blocks, sizeof *d, ascending);
  return (d[(s->blocks - 1) / 2] + d[s->blocks / 2]) / 2;
}

/* The ratio of two medians, round by round where there are as many of each: its median
 * over the rounds, and between what it lies. */
struct ratio {
  double median, least, most;
};

static struct ratio ratio_between(const struct series *a,
                                  const struct series *b) {
  if (a == NULL || b == NULL || a->blocks == 0 || a->blocks != b->blocks) {
    double all = percentile(a, 50) / percentile(b, 50);
    return (struct ratio){all, all, all};
  }
  double r[sizeof a->begin / sizeof *a->begin];
  for (size_t i = 0; i < a->blocks; i++)
    r[i] = a->p50s[i] / b->p50s[i];
  qsort(r, a->blocks, sizeof *r, ascending);
  return (struct ratio){(r[(a->blocks - 1) / 2] + r[a->blocks / 2]) / 2, r[0],
                        r[a->blocks - 1]};
}

static struct ratio ratio_of(const char *work, const char *more,
                             const char *less) {
  return ratio_between(series_of(work, more), series_of(work, less));
}

/* Three digits, and never fewer than those before the point. */
static void number(double v) {
  if (isnan(v))
    printf("-");
  else
    printf("%.*f", fabs(v) < 10 ? 2 : fabs(v) < 100 ? 1 : 0, v);
}

/* Of a process that measured a library in turns with stock. */
static bool is_paired(const struct series *s) {
  return strcmp(s->who, "hoisted") && strcmp(s->who, s->beside);
}

static bool is_wait(const char *work) { return !strncmp(work, "lateness", 8); }

static const char *const who[] = {"stock", "off", "plain", "ours", "hoisted"};
enum { columns = sizeof who / sizeof *who, stock = 0, by_hand = columns - 1 };

static bool in_table(const struct series *s, bool waits) {
  return is_wait(s->work) == waits && !is_paired(s);
}

static void table(bool waits) {
  size_t any = 0;
  while (any < count && !in_table(&all[any], waits))
    any++;
  if (any == count)
    return;
  printf("\n| us: median / %s | samples |",
         waits ? "p99 / p99 of blocks" : "p95");
  for (size_t w = 0; w < columns; w++)
    printf(" %s |", who[w]);
  printf(waits ? " ours - stock | ours - hoisted |\n"
               : " stock : ours | ours : hoisted |\n");
  printf("|---|---|---|---|---|---|---|---|---|\n");
  for (size_t i = 0; i < count; i++) {
    const char *work = all[i].work;
    if (!in_table(&all[i], waits))
      continue;
    bool first = true;
    for (size_t k = 0; k < i && first; k++)
      first = strcmp(all[k].work, work) != 0;
    if (!first)
      continue;
    struct series *ours = find(work, "ours", "ours");
    printf("| %s | %zu |", work, ours ? ours->n : all[i].n);
    for (size_t w = 0; w < columns; w++) {
      printf(" ");
      number(of(work, who[w], 50));
      printf(" / ");
      number(of(work, who[w], waits ? 99 : 95));
      if (waits) {
        printf(" / ");
        number(of(work, who[w], p99_of_blocks));
      }
      printf(" |");
    }
    for (size_t against = stock; against < columns; against += by_hand) {
      double ours_us = of(work, "ours", 50), other = of(work, who[against], 50);
      printf(" ");
      number(waits              ? ours_us - other
             : against == stock ? ratio_of(work, who[against], "ours").median
                                : ratio_of(work, "ours", who[against]).median);
      printf(" |");
    }
    printf("\n");
  }
}

/* The targets: a difference or a ratio, and its bound. */
enum what { at_most_ratio, at_least_ratio, at_most_more, at_most_more_beside };

static const struct target {
  const char *work, *more, *less; /* whose value, against whose */
  double p;
  enum what what;
  double bound;
} targets[] = {
    {"loop, MLIR 19, 1 thread", "ours", "hoisted", 50, at_most_ratio, .82},
    {"loop, MLIR 22, 1 thread", "ours", "hoisted", 50, at_most_ratio, .82},
    {"loop, MLIR 19, 1 thread", "plain", "hoisted", 50, at_most_ratio, 1.05},
    {"loop, MLIR 22, 1 thread", "plain", "hoisted", 50, at_most_ratio, 1.05},
    {"loop, MLIR 19, 16 threads", "stock", "ours", 50, at_least_ratio, 30},
    {"loop, MLIR 22, 16 threads", "stock", "ours", 50, at_least_ratio, 6},
    {"128 launches, only issued, 1 thread", "plain", "hoisted", 50,
     at_most_more, .35},
    {"128 launches, only issued, 1 thread", "ours", "hoisted", 50,
     at_most_ratio, .65},
    {"128 launches, only issued, same parameters", "ours", "hoisted", 50,
     at_most_ratio, .65},
    {"128 launches, only issued, new parameters", "ours", "hoisted", 50,
     at_most_ratio, .65},
    {"launch, wait, same parameters, only issued", "ours", "hoisted", 50,
     at_most_ratio, .65},
    {"launch, wait, new parameters, only issued", "ours", "hoisted", 50,
     at_most_ratio, .65},
    {"a region of 128 launches, new parameters", "ours", "hoisted", 50,
     at_most_ratio, .5},
    {"a region of 128 launches, unchanged", "ours", "hoisted", 50,
     at_most_ratio, .32},
    {"alloc, free, 1 MiB", "stock", "ours", 50, at_least_ratio, 300},
    {"alloc, free, 4 KiB, beside the driver's own pool", "ours", "hoisted", 50,
     at_most_ratio, 1},
    {"alloc, free, 1 MiB, beside the driver's own pool", "ours", "hoisted", 50,
     at_most_ratio, 1},
    {"alloc, free, 64 MiB, beside the driver's own pool", "ours", "hoisted", 50,
     at_most_ratio, 1},
    {"alloc, copy, launch, copy, free, 64 KiB", "stock", "ours", 50,
     at_least_ratio, 3},
    {"alloc, copy, launch, copy, free, 64 KiB, alone", "stock", "ours", 50,
     at_least_ratio, 3},
    {"jacobi, MLIR 22", "ours", "hoisted", 50, at_most_ratio, 1.02},
    {"jacobi, MLIR 22, regions", "ours", "hoisted", 50, at_most_ratio, 1.05},
    {"jacobi, MLIR 22, regions, alone", "ours", "hoisted", 50, at_most_ratio,
     1.05},
    {"conjugate gradients, MLIR 22", "ours", "hoisted", 50, at_most_ratio,
     1.02},
    {"conjugate gradients, MLIR 22, regions", "ours", "hoisted", 50,
     at_most_ratio, 1.05},
    {"conjugate gradients, MLIR 22, regions, alone", "ours", "hoisted", 50,
     at_most_ratio, 1.05},
    {"heat, with temporaries, MLIR 22", "ours", "hoisted", 50, at_most_ratio,
     1.02},
    {"heat, with temporaries, MLIR 22, regions", "ours", "hoisted", 50,
     at_most_ratio, 1.05},
    {"heat, with temporaries, MLIR 22, regions, alone", "ours", "hoisted", 50,
     at_most_ratio, 1.05},
    {"eight chains of small kernels, MLIR 22", "ours", "hoisted", 50,
     at_most_ratio, 1.02},
    {"eight chains of small kernels, MLIR 22, regions", "ours", "hoisted", 50,
     at_most_ratio, 1.05},
    {"eight chains of small kernels, MLIR 22, regions, alone", "ours",
     "hoisted", 50, at_most_ratio, 1.05},
    {"transformer, ten blocks, MLIR 22", "ours", "hoisted", 50, at_most_ratio,
     1.02},
    {"transformer, ten blocks, MLIR 22, regions", "ours", "hoisted", 50,
     at_most_ratio, 1.05},
    {"transformer, ten blocks, MLIR 22, regions, alone", "ours", "hoisted", 50,
     at_most_ratio, 1.05},
    {"lateness of a wait, 0.3 ms", "ours", "stock", 50, at_most_more, 2},
    {"lateness of a wait, 0.3 ms", "ours", "stock", 50, at_most_more_beside, 2},
    {"lateness of a wait, 0.3 ms", "ours", "stock", 99, at_most_more, 10},
    {"lateness of a wait, 0.3 ms", "ours", "stock", 99, at_most_more_beside,
     10},
    {"lateness of a wait, 1 ms", "ours", "stock", 50, at_most_more, 2},
    {"lateness of a wait, 1 ms", "ours", "stock", 50, at_most_more_beside, 2},
    {"lateness of a wait, 1 ms", "ours", "stock", 99, at_most_more, 10},
    {"lateness of a wait, 1 ms", "ours", "stock", 99, at_most_more_beside, 10},
    {"lateness of a wait, 10 ms", "ours", "stock", 50, at_most_more, 2},
    {"lateness of a wait, 10 ms", "ours", "stock", 50, at_most_more_beside, 2},
    {"lateness of a wait, 10 ms", "ours", "stock", 99, at_most_more, 10},
    {"lateness of a wait, 10 ms", "ours", "stock", 99, at_most_more_beside, 10},
    {"lateness of a wait, 0.3 ms, 8 others waiting", "ours", "stock", 50,
     at_most_more, 2},
    {"lateness of a wait, 0.3 ms, 8 others waiting", "ours", "stock", 50,
     at_most_more_beside, 2},
    {"lateness of a wait, 0.3 ms, 8 others waiting", "ours", "stock", 99,
     at_most_more, 10},
    {"lateness of a wait, 0.3 ms, 8 others waiting", "ours", "stock", 99,
     at_most_more_beside, 10},
    {"lateness of a wait, 1 ms, 8 others waiting", "ours", "stock", 50,
     at_most_more, 2},
    {"lateness of a wait, 1 ms, 8 others waiting", "ours", "stock", 50,
     at_most_more_beside, 2},
    {"lateness of a wait, 1 ms, 8 others waiting", "ours", "stock", 99,
     at_most_more, 10},
    {"lateness of a wait, 1 ms, 8 others waiting", "ours", "stock", 99,
     at_most_more_beside, 10},
    {"lateness of a wait, 10 ms, 8 others waiting", "ours", "stock", 50,
     at_most_more, 2},
    {"lateness of a wait, 10 ms, 8 others waiting", "ours", "stock", 50,
     at_most_more_beside, 2},
    {"lateness of a wait, 10 ms, 8 others waiting", "ours", "stock", 99,
     at_most_more, 10},
    {"lateness of a wait, 10 ms, 8 others waiting", "ours", "stock", 99,
     at_most_more_beside, 10},
};

static bool check_targets(void) {
  bool met = true;
  size_t rows = 0;
  for (size_t i = 0; i < sizeof targets / sizeof *targets; i++) {
    const struct target *t = &targets[i];
    double more = of(t->work, t->more, t->p), less = of(t->work, t->less, t->p);
    struct ratio r = ratio_of(t->work, t->more, t->less);
    double v = t->what == at_most_more ? more - less : r.median;
    if (t->what == at_most_more_beside)
      v = beside(t->work, t->more, t->p) - beside(t->work, t->less, t->p);
    if (isnan(v))
      continue;
    bool ok = t->what == at_least_ratio ? v >= t->bound : v <= t->bound;
    met = met && ok;
    if (rows++ == 0)
      printf("\n| target | | bound | measured | |\n|---|---|---|---|---|\n");
    printf("| %s | %s %s %s, %s%s | %s ", t->work, t->more,
           t->what >= at_most_more ? "-" : ":", t->less,
           t->p == 50 ? "median" : "p99",
           t->what == at_most_more_beside ? ", beside hoisted" : "",
           t->what == at_least_ratio ? ">=" : "<=");
    number(t->bound);
    printf(" | ");
    number(v);
    if (t->what < at_most_more && r.least < r.most) {
      printf(" (");
      number(r.least);
      printf(" to ");
      number(r.most);
      printf(")");
    }
    printf(" | %s |\n", ok ? "met" : "MISSED");
  }
  return met;
}

/* How many times as long as stock a library takes in the same process, round by round. */
static struct ratio against_stock(const char *work, const char *name) {
  return ratio_between(find(work, name, "stock"), find(work, "stock", name));
}

/* No row may be slower than stock. */
static bool check_stock(void) {
  static const double bound = 1.02;
  static const char *const names[] = {"again", "off", "plain", "ours"};
  enum { libraries = sizeof names / sizeof *names };
  bool met = true;
  size_t rows = 0;
  for (size_t i = 0; i < count; i++) {
    const char *work = all[i].work;
    bool first = is_paired(&all[i]) && !strcmp(all[i].who, "stock");
    for (size_t k = 0; k < i && first; k++)
      first = strcmp(all[k].work, work) || !is_paired(&all[k]);
    if (!first)
      continue;
    if (rows++ == 0)
      printf("\n| times as long as stock, in one process | stock | off "
             "| plain | ours |\n|---|---|---|---|---|\n");
    printf("| %s |", work);
    for (int n = 0; n < libraries; n++) {
      struct ratio r = against_stock(work, names[n]);
      printf(" ");
      number(r.median);
      if (!isnan(r.median)) {
        printf(" (");
        number(r.least);
        printf(" to ");
        number(r.most);
        printf(")%s", r.median > bound ? " MISSED" : "");
      }
      printf(" |");
      met = met && !(r.median > bound);
    }
    printf("\n");
  }
  if (rows > 0)
    printf("\n%zu rows compared with stock, at most %.2f x allowed.\n", rows,
           bound);
  return met;
}

int main(int argc, char **argv) {
  for (int i = 1; i < argc; i++)
    if (!read_file(argv[i]))
      return 1;
  if (count == 0) {
    fprintf(stderr, "tally: no samples\n");
    return 1;
  }
  for (size_t i = 0; i < count; i++)
    order(&all[i]);
  table(false);
  table(true);
  bool met = check_targets();
  return check_stock() && met ? 0 : 3;
}
