/* Calls before main, during exit and after it, from handlers, destructors and a
 * thread that never stops. */
#include "capture.h"

BLOB(blob, "v5.hsaco");
static void *module;

static void work(const char *when) {
  uint32_t back = 0;
  void *s = mgpuStreamCreate();
  void *d = mgpuMemAlloc(4, s, 0);
  mgpuMemset32(d, 7, 1, s);
  mgpuMemcpy(&back, d, 4, s);
  mgpuStreamSynchronize(s);
  mgpuMemFree(d, s);
  mgpuStreamDestroy(s);
  printf("%s: %u, kernel %s\n", when, back,
         mgpuModuleGetFunction(module, "sizes") ? "found" : "not found");
  fflush(stdout);
}

static void *for_ever(void *arg) {
  for (;;) {
    void *s = mgpuStreamCreate();
    mgpuStreamSynchronize(s);
    mgpuStreamDestroy(s);
  }
  return arg;
}

__attribute__((constructor(123))) static void load(void) {
  module = mgpuModuleLoad(blob, 0);
  work("constructor");
}

__attribute__((destructor(123))) static void unload(void) {
  work("destructor");
  mgpuModuleUnload(module);
}

static void early(void) { work("handler registered first"); }
static void late(void) { work("handler registered last"); }

int main(int argc, char **argv) {
  (void)argv;
  atexit(early);
  work("main");
  atexit(late);
  if (argc > 1) {
    pthread_t t;
    pthread_create(&t, NULL, for_ever, NULL);
    usleep(1000);
  }
  return 0;
}
