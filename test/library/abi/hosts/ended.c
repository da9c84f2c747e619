/* ended BYTES FILE: threads call once and end; then this thread frees a block of BYTES
 * after one of another size. Writes the blocks' states to FILE. */
#include <mgpu_runtime.h>

#include <pthread.h>
#include <stdlib.h>

enum { threads = 32 };

static pthread_barrier_t all_called;

static void *call(void *none) {
  mgpuMemFree(mgpuMemAlloc(64, NULL, 0), NULL);
  pthread_barrier_wait(&all_called);
  return none;
}

int main(int argc, char **argv) {
  if (argc != 3)
    return 2;
  size_t bytes = strtoull(argv[1], NULL, 0);
  pthread_barrier_init(&all_called, NULL, threads);
  pthread_t t[threads];
  for (int i = 0; i < threads; i++)
    pthread_create(&t[i], NULL, call, NULL);
  for (int i = 0; i < threads; i++)
    pthread_join(t[i], NULL);
  void *small = mgpuMemAlloc(bytes / 4, NULL, 0);
  mgpuMemFree(mgpuMemAlloc(bytes, NULL, 0), NULL);
  mgpuMemFree(small, NULL);
  return mgpuxMemorySnapshot(argv[2]) == 0 ? 0 : 1;
}
