/* heaps FILE [MODE]: a rank whose kernels put, get, reduce and meet over the heaps of all ranks. FILE has the
 * kernels. The other modes are mistakes: what happens if a rank ends, is missing, or asks for something else. */
#include <mgpu_runtime.h>
#include <mgpu_symmetric.h>

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LANES = 64, ROUNDS = 25 };

static char image[1 << 20];
static void *module, *stream;
static int rank, ranks, wrong;

static void launch(const char *kernel, int work_items, void **arguments) {
  mgpuLaunchKernel(mgpuModuleGetFunction(module, kernel), 1, 1, 1, work_items,
                   1, 1, 0, stream, arguments, NULL, 0);
}

/* Waits for the rank's work, and for all ranks'. */
static void together(void) {
  mgpuStreamSynchronize(stream);
  mgpuBarrier();
}

static void expect(const char *what, long got, long want) {
  if (got != want && wrong++ < 5)
    printf("rank %d: %s: %ld, and not %ld\n", rank, what, got, want);
}

static uint64_t offset(void *p) {
  return (uint64_t)((char *)p - (char *)mgpuGetHeapBase(rank));
}

static void copy(void *to, void *from, size_t bytes) {
  mgpuMemcpy(to, from, bytes, stream);
  mgpuStreamSynchronize(stream);
}

static void use_heaps(void) {
  int here[LANES * 64], sums[LANES];
  void **bases = mgpuGetHeapBases();
  for (int r = 0; r < ranks; r++)
    expect("the base of a heap", bases[r] == mgpuGetHeapBase(r) && bases[r], 1);
  size_t bytes = sizeof(int) * LANES * (size_t)ranks;
  int *data = mgpuSymmetricAlloc(bytes, stream);
  int *words = mgpuSymmetricAlloc(8, stream),
      *said = mgpuSymmetricAlloc(4, stream);
  uint64_t at = offset(data), counters = offset(words), stamps = offset(said);
  void *own = mgpuMemAlloc(sizeof sums, stream, 0);
  mgpuMemset32(data, -1, LANES * (size_t)ranks, stream);
  mgpuMemset32(words, 0, 2, stream);
  mgpuMemset32(said, 0, 1, stream);
  together();

  launch("put", LANES, (void *[]){&bases, &at, &rank, &ranks});
  together();
  copy(here, data, bytes);
  for (int i = 0; i < LANES * ranks; i++)
    expect("put", here[i], 1000 * (i / LANES) + i % LANES);

  launch("get", LANES, (void *[]){&bases, &at, &ranks, &own});
  copy(sums, own, sizeof sums);
  for (int i = 0; i < LANES; i++)
    expect("get", sums[i], 1000 * (ranks - 1) * ranks / 2 + i * ranks);

  int n = rank + 1;
  launch("reduce", LANES, (void *[]){&bases, &counters, &n});
  together();
  copy(here, (char *)bases[0] + counters, 4);
  expect("reduce", here[0], (long)LANES * ranks * (ranks + 1) / 2);
  together();

  mgpuMemset32(words, 0, 2, stream);
  together();
  int rounds = ROUNDS;
  launch("meet", 1,
         (void *[]){&bases, &counters, &stamps, &rank, &ranks, &rounds});
  together();
  copy(here, words, 8);
  expect("meet", rank == 0 ? here[0] : 2 * ROUNDS * ranks, 2 * ROUNDS * ranks);
  expect("meet: others that were in another round", here[1], 0);

  /* What is freed serves again, at one offset in all ranks. */
  together();
  mgpuSymmetricFree(words, stream);
  mgpuSymmetricFree(data, stream);
  int *again = mgpuSymmetricAlloc(4, stream);
  expect("the offset of a new block", (long)offset(again), (long)at);
  mgpuMemset32(again, 100 + rank, 1, stream);
  together();
  for (int r = 0; r < ranks; r++) {
    copy(here, (char *)bases[r] + at, 4);
    expect("a new block", here[0], 100 + r);
  }
  together();
  mgpuMemFree(own, stream);
}

