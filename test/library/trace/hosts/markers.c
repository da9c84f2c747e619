/* A library of a profiler's, which prints what it is told. */
#include <stdio.h>

int roctxRangePushA(const char *name) {
  return fprintf(stderr, "push %s\n", name);
}
int roctxRangePop(void) { return fprintf(stderr, "pop\n"); }
void roctxMarkA(const char *name) { fprintf(stderr, "mark %s\n", name); }
