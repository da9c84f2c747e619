#include "direct.h"

#include <string.h>

#include "calls.h"

/* A failure that names the row of its function, as those of waits do. */
static int32_t failure_of(const char *name, int32_t status) {
  int i = 0;
  while (i < hip_rows() && strcmp(hip_row_name(i), name) != 0)
    i++;
  return i << 16 | (status & 0xffff);
}

__attribute__((hot)) static int32_t
launch(uintptr_t h, uintptr_t function, uint32_t gx, uint32_t gy, uint32_t gz,
       uint32_t bx, uint32_t by, uint32_t bz, uint32_t shared, uintptr_t stream,
       uintptr_t params, uintptr_t extra) {
  int32_t status = hip_launch((hip *)h, function, gx, gy, gz, bx, by, bz,
                              shared, stream, params, extra);
  if (__builtin_expect(status == 0 || status >> 16, 1))
    return status;
  return failure_of("hipModuleLaunchKernel", status);
}

uintptr_t hip_direct_launch(void) { return (uintptr_t)launch; }
