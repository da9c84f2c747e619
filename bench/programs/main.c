/* programs [TIMES]: runs the programs as lowered through whatever library they are
 * linked to, without anything by hand, and checks their results. */

#include <mgpu_runtime.h>

#include <stdio.h>
#include <stdlib.h>

#include "programs.h"

int main(int argc, char **argv) {
  static struct memory m;
  int times = argc > 1 ? atoi(argv[1]) : 1, failed = 0;
  for (int i = 0; i < 4 * programs_count * times; i++) {
    const struct program *p = &programs[i / 4 % programs_count];
    int release = i / 2 % 2;
    void *stream = mgpuStreamCreate();
    for (int a = 0; a < p->arrays; a++) {
      size_t bytes = sizeof(float) * (size_t)p->points[a];
      m.d[a] = mgpuMemAlloc(bytes, stream, 0);
      p->begin(a, m.host);
      mgpuMemcpy(m.d[a], m.host, bytes, stream);
      mgpuStreamSynchronize(stream);
    }
    (i % 2 ? p->asked : p->lowered)[release](&m);
    mgpuMemcpy(m.host, m.d[p->result],
               sizeof(float) * (size_t)p->points[p->result], stream);
    mgpuStreamSynchronize(stream);
    float wrong = program_error(p, m.host);
    if (!(wrong <= p->tolerance)) {
      printf("%s, MLIR %d%s: off by %g\n", p->name, release ? 22 : 19,
             i % 2 ? ", regions" : "", (double)wrong);
      failed = 1;
    }
    for (int a = 0; a < p->arrays; a++)
      mgpuMemFree(m.d[a], stream);
    mgpuStreamDestroy(stream);
  }
  return failed;
}
