/* Lowers a limit of the process and calls. Arguments: the library, the limit, its value. */
#include "host.h"

#include <sys/resource.h>

int main(int argc, char **argv) {
  load(argc, argv);
  struct rlimit limit = {(rlim_t)atoll(argv[3]), (rlim_t)atoll(argv[3])};
  int resource = argv[2][0] == 'a'   ? RLIMIT_AS
                 : argv[2][0] == 'd' ? RLIMIT_DATA
                                     : RLIMIT_NPROC;
  if (resource == RLIMIT_NPROC && geteuid() == 0 && setuid(12345) != 0) {
    printf("no other user\n");
    return 0;
  }
  if (setrlimit(resource, &limit) != 0) {
    printf("no limit\n");
    return 0;
  }
  printf("%s\n", stream_create() != NULL ? "stream" : "none");
  return 0;
}
