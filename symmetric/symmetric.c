/* The calls of mgpu_symmetric.h. */
#define _GNU_SOURCE
#include "mgpu_symmetric.h"
#include "mgpu_runtime.h"
#include "symmetric.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define API __attribute__((visibility("default")))

/* Guards everything except the meeting, whose calls are collective. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct meeting meeting;
static unsigned meetings; /* so far: each has a name of its own */
static struct {
  bool there;
  struct heap mine;
  struct blocks *blocks;
  void **bases; /* by rank, in pages of their own that are registered */
  size_t pages; /* bytes of them */
} heap;

bool fail(const char *call, const char *format, ...) {
  char why[800], label[40] = "";
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(why, sizeof why, format, arguments);
  va_end(arguments);
  if (meeting.size > 1)
    snprintf(label, sizeof label, "[rank %d] ", meeting.rank);
  fprintf(stderr, "%s'%s' failed with '%s'\n", label, call, why);
  const char *on_error = getenv("MGPU_ON_ERROR");
  if (on_error && strcmp(on_error, "abort") == 0)
    abort();
  return false;
}

/* Finds the process's rank among the ranks of its machine. */
static bool find_rank(const char *call, int *rank, int *size) {
  struct mgpux_rank r;
  mgpuxGetRank(&r, sizeof r);
  *rank = 0;
  *size = 1;
  if (r.world >= 0 && r.ranks > 0) {
    *rank = r.world;
    *size = r.ranks;
  } else if (r.local_ranks > 0) {
    *rank = r.local;
    *size = r.local_ranks;
  }
  if (r.local_ranks > 0 && r.ranks > r.local_ranks)
    return fail(call,
                "%d ranks, of which %d are on this machine: heaps are shared "
                "within one machine",
                r.ranks, r.local_ranks);
  if (*rank >= *size || *size > MOST_RANKS)
    return fail(call, "rank %d of %d: at most %d ranks, from 0 on", *rank,
                *size, MOST_RANKS);
  if (!getenv("MGPU_DEVICE")) {
    int32_t devices = mgpuxGetDeviceCount();
    if (devices > 0)
      mgpuSetDefaultDevice(r.local % devices);
  }
  return true;
}

/* Makes the array of bases, which kernels may read. */
static bool make_bases(const char *call) {
  size_t page = (size_t)sysconf(_SC_PAGESIZE);
  heap.pages = (sizeof(void *) * (size_t)meeting.size + page - 1) / page * page;
  void *memory = mmap(NULL, heap.pages, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED)
    return fail(call, "no memory for the addresses of %d heaps", meeting.size);
  heap.bases = memory;
  mgpuMemHostRegister(memory, heap.pages);
  return true;
}

/* Releases what exists. together: the other ranks do so too. */
static void take_down(const char *call, bool together) {
  bool all;
  for (int r = 0; heap.bases && r < meeting.size; r++)
    if (r != meeting.rank)
      heap_unmap(&heap.mine, heap.bases[r]);
  if (together)
    (void)agree(&meeting, call, true,
                &all); /* no rank maps this rank's heap any more */
  heap_free(&heap.mine);
  if (heap.bases) {
    mgpuMemHostUnregister(heap.bases);
    munmap(heap.bases, heap.pages);
  }
  if (heap.blocks)
    blocks_end(heap.blocks);
  memset(&heap, 0, sizeof heap);
  heap.mine.fd = -1;
  part(&meeting);
}

/* Maps the heaps of all ranks. */
static bool map_all(const char *call) {
  struct shared *all = calloc((size_t)meeting.size, sizeof *all);
  int *fds = malloc(sizeof *fds * (size_t)meeting.size);
  for (int r = 0; fds && r < meeting.size; r++)
    fds[r] = -1;
  bool ok = all && fds &&
            exchange(&meeting, call, &heap.mine.shared, sizeof *all, all,
                     heap.mine.fd, fds);
  for (int r = 0; ok && r < meeting.size; r++) {
    if (r == meeting.rank)
      heap.bases[r] = heap.mine.base;
    else
      ok =
          (heap.bases[r] = heap_map(&heap.mine, call, &all[r], fds[r])) != NULL;
  }
  for (int r = 0; fds && r < meeting.size; r++)
    if (r != meeting.rank && fds[r] >= 0)
      close(fds[r]); /* what is mapped stays */
  free(all);
  free(fds);
  return ok;
}

