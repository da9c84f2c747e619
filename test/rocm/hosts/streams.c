/* Streams that wait for each other, for the host, and call it back. */
#include "hip.h"

static int called;

static void callback(hipStream_t s, hipError_t status, void *data) {
  (void)s;
  EXPECT(status == hipSuccess);
  __atomic_store_n((int *)data, 1, __ATOMIC_SEQ_CST);
}

int main(void) {
  hipModule_t m = module();
  hipFunction_t increment = function(m, "increment");
  hipFunction_t await = function(m, "await");
  int *words, *seen, *flag, host[64];
  CHECK(hipMalloc((void **)&words, sizeof host));
  CHECK(hipMalloc((void **)&seen, sizeof *seen));
  CHECK(hipMemset(words, 0, sizeof host));
  CHECK(hipMemset(seen, 0, sizeof *seen));
  CHECK(hipHostMalloc((void **)&flag, sizeof *flag, 0));
  CHECK(hipDeviceSynchronize());
  *flag = 0;

  /* The first stream waits for the host, the second does not. */
  hipStream_t first, second;
  CHECK(hipStreamCreateWithFlags(&first, hipStreamNonBlocking));
  CHECK(hipStreamCreateWithFlags(&second, hipStreamNonBlocking));
  launch(await, 1, 1, first, (void *[]){&flag, &seen});
  launch(increment, 1, 64, second, (void *[]){&words});
  CHECK(hipStreamSynchronize(second));
  EXPECT(hipStreamQuery(first) == hipErrorNotReady);

  /* From here on the second waits for the first. */
  hipEvent_t waited;
  CHECK(hipEventCreateWithFlags(&waited, hipEventDisableTiming));
  CHECK(hipEventRecord(waited, first));
  CHECK(hipStreamWaitEvent(second, waited, 0));
  launch(increment, 1, 64, second, (void *[]){&words});
  CHECK(hipStreamAddCallback(second, callback, &called, 0));
  EXPECT(hipEventQuery(waited) == hipErrorNotReady);
  EXPECT(__atomic_load_n(&called, __ATOMIC_SEQ_CST) == 0);
  __atomic_store_n(flag, 1, __ATOMIC_SEQ_CST);
  CHECK(hipStreamSynchronize(second));
  EXPECT(__atomic_load_n(&called, __ATOMIC_SEQ_CST) == 1);
  CHECK(hipMemcpy(host, words, sizeof host, hipMemcpyDeviceToHost));
  for (int i = 0; i < 64; i++)
    EXPECT(host[i] == 2);
  CHECK(hipStreamDestroy(first));
  CHECK(hipStreamDestroy(second));
  puts("ok");
}
