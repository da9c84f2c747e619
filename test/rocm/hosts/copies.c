/* Copies and fills of all kinds, from pageable and pinned memory, small and large. */
#include "hip.h"

static void round_trip(char *host, char *back, size_t n) {
  char *a, *b;
  CHECK(hipMalloc((void **)&a, n));
  CHECK(hipMalloc((void **)&b, n));
  for (size_t i = 0; i < n; i++)
    host[i] = (char)(i * 7 + i / 251);
  CHECK(hipMemcpy(a, host, n, hipMemcpyHostToDevice));
  CHECK(hipMemcpy(b, a, n, hipMemcpyDeviceToDevice));
  memset(back, 0, n);
  CHECK(hipMemcpy(back, b, n, hipMemcpyDeviceToHost));
  EXPECT(memcmp(host, back, n) == 0);
  CHECK(hipMemset(a, 0x5a, n));
  CHECK(hipMemcpy(back, a, n, hipMemcpyDeviceToHost));
  for (size_t i = 0; i < n; i++)
    EXPECT(back[i] == 0x5a);
  CHECK(hipFree(a));
  CHECK(hipFree(b));
}

int main(void) {
  static const size_t sizes[] = {1, 3, 4096, 70001, 9 << 20};
  for (int i = 0; i < 5; i++) {
    char *host = malloc(sizes[i]), *back = malloc(sizes[i]);
    round_trip(host, back, sizes[i]);
    free(host);
    free(back);
    CHECK(hipHostMalloc((void **)&host, sizes[i], 0));
    CHECK(hipHostMalloc((void **)&back, sizes[i], 0));
    round_trip(host, back, sizes[i]);
    CHECK(hipHostFree(host));
    CHECK(hipHostFree(back));
  }
  puts("ok");
}
