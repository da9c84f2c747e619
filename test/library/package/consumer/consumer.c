// The least that proves that header and library were found and belong together.

#include <mgpu_runtime.h>

int main(void) {
  void *stream = mgpuStreamCreate();
  mgpuStreamDestroy(stream);
  return stream == NULL;
}
