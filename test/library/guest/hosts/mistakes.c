/* A program for valgrind: "mistakes LIBRARY [leak|write|branch]". */
#include "host.h"

int main(int argc, char **argv) {
  const char *what = argc > 2 ? argv[2] : "";
  pthread_t t;
  load(argc, argv);
  use();
  keep_busy();
  pthread_create(&t, NULL, use_in_thread, NULL);
  pthread_join(t, NULL);
  volatile char *block = malloc(41);
  if (strcmp(what, "write") == 0)
    block[41] = 1;
  if (strcmp(what, "branch") == 0 && block[7] == 7)
    puts("seven");
  if (strcmp(what, "leak") != 0)
    free((void *)block);
  block = NULL;
  puts("done");
}
