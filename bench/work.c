/* work NAME OUT [PARTS]: measures the library that it finds as
 * libmlir_cuda_runtime.so, and writes one line per sample to OUT:
 *
 *   work <tab> who <tab> beside whom <tab> block of time <tab> microseconds
 *
 * "hoisted" is the vendor's library used directly, by this process, in turns with
 * the measured one. Linked with forward.c, it is "stock", a library too, and both are
 * files that OTHER and LIBRARY name.
 *
 * PARTS is some of "lbtcapPmwgr": loops, bursts, threads, churn,
 * allocations, rounds of several threads, programs, memory copies, waits, graphs,
 * resident memory. "work --what" prints the device.
 *
 *   BENCH_QUICK  a number by which the work is divided */

#define _GNU_SOURCE
#include "work.h"

#include <mgpu_runtime.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "image.h"

/* Stock has no such function. */
extern __typeof__(mgpuxGetStats) mgpuxGetStats __attribute__((weak));

void *empty[whos], *spin[whos], *args[whos];
double ticks_per_us;

static const char *name;
static FILE *out;
static double quick = 1;

double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e6 + (double)t.tv_nsec * 1e-3;
}

struct bound at_most(long samples, double seconds) {
  return (struct bound){(long)ceil((double)samples / quick),
                        now() + seconds * 1e6 / quick};
}

bool within(const struct bound *b, long done) {
  return done < b->samples && (done < 3 || now() < b->until);
}

static int block;

void next_block(void) { block++; }

void sample(const char *work, enum who who, double us) {
  bool paired = forward_to != NULL;
  fprintf(out, "%s\t%s\t%s\t%d\t%.3f\n", work,
          who == library ? name
          : paired       ? "stock"
                         : "hoisted",
          who == library && paired ? "stock" : name, block, us);
}

bool by_hand(enum who w) {
  if (forward_to == NULL)
    return w == other;
  forward_to(w);
  return false;
}

void *stream_create(enum who w) {
  return by_hand(w) ? raw_stream() : mgpuStreamCreate();
}

void stream_destroy(enum who w, void *stream) {
  if (by_hand(w))
    raw_stream_destroy(stream);
  else
    mgpuStreamDestroy(stream);
}

void launch(enum who w, void *function, void *stream, void **params) {
  if (by_hand(w))
    raw_launch(function, stream, params);
  else
    mgpuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, stream, params, NULL, 0);
}

void synchronize(enum who w, void *stream) {
  if (by_hand(w))
    raw_stream_synchronize(stream);
  else
    mgpuStreamSynchronize(stream);
}

static void load_kernels(void) {
  for (enum who w = 0; w < whos; w++) {
    bool raw = by_hand(w);
    void *m = raw ? raw_module(kernels_image) : runtime_module(kernels_image);
    void *(*function)(void *, const char *) =
        raw ? raw_function : mgpuModuleGetFunction;
    empty[w] = function(m, "empty");
    spin[w] = function(m, "spin");
    args[w] = function(m, "args");
    if (empty[w] == NULL || spin[w] == NULL || args[w] == NULL) {
      fprintf(stderr, "work: the measured library loads no kernels\n");
      exit(1);
    }
  }
}

/* Two kernels that differ by a known number of ticks tell how long a tick is. */
static double measured_ticks_per_us(void) {
  double took[2] = {1e300, 1e300};
  unsigned long ticks[2] = {100000, 1100000};
  void *s = stream_create(other);
  for (int round = 0; round < 5; round++)
    for (int i = 0; i < 2; i++) {
      double t0 = now();
      launch(other, spin[other], s, (void *[]){&ticks[i]});
      synchronize(other, s);
      double us = now() - t0;
      if (us < took[i])
        took[i] = us;
    }
  stream_destroy(other, s);
  return (double)(ticks[1] - ticks[0]) / (took[1] - took[0]);
}

int main(int argc, char **argv) {
  const char *why = raw_open();
  if (why != NULL) {
    fprintf(stderr, "work: no device: %s\n", why);
    return 1;
  }
  if (argc == 2 && strcmp(argv[1], "--what") == 0) {
    raw_describe(stdout);
    putchar('\n');
    fflush(stdout);
    _exit(0);
  }
  if (argc < 3 || (out = fopen(argv[2], "w")) == NULL) {
    fprintf(stderr, "usage: work NAME OUT [PARTS] | work --what\n");
    return 2;
  }
  name = argv[1];
  const char *parts = argc > 3 ? argv[3] : "lbtcapPmwg";
  if (getenv("BENCH_QUICK"))
    quick = fmax(1, atof(getenv("BENCH_QUICK")));
  raw_bind();
  load_kernels();
  ticks_per_us = raw_ticks_per_us();
  if (ticks_per_us == 0)
    ticks_per_us = measured_ticks_per_us();
  static const int threads[] = {4, 16}, crowds[] = {1, 2, 4, 8, 16};
  static const size_t allocations[] = {4 << 10, 64 << 10, 1 << 20, 16 << 20,
                                       64 << 20};
  static const size_t copies[] = {4 << 10, 64 << 10, 1 << 20, 16 << 20};
  static const double waits[] = {300, 1000, 10000};
#define EACH(array, i) for (size_t i = 0; i < sizeof array / sizeof *array; i++)
  for (; *parts; parts++)
    switch (*parts) {
    case 'l':
      measure_loops();
      break;
    case 'b':
      measure_bursts(1);
      EACH(threads, i) measure_bursts(threads[i]);
      break;
    case 't':
      EACH(threads, i) measure_loops_of(threads[i]);
      break;
    case 'c':
      measure_churn();
      break;
    case 'a':
      EACH(allocations, i) measure_alloc(allocations[i]);
      measure_alloc_of(1, 1 << 20);
      measure_alloc_of(16, 1 << 20);
      measure_rounds(64 << 10);
      break;
    case 'p':
      EACH(crowds, i) {
        measure_rounds_of(crowds[i], 16 << 10);
        measure_rounds_of(crowds[i], 256 << 10);
      }
      break;
    case 'P':
      measure_programs();
      break;
    case 'q':
      measure_programs_alone(library);
      break;
    case 'Q':
      measure_programs_alone(other);
      break;
    case 'm':
      EACH(copies, i) measure_copy(copies[i]);
      break;
    case 'g':
      measure_graphs();
      break;
    case 'o': /* in processes of their own */
      measure_regions_alone(library);
      break;
    case 'O':
      measure_regions_alone(other);
      break;
    case 'd':
      measure_rounds_alone(library, 64 << 10);
      break;
    case 'D':
      measure_rounds_alone(other, 64 << 10);
      break;
    case 'r':
      measure_memory();
      break;
    case 'w':
      EACH(waits, i) measure_wait(waits[i], 0);
      EACH(waits, i) measure_wait(waits[i], 8);
      break;
    default:
      fprintf(stderr, "work: no part '%c'\n", *parts);
      return 2;
    }
  struct mgpux_stats s = {0};
  if (mgpuxGetStats != NULL && mgpuxGetStats(&s, sizeof s) != 0 &&
      strcmp(s.driver, RAW) != 0) {
    fprintf(stderr, "work: the measured library drives '%s', not '%s'\n",
            s.driver, RAW);
    return 1;
  }
  if (fclose(out) != 0)
    return 1;
  /* Not through exit: the lowered code unloads its modules there, when the vendor's
   * library is gone, and stock says so. */
  _exit(0);
}
