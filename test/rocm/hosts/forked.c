/* A child of a process that has called HIP calls it, with an argument, or ends. */
#include "hip.h"

#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char **argv) {
  (void)argv;
  void *p;
  CHECK(hipMalloc(&p, 4096));
  pid_t child = fork();
  if (child == 0) {
    enum { large = 1 << 22 }; /* more than the runtime has allocated */
    if (argc == 1)
      return 0;
    printf("child: %s\n", hipGetErrorName(hipMalloc(&p, large)));
    fflush(stdout);
    _exit(0);
  }
  int status;
  EXPECT(waitpid(child, &status, 0) == child && status == 0);
  CHECK(hipMemset(p, 0, 4096));
  CHECK(hipDeviceSynchronize());
  puts("ok");
}
