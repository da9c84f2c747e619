/* Loads plugins one after the other, each unloaded before the next, so that the
 * loader puts them at the same address: the images are stable while they are
 * there, and others afterwards. */
#include "saxpy.h"

#include <dlfcn.h>
#include <stdlib.h>

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
  for (int twice = 0; twice < 2; twice++)
    run_saxpy(blob);
  dlclose(plugin);
}

int main(int argc, char **argv) {
  for (int round = 0; round < 3; round++)
    for (int i = 1; i < argc; i++)
      run(argv[i]);
  printf("moved: %d\n", moved);
}
