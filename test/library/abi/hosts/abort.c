/* A failing call and one that must not be reached. */
#include <mgpu_runtime.h>
#include <stdio.h>

int main(void) {
  mgpuModuleLoad(NULL, 0);
  puts("went on");
}
