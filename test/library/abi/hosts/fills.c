/* Memory of many sizes that is written, freed and allocated again; exits with 1 where
 * it does not hold what the first argument says, "poison" or "zero", to its last byte. */
#include <mgpu_runtime.h>

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { most = 70001 };

int main(int argc, char **argv) {
  static const unsigned char poison[4] = {0xad, 0xde, 0xf8, 0x7f};
  static unsigned char bytes[most];
  bool zero = argc > 1 && strcmp(argv[1], "zero") == 0;
  static const size_t sizes[] = {1, 2, 3, 4, 5, 1001, 4096, most};
  for (size_t i = 0; i < 4 * sizeof sizes / sizeof *sizes; i++) {
    size_t n = sizes[i / 4];
    void *s = mgpuStreamCreate();
    char *p = mgpuMemAlloc(n, s, 0);
    mgpuMemcpy(bytes, p, n, s);
    mgpuStreamSynchronize(s);
    for (size_t k = 0; k < n; k++)
      if (bytes[k] != (zero ? 0 : poison[k % 4])) {
        fprintf(stderr, "byte %zu of %zu is %#x\n", k, n, bytes[k]);
        return 1;
      }
    memset(bytes, 0x55, n);
    mgpuMemcpy(p, bytes, n, s);
    mgpuMemFree(p, s);
    mgpuStreamDestroy(s);
  }
  return 0;
}
