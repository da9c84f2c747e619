/* wait LIBRARY: waits for a stream and an event. */
#include <dlfcn.h>
#include <stdio.h>

static void *library;

static void *found(const char *name) {
  void *f = dlsym(library, name);
  if (f == NULL)
    fprintf(stderr, "%s\n", dlerror());
  return f;
}

int main(int argc, char **argv) {
  library = argc == 2 ? dlopen(argv[1], RTLD_NOW | RTLD_LOCAL) : NULL;
  if (library == NULL) {
    fprintf(stderr, "%s\n", dlerror());
    return 2;
  }
  void *(*create)(void) = (void *(*)(void))found("mgpuStreamCreate");
  void *(*event)(void) = (void *(*)(void))found("mgpuEventCreate");
  void (*record)(void *, void *) =
      (void (*)(void *, void *))found("mgpuEventRecord");
  void (*wait)(void *) = (void (*)(void *))found("mgpuEventSynchronize");
  void (*synchronize)(void *) =
      (void (*)(void *))found("mgpuStreamSynchronize");
  if (!create || !event || !record || !wait || !synchronize)
    return 3;
  for (int round = 0; round < 2; round++) {
    void *s = create(), *e = event();
    record(e, s);
    wait(e);
    wait(s); /* as lowered code of LLVM 18 to 22 does */
    synchronize(s);
  }
  puts("waited");
  return 0;
}
