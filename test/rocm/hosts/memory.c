/* Full memory, registered host memory, attributes of pointers. */
#include "hip.h"

int main(void) {
  hipFunction_t increment = function(module(), "increment");
  size_t available, total;
  void *p;
  CHECK(hipMemGetInfo(&available, &total));
  EXPECT(total == (size_t)256 << 20 && available <= total);
  EXPECT(hipMalloc(&p, total + 1) == hipErrorOutOfMemory);
  void *blocks[16];
  int n = 0;
  hipError_t e = hipSuccess;
  while (n < 16 && (e = hipMalloc(&blocks[n], 32 << 20)) == hipSuccess)
    n++;
  EXPECT(e == hipErrorOutOfMemory && n >= 4 && n <= 8);
  for (int i = 0; i < n; i++)
    CHECK(hipFree(blocks[i]));
  CHECK(hipMalloc(&p, 128 << 20));
  CHECK(hipFree(p));

  char *pages = malloc(1 << 20);
  int *host = (int *)(pages + 68), *device; /* not at a page's beginning */
  memset(pages, 0, 1 << 20);
  CHECK(hipHostRegister(host, 64 * 4, hipHostRegisterMapped));
  CHECK(hipHostGetDevicePointer((void **)&device, host, 0));
  int release;
  CHECK(hipRuntimeGetVersion(&release));
  EXPECT(release >= 50700000 ||
         device != host); /* later ones keep the address */
  launch(increment, 1, 64, NULL, (void *[]){&device});
  CHECK(hipDeviceSynchronize());
  for (int i = 0; i < 64; i++)
    EXPECT(host[i] == 1);
  EXPECT(pages[67] == 0 && host[64] == 0);
  CHECK(hipHostUnregister(host));

  hipPointerAttribute_t a;
  CHECK(hipMalloc(&p, 4096));
  CHECK(hipPointerGetAttributes(&a, (char *)p + 100));
  EXPECT(a.devicePointer == (char *)p + 100 || a.devicePointer == p);
  /* ROCm 6 and later call other memory unregistered. */
  EXPECT(hipPointerGetAttributes(&a, pages) == hipErrorInvalidValue ||
         a.memoryType != hipMemoryTypeDevice);
  puts("ok");
}
