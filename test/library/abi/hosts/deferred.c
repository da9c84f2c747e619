/* A module that a global constructor loads, as LLVM 21 and later do. Arguments say what
 * main does: nothing; fork: a child launches before the parent has made a call; devices:
 * launches on devices 0 and 1 and by a thread on 2; bad: asks the damaged image for a
 * function. Prints the threads of the process before main's first call, and results. */
#include "capture.h"

#include <dirent.h>
#include <sys/wait.h>

BLOB(blob, "v5.hsaco");
static const char bad[64] = "no code object";
static void *module, *broken;

__attribute__((constructor(123))) static void load(void) {
  module = mgpuModuleLoad(blob, 0);
}
__attribute__((constructor(124))) static void load_bad(void) {
  broken = mgpuModuleLoad((void *)(uintptr_t)bad, 0);
}
__attribute__((destructor(123))) static void unload(void) {
  mgpuModuleUnload(module);
  mgpuModuleUnload(broken);
}

static int threads(void) {
  DIR *d = opendir("/proc/self/task");
  int n = -2;
  while (readdir(d) != NULL)
    n++;
  closedir(d);
  return n;
}

static void launch(int device) {
  mgpuSetDefaultDevice(device);
  void *f = mgpuModuleGetFunction(module, "sizes"),
       *stream = mgpuStreamCreate();
  int32_t *y = mgpuMemAlloc(1024, stream, 0), back = 0;
  char c = 5;
  void *params[] = {&y, &c};
  mgpuMemset32(y, 0, 256, stream);
  mgpuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, stream, params, NULL, 2);
  mgpuMemcpy(&back, y, sizeof back, stream);
  mgpuStreamSynchronize(stream);
  mgpuStreamDestroy(stream);
  printf("device %d: %d\n", device, back);
  fflush(stdout);
}

static void *thread(void *unused) {
  launch(2);
  return unused;
}

int main(int argc, char **argv) {
  const char *what = argc > 1 ? argv[1] : "";
  printf("%d thread\n", threads());
  fflush(stdout);
  if (strcmp(what, "fork") == 0) {
    if (fork() == 0) {
      launch(0);
      return 0;
    }
    wait(NULL);
    launch(0);
  }
  if (strcmp(what, "devices") == 0) {
    launch(1);
    launch(0);
    pthread_t t;
    pthread_create(&t, NULL, thread, NULL);
    pthread_join(t, NULL);
    launch(1);
    mgpuModuleUnload(module);
    module = mgpuModuleLoad(blob, 0);
    launch(2);
  }
  if (strcmp(what, "bad") == 0)
    printf("%p\n", mgpuModuleGetFunction(broken, "sizes"));
  return 0;
}
