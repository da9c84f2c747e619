/* A stream is given back while a kernel on it is about to fail. Who gets a
 * stream next has not failed. */
#include "capture.h"

BLOB(blob, "v5.hsaco");

int main(void) {
  void *f = mgpuModuleGetFunction(mgpuModuleLoad(blob, 0), "sizes");
  void *wild = (void *)16;
  char c = 5;
  void *params[] = {&wild, &c};
  for (int round = 0; round < 3; round++) {
    void *s = mgpuStreamCreate();
    mgpuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, s, params, NULL, 2);
    begin();
    mgpuStreamDestroy(s);
    usleep(50000); /* the kernel fails */
    s = mgpuStreamCreate();
    mgpuStreamDestroy(mgpuStreamCreate());
    end("destroyed, another created", NULL);
    begin();
    mgpuStreamSynchronize(s);
    end("another synchronized", NULL);
    begin();
    int *p = mgpuMemAlloc(64, NULL, 0);
    mgpuMemset32(p, 0, 16, s);
    mgpuStreamSynchronize(s);
    mgpuMemFree(p, s); /* where stock waits for the device */
    mgpuStreamSynchronize(NULL);
    end("device synchronized", NULL);
    mgpuStreamDestroy(s);
  }
}