static void init(uint64_t bytes) {
  static const char call[] = "mgpuSymmetricHeapInit";
  int rank, size;
  if (heap.there) {
    fail(call, "there is a heap: mgpuSymmetricHeapDestroy ends it");
    return;
  }
  const char *instead = getenv("AIRGPU_HEAP_SIZE");
  if (instead && strtoull(instead, NULL, 0) > 0)
    bytes = strtoull(instead, NULL, 0);
  uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
  if (bytes == 0 || bytes > INT64_MAX - page) {
    fail(call, "a heap of %llu bytes", (unsigned long long)bytes);
    return;
  }
  bytes = (bytes + page - 1) / page * page;
  memset(&meeting, 0, sizeof meeting);
  if (!find_rank(call, &rank, &size) ||
      !meet(&meeting, call, rank, size, meetings++))
    return;
  /* Who fails says so, and the others hear of it. */
  bool all = false;
  bool ok = heap_make(&heap.mine, call, bytes) && make_bases(call) &&
            (heap.blocks = blocks_make(bytes));
  bool heard = agree(&meeting, call, ok, &all);
  if (heard && all) {
    ok = map_all(call);
    heard = agree(&meeting, call, ok, &all);
  }
  if (!heard || !all) {
    if (heard && ok)
      fail(call,
           "another rank could not share its heap: its own line says why");
    take_down(call, false);
    return;
  }
  heap.there = true;
}

API void mgpuSymmetricHeapInit(uint64_t heapSize) {
  pthread_mutex_lock(&lock);
  init(heapSize);
  pthread_mutex_unlock(&lock);
}

API void mgpuSymmetricHeapDestroy(void) {
  static const char call[] = "mgpuSymmetricHeapDestroy";
  pthread_mutex_lock(&lock);
  if (heap.there) {
    bool all;
    mgpuStreamSynchronize(NULL);
    bool together = agree(&meeting, call, true, &all);
    take_down(call, together);
    meeting.size = 0;
  } else {
    fail(call, "there is no heap");
  }
  pthread_mutex_unlock(&lock);
}

API void *mgpuSymmetricAlloc(uint64_t sizeBytes, void *stream) {
  (void)stream;
  void *result = NULL;
  pthread_mutex_lock(&lock);
  if (!heap.there) {
    fail("mgpuSymmetricAlloc",
         "there is no heap: mgpuSymmetricHeapInit makes it");
  } else if (sizeBytes > 0) {
    uint64_t offset = blocks_take(heap.blocks, sizeBytes);
    if (offset == UINT64_MAX)
      fail("mgpuSymmetricAlloc", "no room for %llu bytes in the heap of %llu",
           (unsigned long long)sizeBytes,
           (unsigned long long)heap.mine.shared.bytes);
    else
      result = heap.mine.base + offset;
  }
  pthread_mutex_unlock(&lock);
  return result;
}

API void mgpuSymmetricFree(void *ptr, void *stream) {
  (void)stream;
  pthread_mutex_lock(&lock);
  uint64_t offset = (uint64_t)((char *)ptr - heap.mine.base);
  if (ptr && (!heap.there || offset >= heap.mine.shared.bytes ||
              !blocks_give(heap.blocks, offset)))
    fail("mgpuSymmetricFree", "%p is not a block of the rank's heap", ptr);
  pthread_mutex_unlock(&lock);
}

API int32_t mgpuGetRank(void) { return heap.there ? meeting.rank : 0; }

API int32_t mgpuGetWorldSize(void) { return heap.there ? meeting.size : 1; }

API void *mgpuGetHeapBase(int32_t rank) {
  return heap.there && rank >= 0 && rank < meeting.size ? heap.bases[rank]
                                                        : NULL;
}

API void **mgpuGetHeapBases(void) { return heap.there ? heap.bases : NULL; }

API void mgpuBarrier(void) {
  bool all;
  if (!heap.there)
    return; /* one rank, which has come */
  (void)agree(&meeting, "mgpuBarrier", true, &all);
}

API void mgpuSetDevice(int32_t device) { mgpuSetDefaultDevice(device); }

API int32_t mgpuEventElapsedTime(float *ms, void *start, void *stop) {
  enum { invalid_handle = 400 }; /* HIP's and CUDA's number */
  struct mgpux_stats stats;
  int32_t (*elapsed)(float *, void *, void *);
  mgpuxGetStats(&stats, sizeof stats);
  *(void **)&elapsed = vendor_function(stats.driver, "hipEventElapsedTime",
                                       "cuEventElapsedTime");
  int32_t status = elapsed ? elapsed(ms, start, stop) : invalid_handle;
  if (status == 0)
    printf("Elapsed time: %.3f ms\n", *ms); /* as mlir-air's function does */
  else if (elapsed)
    fail("mgpuEventElapsedTime",
         "error %d of the driver; events of mgpuEventCreate record no times, "
         "those of %s do",
         status,
         strcmp(stats.driver, "hip") == 0 ? "hipEventCreate" : "cuEventCreate");
  else
    fail("mgpuEventElapsedTime", "events of the driver %s record no times",
         stats.driver);
  return status;
}
