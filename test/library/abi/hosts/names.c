/* Kernel names. */
#include "capture.h"

BLOB(blob, "v5.hsaco");

int main(void) {
  void *m = mgpuModuleLoad(blob, 0);
  valid();
  CASE("null", mgpuModuleGetFunction(m, NULL));
  CASE("empty", mgpuModuleGetFunction(m, ""));
  CASE("unknown", mgpuModuleGetFunction(m, "no_such_kernel"));
  CASE("of a variable", mgpuModuleGetFunction(m, "weights"));
  CASE("of a descriptor", mgpuModuleGetFunction(m, "sizes.kd"));
  CASE("a prefix", mgpuModuleGetFunction(m, "size"));
  CASE("longer", mgpuModuleGetFunction(m, "sizes_"));
  CASE("at the edge", mgpuModuleGetFunction(m, at_the_edge("xxxx", 5)));
  static char huge[1 << 20];
  memset(huge, 'x', sizeof huge - 1);
  CASE("a million letters", mgpuModuleGetFunction(m, huge));
  CASE("not text", mgpuModuleGetFunction(m, "\xff\xfe\n\x01"));
  printf("known\t%s\t0\t\n",
         mgpuModuleGetFunction(m, "sizes") ? "value" : "null");
}
