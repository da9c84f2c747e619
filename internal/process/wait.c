/* Waits for drivers without hardware. */

#define _GNU_SOURCE
#include "process.h"

#include <errno.h>
#include <time.h>

int32_t wait_nanoseconds(uintptr_t ns, uintptr_t a, uintptr_t b, uintptr_t c,
                         uintptr_t d) {
  (void)a, (void)b, (void)c, (void)d;
  struct timespec left = {(time_t)(ns / 1000000000), (long)(ns % 1000000000)};
  while (nanosleep(&left, &left) == -1 && errno == EINTR)
    ;
  return 0;
}

uintptr_t wait_function(void) { return (uintptr_t)wait_nanoseconds; }
