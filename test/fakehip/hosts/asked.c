/* After a kernel has failed, the program allocates, frees and creates without waiting for it.
 * Only the library queries the driver for the progress of the work, and no such query may
 * become the program's error. Then the program waits, and gets the error. */
#include <mgpu_runtime.h>

#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "../../internal/chost/module.h"

enum { success = 0, invalid_value = 1, not_ready = 600, launch_failure = 719 };

static int (*stream_query)(void *), (*last_error)(void), (*peek)(void),
    (*vendors_free)(void *);

static void *hip(const char *name) {
  void *library = dlopen(getenv("MGPU_HIP_LIBRARY"), RTLD_NOW | RTLD_NOLOAD);
  return dlsym(library, name);
}

static void expect_value(const char *what, long got, long wanted) {
  if (got == wanted)
    return;
  fprintf(stderr, "%s: %ld, not %ld\n", what, got, wanted);
  exit(1);
}

static void await_failure(void *s) {
  int status;
  while ((status = stream_query(s)) == not_ready)
    ;
  expect_value("the kernel", status, launch_failure);
  last_error();
}

/* Makes the library query the streams and the memory that the failed work used. */
static void go_on(void) {
  static char host[64];
  void *blocks[4], *s[4];
  for (int round = 0; round < 3; round++) {
    for (int i = 0; i < 4; i++)
      expect_value("an allocation",
                   (blocks[i] = mgpuMemAlloc(4096, NULL, 0)) != NULL, 1);
    for (int i = 0; i < 4; i++)
      expect_value("a stream", (s[i] = mgpuStreamCreate()) != NULL, 1);
    mgpuMemcpy(blocks[0], host, sizeof host,
               s[0]); /* a free asks what it read */
    for (int i = 0; i < 4; i++)
      mgpuMemFree(blocks[i], NULL);
    for (int i = 0; i < 4; i++)
      mgpuStreamDestroy(s[i]);
    expect_value("mgpuxTakeError", mgpuxTakeError(NULL, 0), mgpux_ok);
  }
}

int main(int argc, char **argv) {
  if (argc != 2)
    return 3;
  void *fill =
      mgpuModuleGetFunction(mgpuModuleLoad(read_module(argv[1]), 0), "fill");
  stream_query = (int (*)(void *))hip("hipStreamQuery");
  last_error = (int (*)(void))hip("hipGetLastError");
  peek = (int (*)(void))hip("hipPeekAtLastError");
  vendors_free = (int (*)(void *))hip("hipFree");
  void *s = mgpuStreamCreate(), *also = mgpuStreamCreate();
  void *p = mgpuMemAlloc(4096, s, 0), *q = mgpuMemAlloc(4096, s, 0);
  uint32_t value = 7, n = 64;
  void *params[] = {&p, &value, &n};
  mgpuLaunchKernel(fill, 1, 1, 1, 64, 1, 1, 0, s, params, NULL, 3);
  params[0] = &q;
  mgpuLaunchKernel(fill, 1, 1, 1, 64, 1, 1, 0, also, params, NULL, 3);
  await_failure(s);
  await_failure(also);
  mgpuMemFree(p, s);
  go_on();
  expect_value("the last error", peek(), success);
  expect_value("hipFree", vendors_free(&value), invalid_value);
  go_on();
  expect_value("the program's last error", last_error() != success, 1);
  fflush(stdout);
  fprintf(stderr, "waits\n");
  mgpuStreamSynchronize(s);
  expect_value("mgpuxTakeError", mgpuxTakeError(NULL, 0), mgpux_launch_failure);
  mgpuStreamDestroy(s);
  mgpuStreamDestroy(
      also); /* the program does not ask for its work, the pool does */
  for (int i = 0; i < 4; i++)
    expect_value("a stream", mgpuStreamCreate() != NULL, 1);
  expect_value("mgpuxTakeError", mgpuxTakeError(NULL, 0), mgpux_ok);
  return 0;
}
