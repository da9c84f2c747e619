/* Opens a program that was linked as a library, with names that others do not see, and calls its main. */
#include <dlfcn.h>
#include <stdio.h>

int main(int argc, char **argv) {
  void *library = argc > 1 ? dlopen(argv[1], RTLD_NOW | RTLD_LOCAL) : NULL;
  int (*start)(int, char **);
  if (library == NULL) {
    puts(dlerror());
    return 1;
  }
  *(void **)&start = dlsym(library, "main");
  return start(argc - 1, argv + 1);
}
