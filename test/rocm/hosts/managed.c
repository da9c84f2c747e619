/* Managed memory that host and device use in turns. */
#include "hip.h"

int main(void) {
  hipFunction_t increment = function(module(), "increment");
  int *words;
  CHECK(hipMallocManaged((void **)&words, 64 * 4, hipMemAttachGlobal));
  for (int i = 0; i < 64; i++)
    words[i] = i;
  for (int round = 1; round <= 3; round++) {
    launch(increment, 1, 64, NULL, (void *[]){&words});
    CHECK(hipDeviceSynchronize());
    for (int i = 0; i < 64; i++)
      EXPECT(words[i] == i + round);
  }
  CHECK(hipFree(words));
  puts("ok");
}
