/* The statistics calls, and structs of older and newer sizes. */
#include "capture.h"

BLOB(globals, "globals.hsaco");
BLOB(managed, "managed.hsaco");

/* Modules that have variables of their own, so that each load gives a new one. */
static void refusals(void) {
  struct {
    struct mgpux_refusal r;
    uint64_t more;
  } newer;
  memset(&newer, 0xee, sizeof newer);
  size_t none = mgpuxGetRefusal(0, &newer.r, sizeof newer);
  printf("no refusal: %zu %d\n", none, newer.r.times == 0xeeeeeeeeeeeeeeee);
  for (int i = 0; i < 3; i++)
    mgpuModuleUnload(mgpuModuleLoad(globals, 0));
  mgpuModuleUnload(mgpuModuleLoad(managed, 0));
  for (size_t i = 0; mgpuxGetRefusal(i, &newer.r, sizeof newer) != 0; i++)
    printf("not shared, %d time%s: %s\n", (int)newer.r.times,
           newer.r.times == 1 ? "" : "s", newer.r.reason);
  struct mgpux_refusal older;
  memset(&older, 0xee, sizeof older);
  size_t known = mgpuxGetRefusal(0, &older, 8);
  printf("size %d older %d filled %d untouched %d\n",
         mgpuxGetRefusal(0, NULL, 0) == sizeof older, known == sizeof older,
         older.times < 4, older.reason[0] == (char)0xee);
  printf("untouched %d\n", newer.more == 0xeeeeeeeeeeeeeeee);
}

int main(int argc, char **argv) {
  if (argc > 1 && strcmp(argv[1], "refusals") == 0) {
    refusals();
    return 0;
  }
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
