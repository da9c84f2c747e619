/* The host unmaps memory that it has registered, and then a kernel uses it. */
#include "hip.h"

#include <sys/mman.h>

enum { size = 1 << 20 };

int main(void) {
  hipFunction_t increment = function(module(), "increment");
  int *device, *host = mmap(NULL, size, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  CHECK(hipHostRegister(host, size, hipHostRegisterMapped));
  CHECK(hipHostGetDevicePointer((void **)&device, host, 0));
  launch(increment, 1, 64, NULL, (void *[]){&device});
  CHECK(hipDeviceSynchronize());
  EXPECT(host[63] == 1);
  /* The hole is larger than any mapping that the process makes there later. */
  enum { first = size / 8 };
  EXPECT(munmap(host + first, size / 2) == 0);
  device += first;
  launch(increment, 1, 64, NULL, (void *[]){&device});
  hipError_t e = hipDeviceSynchronize();
  printf("went on: %s\n", hipGetErrorName(e));
}
