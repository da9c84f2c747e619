// libraries: one small problem for each of AMD's libraries of kernels, over
// AMD's HIP, checked on the host.
//
//   libraries gemm|solve|fft|matmul HIP LIBRARY
//
// HIP and LIBRARY are files that the loader finds: rocBLAS for gemm, rocSOLVER
// for solve (with rocBLAS beside it), rocFFT for fft, hipBLASLt for matmul. A
// line for each step has its processor time, that of all threads, and its
// wall time, in milliseconds.
#include <complex.h>
#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static void *hip, *library;

static void *symbol(void *from, const char *name) {
  void *at = dlsym(from, name);
  if (!at) {
    fprintf(stderr, "libraries: %s\n", dlerror());
    exit(1);
  }
  return at;
}

// CALL calls a function of a library, which returns 0.
#define CALL(from, name, types, ...)                                           \
  do {                                                                         \
    int status = ((int(*) types)symbol(from, #name))(__VA_ARGS__);             \
    if (status) {                                                              \
      fprintf(stderr, "libraries: " #name " returns %d\n", status);            \
      exit(1);                                                                 \
    }                                                                          \
  } while (0)

static double clock_of(clockid_t clock) {
  struct timespec t;
  clock_gettime(clock, &t);
  return t.tv_sec * 1e3 + t.tv_nsec * 1e-6;
}

// step says how long it was since the last one.
static void step(const char *name) {
  static double wall, cpu;
  double w = clock_of(CLOCK_MONOTONIC), c = clock_of(CLOCK_PROCESS_CPUTIME_ID);
  if (name)
    printf("%-12s %8.0f ms of the processor, %8.0f ms\n", name, c - cpu,
           w - wall);
  wall = w;
  cpu = c;
}

static void *on_device(const void *from, size_t bytes) {
  void *p;
  CALL(hip, hipMalloc, (void **, size_t), &p, bytes);
  if (from)
    CALL(hip, hipMemcpy, (void *, const void *, size_t, int), p, from, bytes,
         1);
  return p;
}

static void to_host(void *to, const void *from, size_t bytes) {
  CALL(hip, hipMemcpy, (void *, const void *, size_t, int), to, from, bytes, 2);
  step("result");
}

static void wait(void) {
  CALL(hip, hipDeviceSynchronize, (void), );
  step("kernels");
}

enum { M = 8, N = 7, K = 8, SIZE = 256, ORDER = 32, TRANSPOSE_NONE = 111 };

// gemm_error is the greatest difference of c from a times b, by columns.
static double gemm_error(const float *a, const float *b, const float *c) {
  double worst = 0;
  for (int j = 0; j < N; j++)
    for (int i = 0; i < M; i++) {
      double sum = -c[i + j * M];
      for (int k = 0; k < K; k++)
        sum += (double)a[i + k * M] * b[k + j * K];
      worst = fmax(worst, fabs(sum));
    }
  return worst;
}

static void fill(float *x, int count, int period) {
  for (int i = 0; i < count; i++)
    x[i] = i % period - period / 2;
}

static double gemm(void) {
  float a[M * K], b[K * N], c[M * N], one = 1, zero = 0;
  fill(a, M * K, 7);
  fill(b, K * N, 5);
  void *da = on_device(a, sizeof a), *db = on_device(b, sizeof b),
       *dc = on_device(NULL, sizeof c), *handle;
  step("copies");
  CALL(library, rocblas_create_handle, (void **), &handle);
  CALL(library, rocblas_sgemm,
       (void *, int, int, int, int, int, float *, void *, int, void *, int,
        float *, void *, int),
       handle, TRANSPOSE_NONE, TRANSPOSE_NONE, M, N, K, &one, da, M, db, K,
       &zero, dc, M);
  step("sgemm");
  wait();
  to_host(c, dc, sizeof c);
  return gemm_error(a, b, c);
}

static double matmul(void) {
  float a[M * K], b[K * N], c[M * N], one = 1, zero = 0;
  fill(a, M * K, 7);
  fill(b, K * N, 5);
  void *da = on_device(a, sizeof a), *db = on_device(b, sizeof b),
       *dc = on_device(NULL, sizeof c);
  step("copies");
  enum { F32 = 0, COMPUTE_F32 = 2 };
  void *handle, *what, *la, *lb, *lc, *preference;
  static char
      heuristics[1 << 16]; // one result, which begins with the algorithm
  int found = 0;
  CALL(library, hipblasLtCreate, (void **), &handle);
#define LAYOUT(x, rows, columns)                                               \
  CALL(library, hipblasLtMatrixLayoutCreate,                                   \
       (void **, int, unsigned long, unsigned long, long), x, F32, rows,       \
       columns, rows)
  LAYOUT(&la, M, K);
  LAYOUT(&lb, K, N);
  LAYOUT(&lc, M, N);
  CALL(library, hipblasLtMatmulDescCreate, (void **, int, int), &what,
       COMPUTE_F32, F32);
  CALL(library, hipblasLtMatmulPreferenceCreate, (void **), &preference);
  CALL(library, hipblasLtMatmulAlgoGetHeuristic,
       (void *, void *, void *, void *, void *, void *, void *, int, void *,
        int *),
       handle, what, la, lb, lc, lc, preference, 1, heuristics, &found);
  step("heuristic");
  CALL(library, hipblasLtMatmul,
       (void *, void *, float *, void *, void *, void *, void *, float *,
        void *, void *, void *, void *, void *, void *, size_t, void *),
       handle, what, &one, da, la, db, lb, &zero, dc, lc, dc, lc, heuristics,
       NULL, 0, NULL);
  step("matmul");
  wait();
  to_host(c, dc, sizeof c);
  return gemm_error(a, b, c);
}

static double solve(void) {
  static double a[ORDER * ORDER], b[ORDER], x[ORDER];
  srand(1);
  for (int i = 0; i < ORDER * ORDER; i++)
    a[i] = rand() % 200 / 100.0 - 1 + (i % (ORDER + 1) == 0 ? 4 : 0);
  for (int i = 0; i < ORDER; i++)
    b[i] = rand() % 100;
  void *da = on_device(a, sizeof a), *db = on_device(b, sizeof b),
       *pivots = on_device(NULL, ORDER * sizeof(int)),
       *info = on_device(NULL, sizeof(int)), *handle;
  step("copies");
  CALL(library, rocblas_create_handle, (void **), &handle);
  CALL(library, rocsolver_dgetrf,
       (void *, int, int, void *, int, void *, void *), handle, ORDER, ORDER,
       da, ORDER, pivots, info);
  CALL(library, rocsolver_dgetrs,
       (void *, int, int, int, void *, int, void *, void *, int), handle,
       TRANSPOSE_NONE, ORDER, 1, da, ORDER, pivots, db, ORDER);
  step("dgetrf, s");
  wait();
  to_host(x, db, sizeof x);
  double worst = 0;
  for (int i = 0; i < ORDER; i++) {
    double sum = -b[i];
    for (int j = 0; j < ORDER; j++)
      sum += a[i + j * ORDER] * x[j];
    worst = fmax(worst, fabs(sum));
  }
  return worst;
}

static double fft(void) {
  float complex x[SIZE], y[SIZE];
  for (int i = 0; i < SIZE; i++)
    x[i] = i % 7 - 3 + I * (i % 5 - 2);
  void *d = on_device(x, sizeof x), *plan;
  size_t size = SIZE;
  step("copies");
  CALL(library, rocfft_setup, (void), );
  CALL(library, rocfft_plan_create,
       (void **, int, int, int, size_t, size_t *, size_t, void *), &plan, 0, 0,
       0, 1, &size, 1, NULL);
  step("plan");
  CALL(library, rocfft_execute, (void *, void **, void **, void *), plan, &d,
       NULL, NULL);
  wait();
  to_host(y, d, sizeof y);
  double worst = 0;
  for (int k = 0; k < SIZE; k++) {
    double complex sum = -y[k];
    for (int i = 0; i < SIZE; i++)
      sum += x[i] * cexp(-2 * M_PI * I * (k * i % SIZE) / SIZE);
    worst = fmax(worst, cabs(sum));
  }
  return worst;
}

int main(int argc, char **argv) {
  static const struct {
    const char *name;
    double (*run)(void);
    double most; // that a result may differ by
  } problems[] = {{"gemm", gemm, 1e-4},
                  {"matmul", matmul, 1e-4},
                  {"solve", solve, 1e-8},
                  {"fft", fft, 1e-3}};
  step(NULL);
  for (size_t i = 0; argc == 4 && i < sizeof problems / sizeof *problems; i++) {
    if (strcmp(argv[1], problems[i].name))
      continue;
    hip = dlopen(argv[2], RTLD_NOW | RTLD_GLOBAL);
    library = hip ? dlopen(argv[3], RTLD_NOW | RTLD_GLOBAL) : NULL;
    if (!library) {
      fprintf(stderr, "libraries: %s\n", dlerror());
      return 1;
    }
    step("opened");
    double error = problems[i].run();
    if (!(error <= problems[i].most)) {
      fprintf(stderr, "libraries: %s: wrong by %g\n", argv[1], error);
      return 1;
    }
    return 0;
  }
  fprintf(stderr, "usage: libraries gemm|matmul|solve|fft HIP LIBRARY\n");
  return 2;
}
