/* Prints what mgpuxTakeError says: before the first call, after failures, when taken
 * again, on a thread that has not failed, cut short, with failures held, and in a child of
 * fork. */
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

static void *holder(void *unused) {
  mgpuxHoldErrors();
  mgpuSetDefaultDevice(10);
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

  mgpuxHoldErrors();
  print_error("held none");
  mgpuxHoldErrors();
  mgpuSetDefaultDevice(7);
  mgpuxGraphEnd();
  print_error("held two");
  mgpuSetDefaultDevice(6);
  print_error("printed again");
  mgpuxHoldErrors();
  mgpuSetDefaultDevice(8);
  mgpuxHoldErrors(); /* prints 8 */
  mgpuSetDefaultDevice(9);
  mgpuxTakeError(NULL, 0); /* prints 9 */
  mgpuxHoldErrors();
  /* Printed, as the host may use it. */
  mgpuMemAlloc((uint64_t)1 << 60, NULL, 1);
  print_error("of the host");
  mgpuxHoldErrors();
  int wrong = 0;
  while (mgpuSetDefaultDevice(100), wrong++ < 60)
    ;
  char all[8000];
  mgpuxTakeError(all, sizeof all);
  int lines = 1;
  for (const char *c = all; *c != 0; c++)
    lines += *c == '\n';
  printf("%d calls, held %s\n", wrong, lines > 30 && lines < 60 ? "most" : "?");
  pthread_create(&t, NULL, holder, NULL);
  pthread_join(t, NULL); /* prints 10 */
  mgpuxHoldErrors();
  mgpuSetDefaultDevice(11); /* printed at exit */
  fflush(stdout);
  if (fork() == 0) {
    mgpuxHoldErrors();
    mgpuStreamCreate();
    print_error("child");
    mgpuStreamCreate(); /* printed */
    fflush(stdout);
    _exit(0);
  }
  wait(NULL);
  return 0;
}
