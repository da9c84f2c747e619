/* A program linked against whatever defines the functions. */
#include <mgpu_runtime.h>
#include <stdio.h>

int main(void) {
  mgpuStreamDestroy(mgpuStreamCreate());
  struct mgpux_stats s;
  printf("%s\n", mgpuxGetStats(&s, sizeof s) ? s.driver : "none");
}
