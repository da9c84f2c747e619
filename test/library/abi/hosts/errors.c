/* Prints what mgpuxTakeError says: before the first call, after failures, when taken
 * again, on a thread that has not failed, cut short, and in a child of fork. */
#include <mgpu_runtime.h>

#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void print_error(const char *when) {
  char text[256];
  memset(text, 'x', sizeof text);
  int32_t status = mgpuxTakeError(text, sizeof text);
  printf("%s: %d %s\n", when, status, text);
}

static void *other(void *unused) {
  print_error("another thread");
  return unused;
}

int main(void) {
  print_error("first");
  mgpuSetDefaultDevice(7);
  mgpuxGraphEnd();
  pthread_t t;
  pthread_create(&t, NULL, other, NULL);
  pthread_join(t, NULL);
  print_error("failed twice");
  print_error("again");
  mgpuxGraphEnd();
  char few[9];
  printf("cut: %d ", mgpuxTakeError(few, sizeof few));
  printf("%s\n", few);
  mgpuSetDefaultDevice(7);
  printf("nothing wanted: %d\n", mgpuxTakeError(NULL, 0));
  mgpuModuleLoad("text", 0);
  print_error("image");
  mgpuStreamDestroy(mgpuStreamCreate());
  print_error("success");
  fflush(stdout);
  if (fork() == 0) {
    mgpuStreamCreate();
    print_error("child");
    fflush(stdout);
    _exit(0);
  }
  wait(NULL);
  return 0;
}
