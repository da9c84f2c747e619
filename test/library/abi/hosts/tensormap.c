/* Tensor maps where there are none. */
#include "capture.h"

int main(void) {
  valid();
  VOID_CASE("in place", mgpuTensorMapEncodeTiled(NULL, 0, 1, NULL, NULL, NULL,
                                                 NULL, NULL, 0, 0, 0, 0));
  CASE("of a memref",
       mgpuTensorMapEncodeTiledMemref(1, NULL, 0, 0, 0, 0, 0, NULL));
}
