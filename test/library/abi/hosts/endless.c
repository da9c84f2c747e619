/* A kernel that never ends, or a grid of workgroups that each end at once and of which there
 * are too many, and ways in which its process ends. */
#include "capture.h"

#include <signal.h>

#undef TESTDATA
#define TESTDATA KERNELS
BLOB(blob, "endless.hsaco");

static void *interrupt(void *unused) {
  usleep(20000);
  kill(getpid(), SIGINT);
  return unused;
}

static volatile sig_atomic_t noted;

/* As Python's: the handler leaves all else to who is interrupted. */
static void note(int signal) { noted = signal; }

static void leave(int signal) { _exit(signal == SIGINT ? 6 : 7); }

int main(int argc, char **argv) {
  const char *how = argc > 1 ? argv[1] : "";
  bool brief = argc > 2;
  void *f = mgpuModuleGetFunction(mgpuModuleLoad(blob, 0),
                                  brief ? "brief" : "endless");
  void *s = mgpuStreamCreate();
  mgpuLaunchKernel(f, brief ? INT32_MAX : 16, 1, 1, brief ? 1 : 64, 1, 1, 0, s,
                   NULL, NULL, 0);
  usleep(20000); /* it may run by now */
  if (strcmp(how, "exit") == 0)
    exit(3);
  if (strcmp(how, "return") == 0)
    return 4;
  pthread_t t;
  if (strcmp(how, "handled") == 0)
    signal(SIGINT, leave);
  if (strcmp(how, "noted") == 0)
    signal(SIGINT, note);
  bool interrupts = strcmp(how, "interrupted") == 0 ||
                    strcmp(how, "handled") == 0 || strcmp(how, "noted") == 0;
  if (interrupts)
    pthread_create(&t, NULL, interrupt, NULL);
  mgpuStreamSynchronize(s);
  if (interrupts)
    pthread_join(t, NULL);
  mgpuStreamSynchronize(s); /* nothing more to report */
  mgpuStreamDestroy(s);
  return noted == SIGINT ? 8 : 5;
}
