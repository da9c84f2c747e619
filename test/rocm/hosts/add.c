/* Adds two vectors, and times it with events. */
#include "hip.h"

int main(void) {
  enum { n = 1000 };
  float host[n], sum[n], *a, *b, *c;
  int count = n;
  hipEvent_t begin, end;
  hipFunction_t add = function(module(), "add");
  for (int i = 0; i < n; i++)
    host[i] = (float)i;
  CHECK(hipMalloc((void **)&a, sizeof host));
  CHECK(hipMalloc((void **)&b, sizeof host));
  CHECK(hipMalloc((void **)&c, sizeof host));
  CHECK(hipMemcpy(a, host, sizeof host, hipMemcpyHostToDevice));
  CHECK(hipMemcpy(b, host, sizeof host, hipMemcpyHostToDevice));
  CHECK(hipEventCreate(&begin));
  CHECK(hipEventCreate(&end));
  CHECK(hipEventRecord(begin, NULL));
  launch(add, (n + 63) / 64, 64, NULL, (void *[]){&a, &b, &c, &count});
  CHECK(hipEventRecord(end, NULL));
  CHECK(hipEventSynchronize(end));
  float ms;
  CHECK(hipEventElapsedTime(&ms, begin, end));
  EXPECT(ms > 0 && ms < 60000);
  CHECK(hipMemcpy(sum, c, sizeof sum, hipMemcpyDeviceToHost));
  for (int i = 0; i < n; i++)
    EXPECT(sum[i] == 2 * host[i]);
  CHECK(hipFree(a));
  CHECK(hipFree(b));
  CHECK(hipFree(c));
  puts("ok");
}
