/* Makes the mistake named by the argument, for the checker. */
#include "hip.h"

static void *allocate(size_t size) {
  void *p;
  CHECK(hipMalloc(&p, size)); /* the line that reports name */
  return p;
}

/* Loads the module from memory that then has zeros. */
static hipModule_t gone(void) {
  hipModule_t m;
  char *image = (char *)read_module(getenv("MODULE"));
  CHECK(hipModuleLoadData(&m, image));
  memset(image + 64, 0, 4096);
  return m;
}

int main(int argc, char **argv) {
  EXPECT(argc == 2);
  hipModule_t m = strcmp(argv[1], "gone") ? module() : gone();
  int *p = allocate(250 * sizeof(int));
  if (!strcmp(argv[1], "beyond")) {
    launch(function(m, "increment"), 4, 64, NULL, (void *[]){&p});
  } else if (!strcmp(argv[1], "late")) {
    CHECK(hipFree(p));
    launch(function(m, "increment"), 1, 64, NULL, (void *[]){&p});
  } else if (!strcmp(argv[1], "race") || !strcmp(argv[1], "gone")) {
    launch(function(m, "collide"), 2, 64, NULL, (void *[]){&p});
  } else if (!strcmp(argv[1], "unwritten")) {
    launch(function(m, "unwritten"), 1, 64, NULL, (void *[]){&p});
  } else if (!strcmp(argv[1], "code")) {
    launch(function(m, "overwrite"), 1, 1, NULL, (void *[]){&p});
  } else {
    launch(function(m, "increment"), 3, 64, NULL, (void *[]){&p});
  }
  hipError_t e = hipDeviceSynchronize();
  printf("went on: %s\n", hipGetErrorName(e));
}
