/* Modules loaded and unloaded in turns: a module that a thread still caches counts
 * as unloaded. */
#include "capture.h"

BLOB(blob, "v5.hsaco");
BLOB(other, "v6.hsaco");

static void *use(void *image) {
  for (int i = 0; i < 100; i++) {
    void *m = mgpuModuleLoad(image, 0);
    if (mgpuModuleGetFunction(m, "sizes") == NULL)
      printf("lost\n");
    mgpuModuleUnload(m);
  }
  return NULL;
}

static void *in_threads(void *image) {
  pthread_t t;
  for (int i = 0; i < 8; i++) {
    pthread_create(&t, NULL, use, i & 1 ? other : image);
    pthread_join(t, NULL);
  }
  return NULL;
}

int main(void) {
  use(blob);
  use(other);
  for (int i = 0; i < 50; i++) { /* in turns, and nested: two of one image */
    void *a = mgpuModuleLoad(blob, 0), *b = mgpuModuleLoad(other, 0);
    void *c = mgpuModuleLoad(blob, 0);
    mgpuModuleUnload(a);
    mgpuModuleUnload(b);
    if (mgpuModuleGetFunction(c, "sizes") == NULL)
      printf("lost\n");
    mgpuModuleUnload(c);
  }
  in_threads(blob);
  void *m = mgpuModuleLoad(blob, 0);
  mgpuModuleUnload(m);
  VOID_CASE("once too often", mgpuModuleUnload(m));
  m = mgpuModuleLoad(blob, 0);
  VOID_CASE("in use", {
    if (mgpuModuleGetFunction(m, "no_such_kernel") != NULL)
      printf("found\n");
  });
  mgpuModuleUnload(m);
  struct mgpux_function_stats s;
  for (size_t i = 0; mgpuxGetFunctionStats(i, &s, sizeof s) != 0; i++)
    if (strncmp(s.name, "mgpuModule", 10) == 0 && s.counters.calls != 0)
      fprintf(stderr, "%s: calls %d driver calls %d\n", s.name,
              (int)s.counters.calls, (int)s.counters.driver_calls);
}
