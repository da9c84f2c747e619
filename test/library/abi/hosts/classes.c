/* Blocks of sizes around all that classes begin and end at, each given out by C the
 * second time; then a snapshot. */
#include <mgpu_runtime.h>

#include <stddef.h>

static void twice(uint64_t bytes) {
  mgpuMemFree(mgpuMemAlloc(bytes, NULL, 0), NULL);
  mgpuMemAlloc(bytes, NULL, 0);
}

int main(int argc, char **argv) {
  if (argc != 2)
    return 2;
  for (int n = 0; n < 33; n++)
    for (uint64_t step = 8; step < 16; step++)
      for (uint64_t around = 0; around < 3; around++) {
        uint64_t bytes = (step << n >> 3) + around;
        if (bytes > 1)
          twice(bytes - 1);
      }
  struct mgpux_memory_stats s;
  mgpuxGetMemoryStats(0, &s, sizeof s);
  return mgpuxMemorySnapshot(argv[1]) != 0 || s.hits == 0;
}
