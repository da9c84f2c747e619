/* An exit handler and a destructor, as those of global C++ objects, that were registered before HIP was opened. They wait,
 * copy and release. With an argument, the program opens HIP before it registers its exit handler, and has no destructor. */
#include <mgpu_runtime.h>

#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

static struct objects {
  void *stream, *event, *block, *registered;
} of_handler, of_destructor;

static bool opened;

static void make(struct objects *o) {
  o->stream = mgpuStreamCreate();
  o->event = mgpuEventCreate();
  o->block = mgpuMemAlloc(1 << 16, o->stream, 0);
  o->registered = aligned_alloc(4096, 4096);
  mgpuMemHostRegister(o->registered, 4096);
  mgpuMemset32(o->block, 3, 1 << 14, o->stream);
  mgpuEventRecord(o->event, o->stream);
}

static void release(struct objects *o, const char *when) {
  int word = 0;
  mgpuStreamSynchronize(o->stream);
  mgpuMemcpy(&word, o->block, sizeof word, o->stream);
  mgpuStreamSynchronize(o->stream);
  mgpuMemFree(o->block, o->stream);
  mgpuMemHostUnregister(o->registered);
  mgpuEventSynchronize(o->event);
  mgpuEventDestroy(o->event);
  mgpuStreamDestroy(o->stream);
  printf("%s: %d\n", when, word);
  fflush(stdout);
}

static void handler(void) { release(&of_handler, "handler"); }

__attribute__((destructor)) static void destructor(void) {
  if (!opened)
    release(&of_destructor, "destructor");
}

int main(int argc, char **argv) {
  (void)argv;
  opened = argc > 1 && dlopen(getenv("MGPU_HIP_LIBRARY"), RTLD_NOW) != NULL;
  atexit(handler);
  make(&of_handler);
  make(&of_destructor);
  return 0;
}
