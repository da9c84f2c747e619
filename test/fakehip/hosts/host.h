/* What the test programs have in common: each is a table of cases, of which the first argument names one. */
#ifndef FAKEHIP_HOST_PROGRAM_H
#define FAKEHIP_HOST_PROGRAM_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../lib/types.h"
#include "../fakehip.h"

#define F(name, fault, parameters, arguments) hipError_t name parameters;
#define D(name, fault, type) hipError_t name(type);
#define S(name) const char *name(hipError_t);
#include "../lib/functions.h"
#undef F
#undef D
#undef S

#define CHECK(is)                                                              \
  do {                                                                         \
    if (!(is)) {                                                               \
      fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #is);         \
      _exit(1);                                                                \
    }                                                                          \
  } while (0)

#define GIVES(error, call)                                                     \
  do {                                                                         \
    hipError_t given = (call);                                                 \
    if (given != (error)) {                                                    \
      fprintf(stderr, "%s:%d: %s gives %s, not %s\n", __FILE__, __LINE__,      \
              #call, hipGetErrorName(given), #error);                          \
      _exit(1);                                                                \
    }                                                                          \
  } while (0)

#define OK(call) GIVES(hipSuccess, call)

struct test {
  const char *name;
  void (*run)(void);
};

#define CASE(name) {#name, name}
#define MAIN(...)                                                              \
  int main(int argc, char **argv) {                                            \
    static const struct test test[] = {__VA_ARGS__};                           \
    for (size_t i = 0; i < sizeof test / sizeof *test; i++)                    \
      if (argc > 1 && strcmp(argv[1], test[i].name) == 0) {                    \
        test[i].run();                                                         \
        return 0;                                                              \
      } else if (argc < 2) {                                                   \
        puts(test[i].name);                                                    \
      }                                                                        \
    return argc < 2 ? 0 : 2;                                                   \
  }

void _exit(int);

/* Returns the bytes of a file; the caller frees them. */
static inline void *file(const char *path) {
  FILE *f = fopen(path, "rb");
  CHECK(f);
  fseek(f, 0, SEEK_END);
  long n = ftell(f);
  rewind(f);
  char *bytes = malloc((size_t)n);
  CHECK(bytes && fread(bytes, 1, (size_t)n, f) == (size_t)n);
  fclose(f);
  return bytes;
}

/* Returns the path of a file beside the library. */
static inline void *image(const char *name) {
  char path[4096];
  snprintf(path, sizeof path, "%s/%s", getenv("IMAGES"), name);
  return file(path);
}

/* The suite's module, loaded on the current device, and its image. */
struct loaded {
  hipModule_t module;
  void *image;
};

static inline struct loaded load(void) {
  struct loaded l = {.image = image("suite.bundle")};
  OK(hipModuleLoadData(&l.module, l.image));
  return l;
}

static inline void unload(struct loaded l) {
  OK(hipModuleUnload(l.module));
  free(l.image);
}

static inline hipFunction_t kernel(struct loaded l, const char *name) {
  hipFunction_t f;
  OK(hipModuleGetFunction(&f, l.module, name));
  return f;
}

static inline hipStream_t stream(void) {
  hipStream_t s;
  OK(hipStreamCreate(&s));
  return s;
}

static inline hipEvent_t event(void) {
  hipEvent_t e;
  OK(hipEventCreateWithFlags(&e, hipEventDisableTiming));
  return e;
}

/* Memory for n words. */
static inline void *words(size_t n) {
  void *p;
  OK(hipMalloc(&p, 4 * n));
  return p;
}

#define PARAMS(...) ((void *[]){__VA_ARGS__})

static inline hipError_t launch(hipFunction_t f, unsigned groups,
                                unsigned items, hipStream_t s, void **params) {
  return hipModuleLaunchKernel(f, groups, 1, 1, items, 1, 1, 0, s, params,
                               NULL);
}

/* Launches fill(p, value, n) on a stream. */
static inline void fill(struct loaded l, void *p, uint32_t value, uint32_t n,
                        hipStream_t s) {
  OK(launch(kernel(l, "fill"), (n + 63) / 64, 64, s, PARAMS(&p, &value, &n)));
}

/* Returns the first word at an address, read on a stream that waits for nothing. */
static inline uint32_t peek(const void *p) {
  uint32_t v = 0;
  hipStream_t s;
  OK(hipStreamCreateWithFlags(&s, hipStreamNonBlocking));
  OK(hipMemcpyAsync(&v, p, 4, hipMemcpyDeviceToHost, s));
  OK(hipStreamSynchronize(s));
  OK(hipStreamDestroy(s));
  return v;
}

/* Keeps a stream busy from now on, until released. */
struct held {
  hipStream_t stream, side;
  uint32_t *flag, *reached;
};

static inline struct held hold(struct loaded l, hipStream_t s) {
  struct held h = {.stream = s, .flag = words(1), .reached = words(1)};
  uint32_t rounds = 1u << 30;
  OK(hipStreamCreateWithFlags(&h.side, hipStreamNonBlocking));
  OK(hipMemsetD32Async(h.flag, 0, 1, h.side));
  OK(hipMemsetD32Async(h.reached, 0, 1, h.side));
  OK(hipStreamSynchronize(h.side));
  OK(launch(kernel(l, "spin_until"), 1, 1, s,
            PARAMS(&h.flag, &h.reached, &rounds)));
  while (peek(h.reached) == 0)
    continue;
  return h;
}

static inline void let_go(struct held h) {
  OK(hipMemsetD32Async(h.flag, 1, 1, h.side));
  OK(hipStreamSynchronize(h.side));
}

static inline void release(struct held h) {
  let_go(h);
  OK(hipStreamSynchronize(h.stream));
  CHECK(peek(h.reached) == 2);
  OK(hipStreamDestroy(h.side));
  OK(hipFree(h.flag));
  OK(hipFree(h.reached));
}

#endif
