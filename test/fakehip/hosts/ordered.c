/* The order after a free: work that is submitted later, on any stream, follows the work
 * from before. Each case keeps a stream busy, submits more work to it, frees an unrelated
 * block, and needs the result of that work on another stream. The arguments are a module,
 * its kernel that keeps a stream busy ("await", until the host ends it, or one that takes
 * a while), the kernel that waits for a word of memory, and the case. */
#include <stdbool.h>

#include "busy.h"

static void *waits; /* the kernel that waits for a word of memory */

static void *create_idle(void) {
  void *s = mgpuStreamCreate();
  mgpuStreamSynchronize(s);
  return s;
}

/* Checks that all words have the value. */
static void has(void *device, uint32_t value, void *s) {
  static uint32_t to[words];
  mgpuMemcpy(to, device, bytes, s);
  mgpuStreamSynchronize(s);
  for (size_t i = 0; i < words; i++)
    check(to[i] == value, "what comes after the free finds what was before");
}

static void follow(const char *name) {
  void *first = create_idle(), *second = create_idle(),
       *from = mgpuMemAlloc(bytes, first, 0),
       *to = mgpuMemAlloc(bytes, first, 0),
       *other = mgpuMemAlloc(256, first, 0);
  mgpuMemset32(from, 1, words, first);
  mgpuStreamSynchronize(first);
  if (strstr(name, "a new stream") != NULL)
    mgpuStreamDestroy(second), second = NULL;
  if (strstr(name, "the default stream") != NULL)
    second = NULL;
  pthread_t t = hold(first);
  mgpuMemset32(from, 7, words, first);
  if (strstr(name, "destroyed") != NULL)
    mgpuStreamDestroy(first), first = NULL;
  if (strstr(name, "a region") != NULL) {
    check(mgpuxGraphBegin(1), "a recording begins");
    mgpuMemset32(from, 8, words, first);
    void *p = mgpuMemAlloc(512, first, 0);
    mgpuMemFree(p, first);
    if (strstr(name, "within") != NULL)
      mgpuMemcpy(to, from, bytes, second);
    mgpuxGraphEnd();
  } else {
    mgpuMemFree(other, first);
  }
  if (strstr(name, "more work") != NULL)
    mgpuMemset32(other, 9, 64, first);
  if (strstr(name, "a new stream") != NULL)
    second = mgpuStreamCreate();
  if (strstr(name, "within") == NULL)
    mgpuMemcpy(to, from, bytes, second);
  has(to, strstr(name, "a region") != NULL ? 8 : 7, second);
  pthread_join(t, NULL);
  mgpuMemFree(from, NULL);
  mgpuMemFree(to, NULL);
}

/* A kernel of the first stream waits for the second stream's work, which does not wait for the
 * kernel: it was launched after the free, or another thread frees, which delays no other thread. */
static void meet(bool elsewhere) {
  void *first = create_idle(), *second = create_idle(),
       *other = mgpuMemAlloc(256, first, 0);
  uint32_t rounds = 1u << 30, *word, *reached;
  if (awaits) {
    word = page_locked(), reached = page_locked();
    *word = 0;
  } else {
    word = mgpuMemAlloc(4, first, 0), reached = mgpuMemAlloc(4, first, 0);
    mgpuMemset32(word, 0, 1, first);
    mgpuMemset32(reached, 0, 1, first);
    mgpuStreamSynchronize(first);
  }
  pthread_t t;
  if (!elsewhere) {
    t = hold(first);
    mgpuMemFree(other, first);
  }
  mgpuLaunchKernel(waits, 1, 1, 1, 1, 1, 1, 0, first,
                   (void *[]){&word, &reached, &rounds}, NULL, awaits ? 2 : 3);
  if (elsewhere) { /* the driver's free would wait for the kernel */
    check(pthread_create(&t, NULL, free_block, other) == 0, "threads");
    usleep(20000);
  }
  mgpuMemset32(word, 1, 1, second);
  mgpuStreamSynchronize(second);
  mgpuStreamSynchronize(first);
  pthread_join(t, NULL);
}

static const char *const cases[] = {
    "a free",
    "a free, the default stream",
    "a free, a new stream",
    "a free, a new stream, more work",
    "a free, the first stream destroyed",
    "a free in a region",
    "a free in a region, a copy within",
    "meet",
    "another thread's free",
};

int main(int argc, char **argv) {
  if (argc != 5) {
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
      puts(cases[i]);
    return 0;
  }
  alarm(120);
  void *module = open_busy(argv[1], argv[2]);
  waits = mgpuModuleGetFunction(module, argv[3]);
  if (strcmp(argv[4], "meet") == 0)
    meet(false);
  else if (strcmp(argv[4], "another thread's free") == 0)
    meet(true);
  else
    follow(argv[4]);
  puts("ok");
  return 0;
}
