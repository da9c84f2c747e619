/* holding SECONDS: internal/fastpath/lookup.c alone, without Go: threads load and unload
 * modules of a few images, one drops modules without references, one loses modules that
 * the program has unloaded by the driver's own function. A module that is gone while the
 * program holds it, one that is given after its loss, and a comparison with a copy that
 * was freed, end the process. Prints whether C gave any, and what is left in the end. */
#include "lookup.c"

#include <pthread.h>
#include <stdio.h>
#include <time.h>

enum { images = 12, loaders = 4, most = 1 << 20 };

__thread struct thread *this_thread;
static struct thread threads[loaders + 2];
struct thread *threads_all(void) { return &threads[0]; }

static char memory[images][16]; /* what the program loads */

/* The driver's modules, by handle, and what the cache in Go knows of them. */
static struct module {
  char *copy;
  int refs;      /* guarded by cache */
  uint64_t lost; /* how many were lost with this one; 0: it is not lost */
  int held;      /* by the program, from the end of a load to its unload */
} modules[most];
static int last;           /* handle; guarded by cache */
static int shared[images]; /* handles of the modules that loads get; 0: none */
static pthread_mutex_t cache = PTHREAD_MUTEX_INITIALIZER;
static uint64_t losses_so_far;
static bool stop;
static uint64_t given;

static bool holds(uintptr_t address, uintptr_t copy, size_t n) {
  return memcmp((void *)address, (void *)copy, n) == 0;
}

static uintptr_t load_in_go(int image, struct loaded_image *loaded) {
  pthread_mutex_lock(&cache);
  if (shared[image] == 0 && last + 1 < most) {
    shared[image] = ++last;
    modules[last].copy = malloc(sizeof memory[image]);
    memcpy(modules[last].copy, memory[image], sizeof memory[image]);
  }
  uintptr_t m = (uintptr_t)shared[image];
  modules[m].refs++;
  *loaded = (struct loaded_image){(uintptr_t)modules[m].copy, sizeof *memory};
  pthread_mutex_unlock(&cache);
  return m;
}

static void unload_in_go(uintptr_t m) {
  pthread_mutex_lock(&cache);
  struct module *known = &modules[m];
  if (known->lost == 0 &&
      --known->refs < __atomic_load_n(&known->held, __ATOMIC_SEQ_CST))
    abort();
  pthread_mutex_unlock(&cache);
}

/* As entry.c's load_module. */
static uintptr_t load(int image) {
  uint64_t before = __atomic_load_n(&losses_so_far, __ATOMIC_SEQ_CST);
  uintptr_t m = lookup_module((uintptr_t)memory[image], no_compiler, holds);
  if (m != 0) {
    uint64_t lost = __atomic_load_n(&modules[m].lost, __ATOMIC_SEQ_CST);
    if (lost != 0 && lost <= before)
      abort();
    __atomic_add_fetch(&given, 1, __ATOMIC_RELAXED);
  } else {
    uint64_t losses = lookup_losses();
    struct loaded_image loaded;
    m = load_in_go(image, &loaded);
    uintptr_t released = lookup_store_module(losses, (uintptr_t)memory[image],
                                             no_compiler, loaded, m);
    if (released != 0)
      unload_in_go(released);
  }
  __atomic_add_fetch(&modules[m].held, 1, __ATOMIC_SEQ_CST);
  return m;
}

/* As entry.c's mgpuModuleUnload. */
static void unload(uintptr_t m) {
  __atomic_sub_fetch(&modules[m].held, 1, __ATOMIC_SEQ_CST);
  if (lookup_keep_module(m))
    return;
  while (lookup_release_module(m))
    unload_in_go(m);
  unload_in_go(m);
}

static bool running(void) {
  struct timespec pause = {0, 1000};
  nanosleep(&pause, NULL);
  return !__atomic_load_n(&stop, __ATOMIC_RELAXED);
}

static void *loader(void *number) {
  this_thread = &threads[(uintptr_t)number];
  unsigned random = (unsigned)(uintptr_t)number + 1;
  uintptr_t mine[4] = {0};
  while (!__atomic_load_n(&stop, __ATOMIC_RELAXED)) {
    uintptr_t *m = &mine[(random = random * 1103515245 + 12345) >> 16 & 3];
    if (*m == 0)
      *m = load((random >> 20) % images);
    else
      unload(*m), *m = 0;
  }
  for (int i = 0; i < 4; i++)
    if (mine[i] != 0)
      unload(mine[i]);
  return NULL;
}

/* Frees the copy of a module without references, as the cache's limit has it. */
static void *dropper(void *number) {
  this_thread = &threads[(uintptr_t)number];
  for (int image = 0; running(); image = (image + 1) % images) {
    pthread_mutex_lock(&cache);
    int m = shared[image];
    if (m != 0 && modules[m].refs == 0) {
      shared[image] = 0;
      free(modules[m].copy);
    }
    pthread_mutex_unlock(&cache);
  }
  return NULL;
}

static void *loser(void *number) {
  this_thread = &threads[(uintptr_t)number];
  for (int image = 0; running(); image = (image + 5) % images) {
    pthread_mutex_lock(&cache);
    int m = shared[image];
    shared[image] = 0;
    pthread_mutex_unlock(&cache);
    if (m == 0)
      continue;
    bool comparing = lookup_lose_module((uintptr_t)m);
    pthread_mutex_lock(&cache);
    __atomic_store_n(&modules[m].lost,
                     __atomic_add_fetch(&losses_so_far, 1, __ATOMIC_SEQ_CST),
                     __ATOMIC_SEQ_CST);
    if (!comparing)
      free(modules[m].copy);
    pthread_mutex_unlock(&cache);
  }
  return NULL;
}

int main(int argc, char **argv) {
  struct timespec time = {argc > 1 ? atoi(argv[1]) : 1, 0};
  lookup_enable(true);
  for (int i = 0; i < images; i++)
    snprintf(memory[i], sizeof *memory, "image %d", i);
  pthread_t started[loaders + 2];
  for (uintptr_t i = 0; i < loaders + 2; i++)
    threads[i].next = i + 1 < loaders + 2 ? &threads[i + 1] : NULL;
  for (uintptr_t i = 0; i < loaders + 2; i++)
    pthread_create(&started[i], NULL,
                   i < loaders    ? loader
                   : i == loaders ? dropper
                                  : loser,
                   (void *)i);
  nanosleep(&time, NULL);
  __atomic_store_n(&stop, true, __ATOMIC_RELAXED);
  for (int i = 0; i < loaders + 2; i++)
    pthread_join(started[i], NULL);
  int left = 0;
  for (int i = 0; i < images; i++) {
    while (lookup_release_module((uintptr_t)shared[i]))
      unload_in_go((uintptr_t)shared[i]);
    left += modules[shared[i]].refs;
  }
  printf("%s, left %d\n", given > 0 ? "given" : "none given", left);
  return 0;
}
