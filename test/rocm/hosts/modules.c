/* A program that loads modules by mgpu, and sets their variables or unloads them by HIP's
 * own calls. Prints the value that its kernel stores after each load. */
#include "hip.h"

#include <mgpu_runtime.h>

#include <pthread.h>

static void *image;

/* Launches scale of the module and prints the first four results. */
static void run(const char *what, void *m) {
  int got[4] = {0};
  void *f = mgpuModuleGetFunction(m, "scale");
  void *s = mgpuStreamCreate(), *p = mgpuMemAlloc(64 * 4, s, 0);
  void *arguments[] = {&p};
  mgpuLaunchKernel(f, 1, 1, 1, 64, 1, 1, 0, s, arguments, NULL, 1);
  mgpuMemcpy(got, p, sizeof got, s);
  mgpuStreamSynchronize(s);
  mgpuMemFree(p, s);
  mgpuStreamDestroy(s);
  printf("%s: %d %d %d %d\n", what, got[0], got[1], got[2], got[3]);
}

static void set(void *m, int to) {
  int values[4] = {to, to, to, to};
  hipDeviceptr_t factors;
  size_t bytes;
  CHECK(hipModuleGetGlobal(&factors, &bytes, m, "factors"));
  EXPECT(bytes == sizeof values);
  CHECK(hipMemcpyHtoD(factors, values, sizeof values));
}

/* Sets the constant at each load: the next one has its first values again, and two at once
 * have their own. */
static void constants(void) {
  for (int i = 0; i < 3; i++) {
    void *m = mgpuModuleLoad(image, 0);
    run("loaded", m);
    set(m, 100);
    run("set", m);
    mgpuModuleUnload(m);
  }
  void *a = mgpuModuleLoad(image, 0), *b = mgpuModuleLoad(image, 0);
  set(a, 200);
  run("the other", b);
  run("set", a);
  mgpuModuleUnload(a);
  mgpuModuleUnload(b);
}

static void *in_thread(void *unused) {
  (void)unused;
  void *m = mgpuModuleLoad(image, 0);
  run("thread", m);
  CHECK(hipModuleUnload(m));
  return NULL;
}

/* Unloads by HIP's own call modules that mgpu loaded, also those that mgpu unloads in a loop. */
static void unloads(void) {
  for (int i = 0; i < 4; i++) {
    void *m = mgpuModuleLoad(image, 0);
    run("HIP's", m);
    CHECK(hipModuleUnload(m));
  }
  for (int i = 0; i < 4; i++) {
    void *m = mgpuModuleLoad(image, 0);
    run("mgpu's", m);
    mgpuModuleUnload(m);
  }
  void *never_asked = mgpuModuleLoad(image, 0);
  CHECK(hipModuleUnload(never_asked));
  for (int i = 0; i < 2; i++) {
    pthread_t t;
    pthread_create(&t, NULL, in_thread, NULL);
    pthread_join(t, NULL);
  }
  void *m = mgpuModuleLoad(image, 0);
  run("last", m);
  mgpuModuleUnload(m);
  EXPECT(hipGetLastError() == hipSuccess);
}

/* Unloads one of two loads by HIP's own call: the other is a module of its own. */
static void two_loads(void) {
  void *first = mgpuModuleLoad(image, 0), *second = mgpuModuleLoad(image, 0);
  run("first", first);
  CHECK(hipModuleUnload(first));
  run("second", second);
  first = mgpuModuleLoad(image, 0);
  CHECK(hipModuleUnload(second));
  run("first", first);
  mgpuModuleUnload(first);
}

/* Unloads by both libraries: an error, as a second unload is with HIP, and nothing else. */
static void by_both(void) {
  for (int i = 0; i < 2; i++) {
    void *m = mgpuModuleLoad(image, 0);
    run("both", m);
    CHECK(hipModuleUnload(m));
    mgpuModuleUnload(m);
  }
  void *m = mgpuModuleLoad(image, 0);
  run("last", m);
  mgpuModuleUnload(m);
}

int main(int argc, char **argv) {
  image = read_module(getenv("CONSTANTS"));
  if (argc > 1 && strcmp(argv[1], "constants") == 0)
    constants();
  else if (argc > 1 && strcmp(argv[1], "two") == 0)
    two_loads();
  else if (argc > 1 && strcmp(argv[1], "both") == 0)
    by_both();
  else
    unloads();
  return 0;
}