/* Without kernels: each rank fills its own, and copies from the others'. */
static void copies(void) {
  int *data = mgpuSymmetricAlloc(4096, stream), here[1024];
  uint64_t at = offset(data);
  mgpuMemset32(data, 7 + rank, 1024, stream);
  together();
  for (int r = 0; r < ranks; r++) {
    copy(here, (char *)mgpuGetHeapBase(r) + at, sizeof here);
    expect("a copy", here[0], 7 + r);
    expect("a copy", here[1023], 7 + r);
  }
  together();
}

static void mistakes(void) {
  mgpuSymmetricFree(image, NULL);
  mgpuSymmetricFree(NULL, NULL);
  printf("%p %p %d %d\n", mgpuSymmetricAlloc(1, NULL), mgpuGetHeapBase(0),
         mgpuGetRank(), mgpuGetWorldSize());
  mgpuSymmetricHeapDestroy();
  mgpuBarrier();
  mgpuSymmetricHeapInit(0);
  mgpuSymmetricHeapInit(8192);
  mgpuSymmetricHeapInit(8192);
  char *a = mgpuSymmetricAlloc(4096, NULL), *b = mgpuSymmetricAlloc(4096, NULL);
  printf("%ld %p %p %p %p\n", (long)(b - a), mgpuSymmetricAlloc(1, NULL),
         mgpuSymmetricAlloc(0, NULL), mgpuGetHeapBase(1), mgpuGetHeapBase(-1));
  mgpuSymmetricFree(a + 256, NULL);
  mgpuSymmetricFree(b, NULL);
  mgpuSymmetricFree(b, NULL);
  printf("%d\n", mgpuSymmetricAlloc(4000, NULL) == b);
  mgpuSymmetricHeapDestroy();
}

/* The runtime's events, and those that HIP makes where its library is named. */
static void elapsed(const char *library) {
  void *events[2], *hip = library ? dlopen(library, RTLD_NOW) : NULL;
  int (*create)(void **) = NULL;
  if (hip)
    *(void **)&create = dlsym(hip, "hipEventCreate");
  stream = mgpuStreamCreate();
  for (int own = 0; own <= (create != NULL); own++) {
    for (int i = 0; i < 2; i++)
      if (!own)
        events[i] = mgpuEventCreate();
      else if (create(&events[i]) != 0)
        puts("no event");
    float ms = -1;
    for (int i = 0; i < 2; i++)
      mgpuEventRecord(events[i], stream);
    mgpuEventSynchronize(events[1]);
    int status = mgpuEventElapsedTime(&ms, events[0], events[1]);
    printf("%d %s\n", status, ms >= 0 ? "timed" : "untimed");
    for (int i = 0; i < 2; i++)
      mgpuEventDestroy(events[i]);
  }
  mgpuStreamDestroy(stream);
}

int main(int argc, char **argv) {
  const char *mode = argc > 2 ? argv[2] : "";
  if (strcmp(mode, "elapsed") == 0) {
    elapsed(argc > 3 ? argv[3] : NULL);
    return 0;
  }
  if (strcmp(mode, "mistakes") == 0) {
    mistakes();
    return 0;
  }
  FILE *file = fopen(argv[1], "rb");
  size_t size = file ? fread(image, 1, sizeof image, file) : 0;
  if (file)
    fclose(file);
  const char *number = getenv("RANK");
  mgpuSymmetricHeapInit(strcmp(mode, "sizes") == 0 && number
                            ? 4096 * (1 + (uint64_t)atoi(number))
                            : 1 << 20);
  rank = mgpuGetRank();
  ranks = mgpuGetWorldSize();
  if (!mgpuGetHeapBases())
    return 3;
  if (strcmp(mode, "ends") == 0) {
    if (rank == ranks - 1)
      return 0;
    for (int i = 0; i < 3; i++)
      mgpuBarrier();
    mgpuSymmetricHeapDestroy();
    return 0;
  }
  if (size > 0)
    module = mgpuModuleLoad(image, size);
  stream = mgpuStreamCreate();
  for (int turn = 0; turn < 2; turn++) {
    if (strcmp(mode, "copies") == 0)
      copies();
    else
      use_heaps();
    mgpuSymmetricHeapDestroy();
    mgpuSymmetricHeapInit(1 << 20);
  }
  mgpuSymmetricHeapDestroy();
  mgpuStreamDestroy(stream);
  if (module)
    mgpuModuleUnload(module);
  printf("rank %d of %d: %s\n", rank, ranks, wrong ? "wrong" : "right");
  return wrong != 0;
}
