/* Names that are not text, after many that are: none may be read. */
#include "capture.h"

BLOB(blob, "v5.hsaco");

int main(void) {
  void *m = mgpuModuleLoad(blob, 0);
  static char names[1000][8];
  for (int i = 0; i < 1000; i++)
    if (!mgpuModuleGetFunction(m, strcpy(names[i], "sizes")))
      return 1;
  valid();
  for (uintptr_t i = 0; i < 64; i++) {
    char name[40];
    snprintf(name, sizeof name, "%#lx", (long)i);
    CASE(name, mgpuModuleGetFunction(m, (char *)i));
  }
  for (int i = 0; i < 64; i++) {
    char name[40], *page = unmapped();
    snprintf(name, sizeof name, "unmapped, %d", i);
    CASE(name, mgpuModuleGetFunction(m, page + 64 * i));
  }
  CASE("no address at all",
       mgpuModuleGetFunction(m, (char *)0xdeadbeefdeadbee8));
  printf("known\t%s\t0\t\n",
         mgpuModuleGetFunction(m, names[7]) ? "value" : "null");
}
