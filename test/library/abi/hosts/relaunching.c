/* relaunching SECONDS: internal/fastpath/relaunch.c alone, without Go: threads launch graphs
 * again, others take them back, destroy them and offer new ones. A launch of a destroyed
 * graph, and one while another thread changes or launches it, end the process. Prints
 * whether C launched any. */
#include "relaunch.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "driver.h"
#include "stream.h"

struct driver driver;
uint64_t streams_version = 1;
__thread struct thread *this_thread;

enum { stream_count = 4, keys = 3 };
static struct pool_entry entries[stream_count];

/* No free has left work pending. */
static uint64_t frees;
struct streams streams = {.frees = &frees};
bool stream_follow(struct pool_entry *e) { return e == NULL; }
void stream_record_progress(struct pool_entry *e) { (void)e; }

void stream_look_up(struct stream_slot *s, uintptr_t stream) {
  *s = (struct stream_slot){stream, &entries[stream - 1], streams_version};
}

/* A graph is this memory: freed, and changed by who took it back. */
struct graph {
  uint64_t key, changes;
  bool launching;
};

static int32_t launch(uintptr_t driver, uintptr_t exec, uintptr_t node,
                      uintptr_t function, uint32_t gx, uint32_t gy, uint32_t gz,
                      uint32_t bx, uint32_t by, uint32_t bz, uintptr_t stream,
                      uintptr_t params, bool set) {
  (void)driver, (void)node, (void)function, (void)gx, (void)gy, (void)gz;
  (void)bx, (void)by, (void)bz, (void)stream, (void)params, (void)set;
  volatile struct graph *g = (struct graph *)exec;
  uint64_t before = g->changes;
  bool both = __atomic_exchange_n(&g->launching, true, __ATOMIC_RELAXED);
  for (volatile int i = 0; i < 50; i++)
    ;
  if (both || g->changes != before || g->key >= keys)
    abort();
  __atomic_store_n(&g->launching, false, __ATOMIC_RELAXED);
  return 0;
}

static struct { /* what Go's lock of a graph guards */
  pthread_mutex_t mu;
  struct graph *graph;
  uintptr_t stream;
  uint64_t launches;
} graphs[keys];

static bool stop;

static void *launcher(void *seed) {
  struct thread state = {0};
  unsigned r = (unsigned)(uintptr_t)seed;
  this_thread = &state;
  uintptr_t launched = 0;
  while (!__atomic_load_n(&stop, __ATOMIC_RELAXED))
    launched += relaunch((uint64_t)rand_r(&r) % keys,
                         1 + (uintptr_t)rand_r(&r) % stream_count);
  return (void *)launched;
}

/* What package mgpu does: a thread that locks a graph takes it back first. */
static void *changer(void *seed) {
  unsigned r = (unsigned)(uintptr_t)seed;
  while (!__atomic_load_n(&stop, __ATOMIC_RELAXED)) {
    uint64_t key = (uint64_t)rand_r(&r) % keys;
    pthread_mutex_lock(&graphs[key].mu);
    if (graphs[key].stream != 0)
      relaunch_end(key, graphs[key].stream);
    graphs[key].graph->changes++;
    if (rand_r(&r) % 4 == 0) {
      graphs[key].graph->key = keys;
      free(graphs[key].graph);
      graphs[key].graph = calloc(1, sizeof(struct graph));
      graphs[key].graph->key = key;
    }
    graphs[key].stream = 1 + (uintptr_t)rand_r(&r) % stream_count;
    relaunch_begin(key, graphs[key].stream, (uintptr_t)graphs[key].graph,
                   (uintptr_t)&graphs[key].launches);
    pthread_mutex_unlock(&graphs[key].mu);
    nanosleep(&(struct timespec){.tv_nsec = 20000}, NULL);
  }
  return NULL;
}

int main(int argc, char **argv) {
  if (argc < 2)
    return 2;
  enum { launchers = 4, changers = 2 };
  driver.graph_launch = launch;
  driver.offered = true;
  for (int i = 0; i < stream_count; i++)
    entries[i].word = stream_live;
  for (uint64_t k = 0; k < keys; k++) {
    pthread_mutex_init(&graphs[k].mu, NULL);
    graphs[k].graph = calloc(1, sizeof(struct graph));
    graphs[k].graph->key = k;
  }
  pthread_t threads[launchers + changers];
  for (uintptr_t i = 0; i < launchers + changers; i++)
    pthread_create(&threads[i], NULL, i < launchers ? launcher : changer,
                   (void *)(i + 1));
  nanosleep(&(struct timespec){.tv_sec = atoi(argv[1])}, NULL);
  __atomic_store_n(&stop, true, __ATOMIC_RELAXED);
  uint64_t launched = 0, counted = 0;
  for (int i = 0; i < launchers + changers; i++) {
    void *n;
    pthread_join(threads[i], &n);
    launched += (uintptr_t)n;
  }
  for (uint64_t k = 0; k < keys; k++)
    counted += graphs[k].launches;
  for (int i = 0; i < stream_count; i++)
    if (entries[i].word >> stream_call_shift & ((1 << stream_call_bits) - 1))
      return 3;
  printf("%s\n", launched == 0         ? "none"
                 : launched == counted ? "launched"
                                       : "miscounted");
  return 0;
}
