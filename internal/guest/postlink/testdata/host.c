/* Says what a library has relocated before and after it is asked to. */
#include <dlfcn.h>
#include <stdio.h>

/* The rights to the memory at p. */
static void print_rights(const void *p) {
  FILE *f = fopen("/proc/self/maps", "r");
  char line[512], rights[8];
  unsigned long begin, end;
  while (fgets(line, sizeof line, f) != NULL)
    if (sscanf(line, "%lx-%lx %7s", &begin, &end, rights) == 3 &&
        (unsigned long)p >= begin && (unsigned long)p < end)
      printf("%s\n", rights);
  fclose(f);
}

int main(int argc, char **argv) {
  void *lib = argc > 1 ? dlopen(argv[1], RTLD_NOW) : NULL;
  if (lib == NULL) {
    puts(dlerror());
    return 1;
  }
  const char *(*word)(int) = (const char *(*)(int))dlsym(lib, "word");
  const char *(*apply)(void) = (const char *(*)(void))dlsym(lib, "apply");
  int (*relocated)(void) = (int (*)(void))dlsym(lib, "relocated");
  const void *(*read_only)(void) =
      (const void *(*)(void))dlsym(lib, "read_only");
  printf("%s %s\n%d\n", word(0), word(1), relocated());
  for (int i = 0; i < 2; i++) {
    const char *why = apply();
    printf("%s\n", why != NULL ? why : "applied");
  }
  printf("%d\n", relocated());
  print_rights(read_only());
}
