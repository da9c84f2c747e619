/* A program that makes its constants writable, changes the kernel in them and loads it
 * again. Loads before and after are repeated, as loads of one image in a loop are. */
#include "saxpy.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

__asm__(".section .rodata\n.balign 4096\n"
        "own_blob: .incbin \"" TESTDATA "/v5.hsaco\"\n"
        "own_blob_end: .byte 0\n.balign 4096\n.previous");
extern char own_blob[], own_blob_end[];

/* Replaces the factors 1, 2, 3, 4. */
static void patch(char *blob, size_t size, const int *factors) {
  static int now[] = {1, 2, 3, 4};
  size = (size + 4095) & -(size_t)4096;
  int found = 0;
  if (mprotect(blob, size, PROT_READ | PROT_WRITE) != 0)
    exit(4);
  for (size_t i = 0; i + sizeof now <= size; i += 4)
    if (memcmp(blob + i, now, sizeof now) == 0) {
      memcpy(blob + i, factors, sizeof now);
      found++;
    }
  if (mprotect(blob, size, PROT_READ) != 0 || found != 1)
    exit(5);
  memcpy(now, factors, sizeof now);
}

int main(int argc, char **argv) {
  char *blob = own_blob;
  size_t size = own_blob_end - own_blob;
  if (argc > 1) { /* a library's */
    void *library = dlopen(argv[1], RTLD_NOW);
    blob = library ? dlsym(library, "plugin_blob") : NULL;
  }
  for (int round = 0; round < 3; round++) {
    for (int i = 0; i < 3; i++)
      run_saxpy(blob);
    patch(blob, size, (int[]){10, 20, 30, 40});
    for (int i = 0; i < 3; i++)
      run_saxpy(blob);
    patch(blob, size, (int[]){1, 2, 3, 4});
  }
}
