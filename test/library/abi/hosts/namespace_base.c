/* Loads two plugins at the same address, and in between lets the loader's count of
 * unloads come back to what it was, by namespaces: their objects count as unloaded
 * less often (glibc 2.36). argv: plugin, other plugin, a library to load and unload. */
#define _GNU_SOURCE
#include "saxpy.h"

#include <dlfcn.h>
#include <link.h>
#include <stdbool.h>
#include <stdlib.h>

static void *opened(void *plugin) {
  if (plugin == NULL) {
    printf("%s\n", dlerror());
    exit(5);
  }
  return plugin;
}

static int subs_of(struct dl_phdr_info *info, size_t size, void *out) {
  (void)size;
  *(long long *)out = info->dlpi_subs;
  return 1;
}

static long long unloads(void) {
  long long n = 0;
  dl_iterate_phdr(subs_of, &n);
  return n;
}

/* Whether the count could be brought back to n. */
static bool come_back_to(long long n, const char *filler) {
  if (unloads() > n)
    opened(dlmopen(LM_ID_NEWLM, filler, RTLD_NOW));
  while (unloads() < n)
    dlclose(opened(dlopen(filler, RTLD_NOW | RTLD_LOCAL)));
  return unloads() == n;
}

int main(int argc, char **argv) {
  (void)argc;
  void *last = NULL;
  int moved = 0;
  bool back = true;
  long long n = 0;
  for (int i = 0; i < 4; i++) {
    void *plugin = opened(dlopen(argv[1 + i % 2], RTLD_NOW));
    void *blob = opened(dlsym(plugin, "plugin_blob"));
    moved += last != NULL && last != blob;
    last = blob;
    if (i % 2 == 0)
      n = unloads();
    else
      back &= come_back_to(n, argv[3]);
    for (int j = 0; j < 3; j++)
      run_saxpy(blob);
    dlclose(plugin);
  }
  printf("moved: %d\n", moved);
  fprintf(stderr, "%s",
          back ? "" : "the count of unloads does not go back here\n");
}
