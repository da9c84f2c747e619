/* A library whose constructor calls before the runtime's own constructor ran.
 * The call is weak: without the runtime there is nothing to call. */
#include <stdio.h>

void *mgpuStreamCreate(void) __attribute__((weak));
void mgpuStreamDestroy(void *) __attribute__((weak));

__attribute__((constructor)) static void early(void) {
  if (mgpuStreamCreate)
    mgpuStreamDestroy(mgpuStreamCreate());
  puts("constructed");
}
