/* What lowered programs ask of their host, where LLVM's own libraries are not
 * installed: memrefs printed, and memory that a GPU reaches which can't touch the
 * host's at large. bench/gpu makes a program's malloc host_malloc, unless the
 * program registers its memory by itself.
 *
 * With MANAGED, that memory is managed: an AMD GPU reaches registered memory at another
 * address than the host. */

#include <mgpu_runtime.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef MANAGED
void *host_malloc(uint64_t bytes) {
  void *block = mgpuMemAlloc(bytes, NULL, 1);
  return block == NULL ? NULL : memset(block, 0xa5, bytes);
}

void host_free(void *p) { mgpuMemFree(p, NULL); }
#else
enum { page = 4096 };

/* A block starts on a page of its own, with its size on the page before. */
void *host_malloc(uint64_t bytes) {
  uint64_t room = (bytes + page - 1) / page * page;
  if (room == 0)
    room = page;
  char *block = aligned_alloc(page, room + page);
  if (block == NULL)
    return NULL;
  memset(block, 0xa5, room + page);
  memcpy(block, &room, sizeof room);
  mgpuMemHostRegister(block + page, room);
  return block + page;
}

void host_free(void *p) {
  if (p == NULL)
    return;
  mgpuMemHostUnregister(p);
  free((char *)p - page);
}
#endif

struct ranked {
  char *allocated, *aligned;
  int64_t offset;
  int64_t sizes_and_strides[];
};

struct unranked {
  int64_t rank;
  struct ranked *memref;
};

enum element { i32, i64, f32, f64 };
static const size_t bytes_of[] = {4, 8, 4, 8};

static void print_element(enum element e, const char *at) {
  union {
    int32_t i32;
    int64_t i64;
    float f32;
    double f64;
  } v;
  memcpy(&v, at, bytes_of[e]);
  switch (e) {
  case i32:
    printf("%" PRId32, v.i32);
    break;
  case i64:
    printf("%" PRId64, v.i64);
    break;
  case f32:
    printf("%g", v.f32);
    break;
  case f64:
    printf("%g", v.f64);
    break;
  }
}

static void print_from(enum element e, const struct unranked *u,
                       int64_t dimension, int64_t at) {
  if (dimension == u->rank) {
    print_element(e, u->memref->aligned +
                         (u->memref->offset + at) * (int64_t)bytes_of[e]);
    return;
  }
  const int64_t *sizes = u->memref->sizes_and_strides,
                *strides = sizes + u->rank;
  putchar('[');
  for (int64_t i = 0; i < sizes[dimension]; i++) {
    if (i > 0)
      fputs(dimension + 1 < u->rank ? ",\n " : ",  ", stdout);
    print_from(e, u, dimension + 1, at + i * strides[dimension]);
  }
  putchar(']');
}

static void print(enum element e, const struct unranked *u) {
  printf("Unranked Memref rank = %" PRId64 " sizes = [", u->rank);
  for (int64_t i = 0; i < u->rank; i++)
    printf("%s%" PRId64, i > 0 ? ", " : "", u->memref->sizes_and_strides[i]);
  puts("] data =");
  print_from(e, u, 0, 0);
  putchar('\n');
}

void _mlir_ciface_printMemrefI32(struct unranked *u) { print(i32, u); }
void _mlir_ciface_printMemrefI64(struct unranked *u) { print(i64, u); }
void _mlir_ciface_printMemrefF32(struct unranked *u) { print(f32, u); }
void _mlir_ciface_printMemrefF64(struct unranked *u) { print(f64, u); }

void printI64(int64_t v) { printf("%" PRId64, v); }
void printNewline(void) { putchar('\n'); }
