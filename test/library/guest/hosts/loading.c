/* Opens a library, argv[2], whose constructor calls while another thread makes its first call.
 * The loader holds its lock during the constructor. The library is this file, too, compiled
 * with -DOPENED. */
#include "host.h"

#ifdef OPENED
pthread_t other;

__attribute__((constructor)) static void constructor(int argc, char **argv) {
  load(argc, argv);
  pthread_create(&other, NULL, use_in_thread, NULL);
  usleep(200000); /* the other thread's call begins */
  use();
}
#else
static void *open_library(void *path) {
  void *lib = dlopen(path, RTLD_NOW);
  pthread_t *other = lib ? dlsym(lib, "other") : NULL;
  if (other == NULL || pthread_join(*other, NULL) != 0)
    printf("not opened: %s\n", dlerror());
  return NULL;
}

int main(int argc, char **argv) {
  load(argc, argv);
  alarm(120);
  use(); /* the runtime starts */
  pthread_t opener;
  pthread_create(&opener, NULL, open_library, argv[2]);
  pthread_join(opener, NULL);
  puts("done");
  return 0;
}
#endif
