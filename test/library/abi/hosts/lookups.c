/* Looks up so many kernels in turn, as the entry layer does, and prints how often Go would
 * have been asked. internal/fastpath/lookup.c by itself: nothing else is linked. */

#include "../../../../internal/fastpath/lookup.c"

#include <stdio.h>

__thread struct thread *this_thread;
struct thread *threads_all(void) { return this_thread; }

static long asked;

static uintptr_t function(uintptr_t module, const char *name) {
  uintptr_t f = lookup_function(module, name);
  if (f == 0) {
    asked++;
    f = module * 2;
    lookup_store_function(lookup_epoch(), module, name, f);
  }
  return f;
}

int main(int argc, char **argv) {
  static struct thread t;
  long kernels = argc > 1 ? atol(argv[1]) : 1, wrong = 0;
  this_thread = &t;
  lookup_enable(true);
  for (int turn = 0; turn < 3; turn++) {
    asked = 0;
    for (long i = 1; i <= kernels; i++)
      wrong += function(0x7000000 + 64 * (uintptr_t)i, "kernel") !=
               2 * (0x7000000 + 64 * (uintptr_t)i);
    printf("turn %d: asked %ld\n", turn, asked);
  }
  lookup_forget();
  asked = 0;
  for (long i = 1; i <= kernels; i++)
    wrong += function(0x7000000 + 64 * (uintptr_t)i, "other") == 0;
  printf("after an unload: asked %ld\n", asked);
  lookup_forget_thread();
  printf("forgotten: %d\nwrong: %ld\n", t.lookups == NULL, wrong);
  return 0;
}
