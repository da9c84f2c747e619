/* Frees blocks after copies to the host, which waits for none: prints how many frees found
 * work pending. The copies have arrived when their calls return. */
#include <mgpu_runtime.h>

#include <stdio.h>
#include <string.h>

enum { bytes = 1 << 16, rounds = 300 };

int main(void) {
  static char in[bytes], out[bytes];
  void *s = mgpuStreamCreate();
  for (int i = 0; i < rounds; i++) {
    memset(in, i, bytes);
    void *p = mgpuMemAlloc(bytes, s, 0);
    mgpuMemcpy(p, in, bytes, s);
    mgpuMemcpy(out, p, bytes, s);
    mgpuMemFree(p, s);
    if (memcmp(in, out, bytes) != 0)
      return 1;
  }
  struct mgpux_memory_stats m;
  mgpuxGetMemoryStats(0, &m, sizeof m);
  printf("%llu\n", (unsigned long long)m.deferred);
  mgpuStreamDestroy(s);
  return 0;
}
