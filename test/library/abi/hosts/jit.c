/* Two programs, one after the other in the same buffer, as a JIT engine places
 * them: same size, same names, different constants. */
#include "capture.h"

BLOB(blob, "v5.hsaco");

static char *buffer;

/* Puts the program into the buffer, with the factors 1, 2, 3, 4 replaced. */
static void place(const int *factors) {
  static const int compiled[] = {1, 2, 3, 4};
  size_t size = blob_end - blob;
  int found = 0;
  memcpy(buffer, blob, size);
  for (size_t i = 0; i + sizeof compiled <= size; i += 4)
    if (memcmp(buffer + i, compiled, sizeof compiled) == 0) {
      memcpy(buffer + i, factors, sizeof compiled);
      found++;
    }
  if (found != 1)
    exit(4);
}

static void run(void) {
  void *m = mgpuModuleLoad(buffer, 0);
  void *f = mgpuModuleGetFunction(m, "saxpy");
  void *s = mgpuStreamCreate();
  float *y = mgpuMemAlloc(256, NULL, 1), *x = mgpuMemAlloc(256, NULL, 1);
  float one = 1, a = 1;
  uint32_t bits;
  memcpy(&bits, &one, 4);
  mgpuMemset32(y, 0, 64, s);
  mgpuMemset32(x, bits, 64, s);
  int n = 64;
  uint32_t local = 0;
  void *params[] = {&y, &x, &a, &n, &local};
  mgpuLaunchKernel(f, 1, 1, 1, 64, 1, 1, 64, s, params, NULL, 5);
  float back[4];
  mgpuMemcpy(back, y, sizeof back, s);
  mgpuStreamSynchronize(s);
  printf("%g %g %g %g\n", back[0], back[1], back[2], back[3]);
  mgpuStreamDestroy(s);
  mgpuModuleUnload(m);
}

int main(void) {
  buffer = mmap(NULL, 1 << 20, PROT_READ | PROT_WRITE,
                MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  for (int i = 0; i < 3; i++) {
    place((int[]){1, 2, 3, 4});
    run();
    place((int[]){10, 20, 30, 40});
    run();
    run();
  }
}
