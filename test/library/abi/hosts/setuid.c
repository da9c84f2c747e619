// One call, and whether the process has more rights than who started it.

#include <mgpu_runtime.h>
#include <stdio.h>
#include <sys/auxv.h>

int main(void) {
  void *stream = mgpuStreamCreate();
  mgpuStreamDestroy(stream);
  printf("%lu\n", getauxval(AT_SECURE));
  return 0;
}
