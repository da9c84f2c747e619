/* The statistics calls, and structs of older and newer sizes. */
#include "capture.h"

int main(void) {
  struct {
    struct mgpux_stats s;
    uint64_t more;
  } newer;
  memset(&newer, 0xee, sizeof newer);
  void *stream = mgpuStreamCreate();
  mgpuStreamDestroy(stream);
  size_t known = mgpuxGetStats(&newer.s, sizeof newer);
  printf("known %d filled %d untouched %d\n", known == sizeof newer.s,
         newer.s.size == sizeof newer.s, newer.more == 0xeeeeeeeeeeeeeeee);
  printf("driver %s device %s cache %d calls %d\n", newer.s.driver,
         newer.s.device, (int)newer.s.cache, (int)newer.s.total.calls);
  struct mgpux_stats older;
  memset(&older, 0xee, sizeof older);
  mgpuxGetStats(&older, 16);
  printf("older: size %d functions %d, next %d\n", (int)older.size,
         older.functions == newer.s.functions,
         older.heap_allocations == 0xeeeeeeeeeeeeeeee);
  printf("null: %d\n", mgpuxGetStats(NULL, 0) == known);
  for (size_t i = 0; i < newer.s.functions; i++) {
    struct mgpux_function_stats f;
    if (mgpuxGetFunctionStats(i, &f, sizeof f) != sizeof f)
      return 1;
    if (f.counters.calls != 0)
      printf("%s: %d\n", f.name, (int)f.counters.calls);
  }
  printf("past the end: %zu\n",
         mgpuxGetFunctionStats(newer.s.functions, NULL, 0));
}
