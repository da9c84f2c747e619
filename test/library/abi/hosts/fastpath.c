/* What C may answer by itself, and what it has to leave to Go: the same output,
 * messages and counts in either language. */
#include "capture.h"

BLOB(blob, "v5.hsaco");

static void *function;

static void launch(void *stream) {
  mgpuLaunchKernel(function, 1, 1, 1, 64, 1, 1, 0, stream, NULL, NULL, 0);
}

static void *launch_there(void *stream) {
  launch(stream);
  return NULL;
}

static void *wait_there(void *stream) {
  mgpuStreamSynchronize(stream);
  return NULL;
}

static void *destroy_there(void *stream) {
  mgpuStreamDestroy(stream);
  return NULL;
}

static void elsewhere(void *(*what)(void *), void *stream) {
  pthread_t t;
  pthread_create(&t, NULL, what, stream);
  pthread_join(t, NULL);
}

/* A stream that was waited for comes back; one with work pending is asked about. */
static void reuse(void) {
  void *a = mgpuStreamCreate();
  launch(a);
  mgpuStreamSynchronize(a);
  mgpuStreamDestroy(a);
  void *b = mgpuStreamCreate(), *c = mgpuStreamCreate();
  printf("reuse\t%d %d\n", a == b, b == c);
  launch(b);
  mgpuStreamDestroy(b);
  mgpuStreamSynchronize(c);
  mgpuStreamDestroy(c);
  void *d = mgpuStreamCreate(), *e = mgpuStreamCreate();
  printf("open at once\t%d\n", d != e);
  mgpuStreamSynchronize(d);
  mgpuStreamSynchronize(e);
  mgpuStreamDestroy(d);
  mgpuStreamDestroy(e);
}

/* Work of other threads makes a stream pending, and their waits cover it. */
static void shared(void) {
  void *s = mgpuStreamCreate();
  mgpuStreamSynchronize(s);
  elsewhere(launch_there, s);
  elsewhere(wait_there, s);
  mgpuStreamDestroy(s);
  void *again = mgpuStreamCreate();
  printf("shared\t%d\n", s == again);
  mgpuStreamSynchronize(again);
  mgpuStreamDestroy(again);
}

/* Handles that are the program's no more. */
static void misuse(void) {
  for (int round = 0; round < 2; round++) {
    void *s = mgpuStreamCreate();
    mgpuStreamSynchronize(s);
    mgpuStreamDestroy(s);
    begin();
    launch(s);
    mgpuStreamSynchronize(s);
    mgpuStreamDestroy(s);
    elsewhere(destroy_there, s);
    end("after destroy", NULL);
    void *t = mgpuStreamCreate();
    printf("given out again\t%d\n", s == t);
    begin();
    launch(t);
    mgpuStreamSynchronize(t);
    end("good again", t);
    mgpuStreamDestroy(t);
  }
  void *event = mgpuEventCreate();
  begin();
  launch(event);
  mgpuStreamSynchronize(event);
  mgpuStreamDestroy(event);
  end("an event as a stream", NULL);
  mgpuEventDestroy(event);
  void *stream = mgpuStreamCreate();
  begin();
  mgpuLaunchKernel(function, -1, 1, 1, 1, 1, 1, 0, stream, NULL, NULL, 0);
  mgpuLaunchKernel(function, 1, 1, 1, 1, INT64_C(1) << 32, 1, 0, stream, NULL,
                   NULL, 0);
  mgpuLaunchKernel(function, 1, 1, 1, 1, 1, 1, -1, stream, NULL, NULL, 0);
  end("sizes", NULL);
  mgpuStreamSynchronize(stream);
  mgpuStreamDestroy(stream);
}

/* More open than are kept, twice: handles leave the pool and come back. */
static void many(void) {
  enum { n = 300 };
  void *s[n];
  for (int round = 0; round < 2; round++) {
    for (int i = 0; i < n; i++)
      launch(s[i] = mgpuStreamCreate());
    for (int i = 0; i < n; i++)
      mgpuStreamSynchronize(s[i]);
    for (int i = 0; i < n; i++)
      mgpuStreamDestroy(s[i]);
  }
}

int main(void) {
  void *module = mgpuModuleLoad(blob, 0);
  function = mgpuModuleGetFunction(module, "saxpy");
  reuse();
  shared();
  misuse();
  many();
  launch(NULL);
  mgpuStreamSynchronize(NULL);
  mgpuModuleUnload(module);
  struct mgpux_function_stats f;
  for (size_t i = 0; mgpuxGetFunctionStats(i, &f, sizeof f) != 0; i++)
    if (strcmp(f.name, "mgpuStreamSynchronize") == 0 ||
        strcmp(f.name, "mgpuLaunchKernel") == 0)
      printf("%s\t%d calls\t%d driver calls\n", f.name, (int)f.counters.calls,
             (int)f.counters.driver_calls);
  return 0;
}
