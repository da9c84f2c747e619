/* Kernel names asked for again: same name, other name, the same text at another
 * address, another text at the same address; module given back, loaded again. */
#include "capture.h"

BLOB(blob, "v5.hsaco");

static char name[] = "sizes";

int main(void) {
  void *m = mgpuModuleLoad(blob, 0), *second = mgpuModuleLoad(blob, 0);
  void *f = mgpuModuleGetFunction(m, name);
  printf("again: %s\n", mgpuModuleGetFunction(m, name) == f ? "same" : "other");
  void *saxpy = mgpuModuleGetFunction(m, "saxpy");
  printf("other name: %s\n", saxpy == f ? "same" : "other");
  char elsewhere[] = "sizes";
  printf("same text elsewhere: %s\n",
         mgpuModuleGetFunction(m, elsewhere) == f ? "same" : "other");
  memcpy(name, "saxpy", 5);
  printf("text changed in place: %s\n",
         mgpuModuleGetFunction(m, name) == saxpy ? "other" : "same");
  memcpy(name, "sizes", 5);
  mgpuModuleUnload(m);
  printf("after one of two unloads: %s\n",
         mgpuModuleGetFunction(second, name) ? "same" : "none");
  mgpuModuleUnload(second);
  printf("after the last unload: %s\n",
         mgpuModuleGetFunction(second, name) ? "found" : "none");
  m = mgpuModuleLoad(blob, 0);
  void *a = mgpuModuleGetFunction(m, name);
  void *b = mgpuModuleGetFunction(m, name);
  printf("loaded again: %s\n", a && a == b ? "found" : "none");
  struct mgpux_function_stats s;
  for (size_t i = 0; mgpuxGetFunctionStats(i, &s, sizeof s) != 0; i++)
    if (strcmp(s.name, "mgpuModuleGetFunction") == 0)
      printf("calls %d driver calls %d hits %d misses %d\n",
             (int)s.counters.calls, (int)s.counters.driver_calls,
             (int)s.counters.hits, (int)s.counters.misses);
}
