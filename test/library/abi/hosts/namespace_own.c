/* Loads plugins, each unloaded before the next, into one namespace of their own,
 * which the runtime library shares with them. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

static Lmid_t in = LM_ID_NEWLM;
static void (*last)(void);
static int moved;

static void run(const char *path) {
  void *plugin = dlmopen(in, path, RTLD_NOW);
  void (*plugin_run)(void) =
      plugin ? (void (*)(void))dlsym(plugin, "plugin_run") : NULL;
  if (plugin_run == NULL || dlinfo(plugin, RTLD_DI_LMID, &in) != 0) {
    printf("%s\n", dlerror());
    exit(5);
  }
  moved += last != NULL && last != plugin_run;
  last = plugin_run;
  for (int i = 0; i < 3; i++)
    plugin_run();
  dlclose(plugin);
}

int main(int argc, char **argv) {
  for (int round = 0; round < 3; round++)
    for (int i = 1; i < argc; i++)
      run(argv[i]);
  printf("moved: %d\n", moved);
}
