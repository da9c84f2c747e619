/* limits THREADS: threads free blocks of many sizes, up to 64 MiB, at the same time.
 * Prints how many bytes stay, after each of some turns at most. */
#include <mgpu_runtime.h>

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { most_threads = 16, blocks = 40, turns = 20 };

static pthread_barrier_t freed;

static void *work(void *stream) {
  for (int turn = 0; turn < turns; turn++) {
    void *p[blocks];
    for (int i = 0; i < blocks; i++)
      p[i] = mgpuMemAlloc((size_t)64 << (i + turn) % 21, stream, 0);
    for (int i = 0; i < blocks; i++)
      mgpuMemFree(p[i], stream);
    pthread_barrier_wait(&freed); /* all look before any goes on */
    pthread_barrier_wait(&freed);
  }
  return NULL;
}

int main(int argc, char **argv) {
  int threads = argc > 1 ? atoi(argv[1]) : 1;
  if (threads < 1 || threads > most_threads)
    return 2;
  void *s = mgpuStreamCreate();
  mgpuStreamSynchronize(s);
  pthread_barrier_init(&freed, NULL, (unsigned)threads + 1);
  pthread_t t[most_threads];
  for (int i = 0; i < threads; i++)
    pthread_create(&t[i], NULL, work, s);
  uint64_t most = 0;
  for (int turn = 0; turn < turns; turn++) {
    pthread_barrier_wait(&freed);
    struct mgpux_memory_stats m;
    mgpuxGetMemoryStats(0, &m, sizeof m);
    if (m.cached > most)
      most = m.cached;
    pthread_barrier_wait(&freed);
  }
  for (int i = 0; i < threads; i++)
    pthread_join(t[i], NULL);
  printf("%llu\n", (unsigned long long)most);
  return 0;
}
