/* Two devices: each computes, memory is copied from one to the other, and a kernel
 * of one uses the other's. */
#include "hip.h"

int main(void) {
  int devices, can;
  CHECK(hipGetDeviceCount(&devices));
  EXPECT(devices == 2);
  CHECK(hipDeviceCanAccessPeer(&can, 0, 1));
  EXPECT(can == 1);
  int *words[2], host[64];
  hipFunction_t increment[2];
  for (int i = 0; i < 2; i++) {
    CHECK(hipSetDevice(i));
    increment[i] = function(module(), "increment");
    CHECK(hipMalloc((void **)&words[i], sizeof host));
    CHECK(hipMemset(words[i], 0, sizeof host));
    launch(increment[i], 1, 64, NULL, (void *[]){&words[i]});
    CHECK(hipDeviceSynchronize());
  }
  CHECK(hipSetDevice(0));
  launch(increment[0], 1, 64, NULL, (void *[]){&words[0]});
  CHECK(hipMemcpyPeer(words[1], 1, words[0], 0, sizeof host));
  CHECK(hipDeviceEnablePeerAccess(1, 0));
  launch(increment[0], 1, 64, NULL, (void *[]){&words[1]});
  CHECK(hipDeviceSynchronize());
  CHECK(hipMemcpy(host, words[1], sizeof host, hipMemcpyDeviceToHost));
  for (int i = 0; i < 64; i++)
    EXPECT(host[i] == 3);
  puts("ok");
}
