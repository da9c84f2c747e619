/* Memory of a stream's pool: given, used, freed, and given again. */
#include "hip.h"

int main(void) {
  hipFunction_t increment = function(module(), "increment");
  hipStream_t s;
  CHECK(hipStreamCreate(&s));
  for (int round = 0; round < 4; round++) {
    int *words, host[64];
    CHECK(hipMallocAsync((void **)&words, sizeof host, s));
    CHECK(hipMemsetAsync(words, 0, sizeof host, s));
    launch(increment, 1, 64, s, (void *[]){&words});
    CHECK(hipMemcpyAsync(host, words, sizeof host, hipMemcpyDeviceToHost, s));
    CHECK(hipFreeAsync(words, s));
    CHECK(hipStreamSynchronize(s));
    for (int i = 0; i < 64; i++)
      EXPECT(host[i] == 1);
  }
  hipMemPool_t pool;
  CHECK(hipDeviceGetDefaultMemPool(&pool, 0));
  CHECK(
      hipMemPoolTrimTo(pool, 0)); /* HIP 5.2 does not destroy a stream before */
  CHECK(hipStreamDestroy(s));
  puts("ok");
}
