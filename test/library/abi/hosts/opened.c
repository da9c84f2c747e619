/* Which vendors' libraries a first call leaves in the process. */
#include "capture.h"

int main(void) {
  mgpuStreamDestroy(mgpuStreamCreate()); /* falls back, and says so */
  char line[512];
  bool hip = false, cuda = false;
  FILE *f = fopen("/proc/self/maps", "r");
  while (f != NULL && fgets(line, sizeof line, f) != NULL) {
    hip |= strstr(line, "libamdhip64") != NULL;
    cuda |= strstr(line, "libcuda.so") != NULL;
  }
  printf("hip %d cuda %d\n", hip, cuda);
}
