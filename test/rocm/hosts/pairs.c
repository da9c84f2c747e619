/* One kernel stores pairs of words that another one loads: both halves are one store's, as libraries for several GPUs
 * have data and flag. */
#include "hip.h"

int main(void) {
  hipModule_t m = module();
  hipFunction_t store = function(m, "store_pairs");
  hipFunction_t load = function(m, "load_pairs");
  int *words, *wrong, host[64] = {0};
  unsigned long times = 20000;
  CHECK(hipMalloc((void **)&words, 64 * 16));
  CHECK(hipMalloc((void **)&wrong, sizeof host));
  CHECK(hipMemset(words, 0, 64 * 16));
  CHECK(hipMemset(wrong, 0, sizeof host));
  CHECK(hipDeviceSynchronize());
  hipStream_t first, second;
  CHECK(hipStreamCreateWithFlags(&first, hipStreamNonBlocking));
  CHECK(hipStreamCreateWithFlags(&second, hipStreamNonBlocking));
  launch(load, 1, 64, first, (void *[]){&words, &times, &wrong});
  launch(store, 1, 64, second, (void *[]){&words, &times});
  CHECK(hipDeviceSynchronize());
  CHECK(hipMemcpy(host, wrong, sizeof host, hipMemcpyDeviceToHost));
  for (int i = 0; i < 64; i++)
    EXPECT(host[i] == 0);
  puts("ok");
}
