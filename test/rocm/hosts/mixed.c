/* Frees blocks of the library's by HIP's calls, gets other memory at their addresses from
 * HIP, and frees that by mgpuMemFree, as one hipFree may do both. What the library gives out
 * afterwards has to be as large as it says, and what was freed has to be HIP's again. The
 * arguments are a case and, without MGPU_HIP_LIBRARY, HIP. */
#include <mgpu_runtime.h>

#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { small = 4096, large = 1 << 20 };

static int (*vendors_malloc)(void **, size_t), (*vendors_free)(void *);
static int (*range)(void **, size_t *, void *);

static void check(int is, const char *what) {
  if (is)
    return;
  fprintf(stderr, "not so: %s\n", what);
  exit(1);
}

/* The size of HIP's allocation at an address, 0 if there is none. */
static size_t size_at(void *p) {
  void *base = NULL;
  size_t bytes = 0;
  return range(&base, &bytes, p) == 0 && base == p ? bytes : 0;
}

/* Frees p by HIP's call, and gets memory there, or at least in its first bytes, from HIP. */
static void *at(char *p, size_t bytes, size_t within) {
  enum { most = 2000 };
  static void *others[most];
  int n = 0;
  check(vendors_free(p) == 0, "HIP frees the block");
  char *got = NULL;
  while (n < most) {
    void *q = NULL;
    check(vendors_malloc(&q, bytes) == 0, "hipMalloc");
    got = q;
    if (got >= p && got < p + within)
      break;
    others[n++] = q;
    got = NULL;
  }
  while (n > 0)
    vendors_free(others[--n]);
  if (got == NULL) {
    puts("elsewhere");
    exit(0);
  }
  return got;
}

/* Frees the memory in the place of a block, and checks that later blocks are whole. */
static void freed_and_whole(void *q) {
  mgpuMemFree(q, NULL);
  check(size_at(q) == 0, "what was freed is HIP's again");
  void *blocks[4];
  for (int i = 0; i < 4; i++) {
    blocks[i] = mgpuMemAlloc(large, NULL, 0);
    check(size_at(blocks[i]) >= large, "a block is as large as was asked for");
  }
  for (int i = 0; i < 4; i++)
    mgpuMemFree(blocks[i], NULL);
}

/* Frees a block into the cache and allocates it again. */
static void *cycled(void) {
  void *p = NULL;
  for (int i = 0; i < 3; i++) {
    p = mgpuMemAlloc(large, NULL, 0);
    if (i < 2)
      mgpuMemFree(p, NULL);
  }
  return p;
}

static void fresh(void) {
  freed_and_whole(at(mgpuMemAlloc(large, NULL, 0), small, 1));
}

/* The program has freed memory of HIP's by mgpuMemFree before. */
static void known_to_mix(void) {
  void *q = NULL;
  check(vendors_malloc(&q, small) == 0, "hipMalloc");
  mgpuMemFree(q, NULL);
  check(size_at(q) == 0, "what was freed is HIP's again");
  freed_and_whole(at(cycled(), small, 1));
}

/* The driver has given the library an address that a block has. */
static void replaced(void) {
  void *p = mgpuMemAlloc(large, NULL, 0);
  check(vendors_free(p) == 0, "HIP frees the block");
  void *again = mgpuMemAlloc(large, NULL, 0);
  if (again != p) {
    puts("elsewhere");
    exit(0);
  }
  mgpuMemFree(again, NULL);
  freed_and_whole(at(cycled(), small, 1));
}

/* Memory in the middle of where the block was is not an address inside a block. */
static void inside(void) {
  char *p = mgpuMemAlloc(large, NULL, 0);
  freed_and_whole(at(p, 65536, large));
}

/* A case that no free queries: only MGPU_CHECK=leak finds it. */
static void cached(void) { freed_and_whole(at(cycled(), small, 1)); }

int main(int argc, char **argv) {
  static const struct {
    const char *name;
    void (*run)(void);
  } cases[] = {{"fresh", fresh},
               {"known to mix", known_to_mix},
               {"replaced", replaced},
               {"inside", inside},
               {"cached", cached}};
  void *hip = dlopen(argc > 2 ? argv[2] : getenv("MGPU_HIP_LIBRARY"), RTLD_NOW);
  check(hip != NULL && argc > 1, "there is a HIP");
  vendors_malloc = (int (*)(void **, size_t))dlsym(hip, "hipMalloc");
  vendors_free = (int (*)(void *))dlsym(hip, "hipFree");
  range =
      (int (*)(void **, size_t *, void *))dlsym(hip, "hipMemGetAddressRange");
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    if (strcmp(argv[1], cases[i].name) == 0)
      cases[i].run();
  puts("ok");
  return 0;
}
