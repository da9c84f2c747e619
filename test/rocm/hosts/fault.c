/* Runs the kernel that its argument names, which fails. */
#include "hip.h"

#include <stdbool.h>
#include <stdint.h>

int main(int argc, char **argv) {
  EXPECT(argc == 2);
  hipFunction_t f = function(module(), argv[1]);
  int *p;
  CHECK(hipMalloc((void **)&p, 4096));
  bool brief = strcmp(argv[1], "brief") == 0; /* too many that end at once */
  /* HIP 7 may know of the failure when the launch returns. */
  hipError_t e =
      hipModuleLaunchKernel(f, brief ? INT32_MAX : 1, 1, 1, brief ? 1 : 64, 1,
                            1, 0, NULL, (void *[]){&p}, NULL);
  if (e == hipSuccess)
    e = hipDeviceSynchronize();
  printf("went on: %s\n", hipGetErrorName(e));
}
