/* Forks children once the runtime has started; each leaves by its exit handlers,
 * which give the module back. With an argument they call before that. Prints how
 * each ended. */
#include "capture.h"

#include <sys/wait.h>

BLOB(blob, "v5.hsaco");
static void *module;

__attribute__((constructor(123))) static void load(void) {
  module = mgpuModuleLoad(blob, 0);
}

static void unload(void) { mgpuModuleUnload(module); }

__attribute__((destructor(123))) static void at_the_end(void) { unload(); }

static void fork_one(bool calls) {
  fflush(stdout);
  pid_t p = fork();
  if (p == 0) {
    if (calls)
      mgpuStreamCreate();
    exit(0);
  }
  int status;
  waitpid(p, &status, 0);
  if (WIFSIGNALED(status))
    printf("signal %d\n", WTERMSIG(status));
  else
    printf("exit %d\n", WEXITSTATUS(status));
}

static void *forks(void *arg) {
  fork_one(arg != NULL);
  return NULL;
}

int main(int argc, char **argv) {
  (void)argv;
  mgpuStreamDestroy(mgpuStreamCreate());
  atexit(unload); /* runs before the library's handler, the destructor after */
  fork_one(argc > 1);
  pthread_t t;
  pthread_create(&t, NULL, forks, argc > 1 ? &t : NULL);
  pthread_join(t, NULL);
  fflush(stdout);
  _exit(0); /* the parent says nothing of its own */
}
