/* Ranges for profilers, by functions of roctx or NVTX. The functions are looked up once, and
 * only in libraries that the process has already loaded. */
#define _GNU_SOURCE
#include "markers.h"

#include <dlfcn.h>
#include <inttypes.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>

static struct {
  int (*push)(const char *);
  int (*pop)(void);
  void (*mark)(const char *);
} markers;

static const struct {
  const char *library, *push, *pop, *mark;
} known[] = {
    {"libroctx64.so.4", "roctxRangePushA", "roctxRangePop", "roctxMarkA"},
    {"librocprofiler-sdk-roctx.so.1", "roctxRangePushA", "roctxRangePop",
     "roctxMarkA"},
    {"libnvToolsExt.so.1", "nvtxRangePushA", "nvtxRangePop", "nvtxMarkA"},
};

static pthread_once_t once = PTHREAD_ONCE_INIT;

/* The handle from RTLD_NOLOAD keeps the library loaded. */
static void find(void) {
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    void *library = dlopen(known[i].library, RTLD_NOW | RTLD_NOLOAD);
    if (library == NULL)
      continue;
    markers.push = (int (*)(const char *))dlsym(library, known[i].push);
    markers.pop = (int (*)(void))dlsym(library, known[i].pop);
    markers.mark = (void (*)(const char *))dlsym(library, known[i].mark);
    return;
  }
}

void markers_push(const char *name) {
  pthread_once(&once, find);
  if (markers.push != NULL && name != NULL)
    markers.push(name);
}

void markers_push_number(const char *what, uint64_t number) {
  pthread_once(&once, find);
  if (markers.push == NULL)
    return;
  char name[64];
  snprintf(name, sizeof name, "%s %#" PRIx64, what, number);
  markers.push(name);
}

void markers_pop(void) {
  pthread_once(&once, find);
  if (markers.pop != NULL)
    markers.pop();
}

void markers_mark(const char *name) {
  pthread_once(&once, find);
  if (markers.mark != NULL && name != NULL)
    markers.mark(name);
}
