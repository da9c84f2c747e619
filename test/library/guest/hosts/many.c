/* Has more blocks of device memory allocated at once than the library's tables
 * start with room for. */
#include "host.h"

int main(int argc, char **argv) {
  enum { blocks = 1500 };
  static void *p[blocks];
  load(argc, argv);
  for (int i = 0; i < blocks && mem_alloc != NULL; i++)
    p[i] = mem_alloc(64, NULL, 0);
  for (int i = 0; i < blocks && mem_free != NULL; i++)
    mem_free(p[i], NULL);
  puts("done");
}
