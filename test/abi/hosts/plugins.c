/* Loads plugins one after the other, each unloaded before the next, so that the
 * loader puts them at the same address: the images are stable while they are
 * there, and others afterwards. */
#include "capture.h"

#include <dlfcn.h>

static uintptr_t last;
static int moved;

static void run(const char *path) {
  void *plugin = dlopen(path, RTLD_NOW);
  void *blob = plugin ? dlsym(plugin, "plugin_blob") : NULL;
  if (blob == NULL) {
    printf("%s\n", dlerror());
    exit(5);
  }
  moved += last != 0 && last != (uintptr_t)blob;
  last = (uintptr_t)blob;
  for (int twice = 0; twice < 2; twice++) {
    void *m = mgpuModuleLoad(blob, 0);
    void *f = mgpuModuleGetFunction(m, "saxpy");
    void *s = mgpuStreamCreate();
    float *y = mgpuMemAlloc(256, NULL, 1), *x = mgpuMemAlloc(256, NULL, 1);
    float one = 1, a = 1, back[4];
    uint32_t bits, local = 0;
    int n = 64;
    memcpy(&bits, &one, 4);
    mgpuMemset32(y, 0, 64, s);
    mgpuMemset32(x, bits, 64, s);
    void *params[] = {&y, &x, &a, &n, &local};
    mgpuLaunchKernel(f, 1, 1, 1, 64, 1, 1, 64, s, params, NULL, 5);
    mgpuMemcpy(back, y, sizeof back, s);
    mgpuStreamSynchronize(s);
    printf("%g %g %g %g\n", back[0], back[1], back[2], back[3]);
    mgpuMemFree(x, NULL);
    mgpuMemFree(y, NULL);
    mgpuStreamDestroy(s);
    mgpuModuleUnload(m);
  }
  dlclose(plugin);
}

int main(int argc, char **argv) {
  for (int round = 0; round < 3; round++)
    for (int i = 1; i < argc; i++)
      run(argv[i]);
  printf("moved: %d\n", moved);
}
