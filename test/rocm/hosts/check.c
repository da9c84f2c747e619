/* Makes the mistake named by the argument, for the checker. */
#include "hip.h"

static void *allocate(size_t size) {
  void *p;
  CHECK(hipMalloc(&p, size)); /* the line that reports name */
  return p;
}

int main(int argc, char **argv) {
  EXPECT(argc == 2);
  hipModule_t m = module();
  int *p = allocate(250 * sizeof(int));
  if (!strcmp(argv[1], "beyond")) {
    launch(function(m, "increment"), 4, 64, NULL, (void *[]){&p});
  } else if (!strcmp(argv[1], "late")) {
    CHECK(hipFree(p));
    launch(function(m, "increment"), 1, 64, NULL, (void *[]){&p});
  } else if (!strcmp(argv[1], "race")) {
    launch(function(m, "collide"), 2, 64, NULL, (void *[]){&p});
  } else if (!strcmp(argv[1], "code")) {
    launch(function(m, "overwrite"), 1, 1, NULL, (void *[]){&p});
  } else {
    launch(function(m, "increment"), 3, 64, NULL, (void *[]){&p});
  }
  hipError_t e = hipDeviceSynchronize();
  printf("went on: %s\n", hipGetErrorName(e));
}
