/* Changes the environment after HIP's first call, and opens the library that the argument names. */
#include "hip.h"

#include <dlfcn.h>

int main(int argc, char **argv) {
  int devices;
  CHECK(hipGetDeviceCount(&devices));
  unsetenv("MGPU_STATS");
  EXPECT(argc == 2 && dlopen(argv[1], RTLD_NOW | RTLD_GLOBAL));
  puts("ok");
}
