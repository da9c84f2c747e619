/* open LIBRARY: loads the library and makes a stream, so that a driver is
 * opened. Prints whether there was one. */
#include <dlfcn.h>
#include <stdio.h>

int main(int argc, char **argv) {
  void *library = argc == 2 ? dlopen(argv[1], RTLD_NOW | RTLD_LOCAL) : NULL;
  if (library == NULL) {
    fprintf(stderr, "%s\n", dlerror());
    return 2;
  }
  void *(*create)(void) = (void *(*)(void))dlsym(library, "mgpuStreamCreate");
  void (*destroy)(void *) =
      (void (*)(void *))dlsym(library, "mgpuStreamDestroy");
  if (create == NULL || destroy == NULL)
    return 3;
  void *stream = create();
  puts(stream ? "a stream" : "no stream");
  if (stream)
    destroy(stream);
  return 0;
}
