/* Memory that is allocated, filled, copied both ways and freed, on another stream than
 * the one that used it, again and again; exits with 1 where anything else comes back. */
#include <mgpu_runtime.h>

#include <stdlib.h>
#include <string.h>

enum { rounds = 300, most = 70000 };

int main(void) {
  static const size_t sizes[] = {4, 1000, 4096, 65536, most};
  static char in[most], out[most];
  void *other = mgpuStreamCreate();
  for (int i = 0; i < rounds; i++) {
    size_t n = sizes[i % 5];
    void *s = mgpuStreamCreate();
    char *p = mgpuMemAlloc(n, s, 0);
    memset(in, i, n);
    mgpuMemset32(p, 0x55555555, n / 4, s);
    mgpuMemcpy(p + n / 4, in + n / 4, n - n / 4, s);
    memset(in, 0xee, n);
    mgpuMemcpy(out, p, n, s);
    mgpuMemFree(p, i % 3 == 0 ? other : s);
    if (i % 2 == 0) { /* another stream is waited for, after this one */
      void *e = mgpuEventCreate(), *t = mgpuStreamCreate();
      mgpuEventRecord(e, s);
      mgpuStreamWaitEvent(t, e);
      mgpuEventDestroy(e);
      mgpuStreamSynchronize(t);
      mgpuStreamDestroy(t);
    } else {
      mgpuStreamSynchronize(s);
    }
    for (size_t k = 0; k < n; k++)
      if (out[k] != (k < n / 4 ? 0x55 : (char)i))
        return 1;
    mgpuStreamDestroy(s);
  }
  return 0;
}
