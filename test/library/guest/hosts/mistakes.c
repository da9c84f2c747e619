/* A program for valgrind: "mistakes LIBRARY [all]". */
#include "host.h"

int main(int argc, char **argv) {
  bool all = argc > 2;
  pthread_t t;
  load(argc, argv);
  use();
  keep_busy();
  pthread_create(&t, NULL, use_in_thread, NULL);
  pthread_join(t, NULL);
  volatile char *block = malloc(41);
  if (all && block[7] == 7)
    puts("seven");
  if (all)
    block[41] = 1;
  else
    free((void *)block);
  block = NULL;
  puts("done");
}
