/* Device memory asked for and given back in ways that are wrong, or just allowed.
 * Before each piece of work its name goes to standard error. */
#include <mgpu_runtime.h>

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define CHECK(is)                                                              \
  do {                                                                         \
    if (!(is)) {                                                               \
      fprintf(stderr, "%d: not so: %s\n", __LINE__, #is);                      \
      _exit(1);                                                                \
    }                                                                          \
  } while (0)

static void work(const char *name) { fprintf(stderr, "# %s\n", name); }

static void *free_it(void *p) {
  mgpuMemFree(p, NULL);
  return NULL;
}

static void *end_it(void *cache) {
  mgpuxAllocCacheEnd(cache);
  return NULL;
}

static struct mgpux_memory_stats stats(int device) {
  struct mgpux_memory_stats s;
  CHECK(mgpuxGetMemoryStats(device, &s, sizeof s) == sizeof s &&
        s.size == sizeof s);
  return s;
}

int main(int argc, char **argv) {
  CHECK(argc == 2);
  work("sizes");
  CHECK(mgpuMemAlloc(0, NULL, 0) == NULL && mgpuMemAlloc(0, NULL, 1) == NULL);
  char *p = mgpuMemAlloc(1, NULL, 0);
  CHECK(p != NULL);
  work("too large");
  CHECK(mgpuMemAlloc((uint64_t)1 << 63, NULL, 0) == NULL);
  CHECK(mgpuMemAlloc(UINT64_MAX, NULL, 0) == NULL);
  work("exhausted");
  CHECK(mgpuMemAlloc((uint64_t)1 << 45, NULL, 0) == NULL);
  work("freed twice");
  mgpuMemFree(p, NULL);
  mgpuMemFree(p, NULL);
  mgpuMemFree(p, NULL);
  mgpuMemFree(NULL, NULL);
  work("freed inside");
  char *big = mgpuMemAlloc(100000, NULL, 0);
  mgpuMemFree(big + 256, NULL);
  mgpuMemFree(big + 512, NULL);
  mgpuMemFree(big, NULL);
  CHECK(mgpuMemAlloc(100000, NULL, 0) == big);
  work("garbage");
  mgpuMemFree((void *)0x1234560, NULL);
  mgpuMemFree(&argc, NULL);
  mgpuMemFree((void *)main, NULL);
  mgpuMemFree((void *)-1, NULL);
  work("another thread");
  pthread_t t;
  CHECK(pthread_create(&t, NULL, free_it, big) == 0 &&
        pthread_join(t, NULL) == 0);
  CHECK(mgpuMemAlloc(100000, NULL, 0) == big);
  work("two threads at once");
  pthread_t two[2];
  char *shared = mgpuMemAlloc(100, NULL, 0);
  for (int i = 0; i < 2; i++)
    CHECK(pthread_create(&two[i], NULL, free_it, shared) == 0);
  for (int i = 0; i < 2; i++)
    CHECK(pthread_join(two[i], NULL) == 0);
  work("another device");
  mgpuSetDefaultDevice(1);
  mgpuMemFree(big, NULL);
  char *other = mgpuMemAlloc(100000, NULL, 0);
  CHECK(other != NULL && other != big);
  mgpuSetDefaultDevice(0);
  CHECK(mgpuMemAlloc(100000, NULL, 0) == big);
  mgpuMemFree(other, NULL);
  mgpuMemFree(big, NULL);
  CHECK(stats(0).live == 0 && stats(1).live == 0 && stats(0).cached != 0);

  work("a scope that was not begun");
  void *c = mgpuxAllocCacheCreate(), *d = mgpuxAllocCacheCreate();
  CHECK(c != NULL && d != NULL && c != d);
  mgpuxAllocCacheEnd(c);
  work("a scope ended twice");
  mgpuxAllocCacheBegin(c);
  mgpuxAllocCacheEnd(c);
  mgpuxAllocCacheEnd(c);
  work("scopes ended in another order");
  mgpuxAllocCacheBegin(c);
  mgpuxAllocCacheBegin(d);
  mgpuxAllocCacheEnd(c);
  mgpuxAllocCacheEnd(d);
  mgpuxAllocCacheEnd(c);
  work("a scope ended by another thread");
  mgpuxAllocCacheBegin(c);
  CHECK(pthread_create(&t, NULL, end_it, c) == 0 && pthread_join(t, NULL) == 0);
  mgpuxAllocCacheEnd(c);
  work("a scope in use");
  mgpuxAllocCacheBegin(c);
  char *q = mgpuMemAlloc(5000, NULL, 0);
  mgpuxAllocCacheDestroy(c);
  CHECK(mgpuxAllocCacheInfo(c, 1) == 1);
  mgpuxAllocCacheEnd(c);
  CHECK(mgpuxAllocCacheInfo(c, 0) == 1 && mgpuxAllocCacheInfo(c, 1) == 0 &&
        mgpuxAllocCacheInfo(c, 2) >= 5000);
  work("memory of a scope that ended");
  mgpuMemFree(q, NULL);
  CHECK(mgpuxAllocCacheTrim(c) >= 5000 && mgpuxAllocCacheInfo(c, 2) == 0);
  work("no such question");
  CHECK(mgpuxAllocCacheInfo(c, 3) == 0);
  mgpuxAllocCacheDestroy(c);
  work("a scope that was destroyed");
  mgpuxAllocCacheBegin(c);
  CHECK(mgpuxAllocCacheInfo(c, 0) == 0);
  work("too many scopes");
  for (int i = 0; i < 33; i++)
    mgpuxAllocCacheBegin(d);
  for (int i = 0; i < 32; i++)
    mgpuxAllocCacheEnd(d);
  work("a scope never ended");
  mgpuxAllocCacheBegin(d);
  CHECK(mgpuMemAlloc(1, NULL, 0) != NULL);

  work("scratch");
  void *s = mgpuStreamCreate(), *small = mgpuxScratch((void *)main, 1000, s);
  CHECK(small != NULL && mgpuxScratch((void *)main, 10, s) == small &&
        mgpuxScratch((void *)main, 0, s) == small);
  CHECK(mgpuxScratch((void *)main, 0, NULL) == NULL);
  work("scratch that can't grow");
  CHECK(mgpuxScratch((void *)main, (uint64_t)1 << 45, s) == NULL &&
        mgpuxScratch((void *)main, 1000, s) == small);

  work("snapshots");
  CHECK(mgpuxMemorySnapshot(argv[1]) == 0);
  work("snapshots to nowhere");
  CHECK(mgpuxMemorySnapshot("/proc/version/none") == -1);
  CHECK(mgpuxMemorySnapshot(NULL) == -1);
  CHECK(mgpuxMemorySnapshot("/proc") == -1);
  CHECK(mgpuxMemorySnapshot("/dev/full") == -1);

  work("statistics");
  struct mgpux_memory_stats m;
  memset(&m, 0xff, sizeof m);
  CHECK(mgpuxGetMemoryStats(0, &m, 16) == sizeof m && m.size == 16 &&
        m.peak == UINT64_MAX);
  CHECK(mgpuxGetMemoryStats(2, &m, sizeof m) == 0 &&
        mgpuxGetMemoryStats(-1, &m, sizeof m) == 0);
  return 0;
}
