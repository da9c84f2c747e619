/* Loads the images of two libraries in turn. Prints how often the loader's objects were
 * walked meanwhile, and how many modules were given. */
#define _GNU_SOURCE
#include <mgpu_runtime.h>

#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>

static long walks;

/* In the place of the C library's: the library that is tested finds this one. */
int dl_iterate_phdr(int (*f)(struct dl_phdr_info *, size_t, void *),
                    void *data) {
  int (*next)(int (*)(struct dl_phdr_info *, size_t, void *), void *) =
      (int (*)(int (*)(struct dl_phdr_info *, size_t, void *), void *))dlsym(
          RTLD_NEXT, "dl_iterate_phdr");
  __atomic_add_fetch(&walks, 1, __ATOMIC_RELAXED);
  return next(f, data);
}

static void *blob(const char *path) {
  void *plugin = dlopen(path, RTLD_NOW);
  void *found = plugin ? dlsym(plugin, "plugin_blob") : NULL;
  if (found == NULL) {
    printf("%s\n", dlerror());
    exit(5);
  }
  return found;
}

int main(int argc, char **argv) {
  if (argc != 3)
    return 2;
  void *blobs[] = {blob(argv[1]), blob(argv[2])};
  printf("at the start: %s\n", walks > 0 ? "walked" : "not walked");
  void *first[2];
  for (int i = 0; i < 2; i++) {
    first[i] = mgpuModuleLoad(blobs[i], 0);
    mgpuModuleUnload(first[i]);
    mgpuModuleUnload(mgpuModuleLoad(blobs[i], 0));
  }
  long before = walks, same = 0;
  for (int turn = 0; turn < 1000; turn++)
    for (int i = 0; i < 2; i++) {
      void *m = mgpuModuleLoad(blobs[i], 0);
      same += m != NULL && m == first[i];
      mgpuModuleUnload(m);
    }
  printf("2000 loads: walked %ld, the same %ld\n", walks - before, same);
  return 0;
}
