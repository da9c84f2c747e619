/* Effects of the wait in a free that the program can see without another call: when a block
 * is freed, whatever block, copies from and to memory that the host shares with the device
 * are done, and so are fills of it. Each case keeps a stream busy, submits work to it, frees
 * an unrelated block, and then overwrites what the work reads, or reads what it writes. The
 * arguments are a module and its kernel that keeps a stream busy: "await", until the host
 * ends it, or one that takes a while. */
#include "busy.h"

static int (*host_register)(void *, size_t, unsigned);
static int (*malloc_managed)(void **, size_t, unsigned);

static uint32_t *registered(void) {
  void *p = aligned_alloc(4096, bytes);
  check(host_register(p, bytes, 0) == 0, "hipHostRegister");
  return p;
}

static uint32_t *managed(void) {
  void *p = NULL;
  check(malloc_managed(&p, bytes, 1) == 0, "hipMallocManaged");
  return p;
}

static const struct kind {
  const char *name;
  uint32_t *(*make)(void);
} kinds[] = {{"page-locked", page_locked},
             {"registered", registered},
             {"managed", managed}};

static void set(uint32_t *p, uint32_t value) {
  for (size_t i = 0; i < words; i++)
    p[i] = value;
}

static int all(const uint32_t *p, uint32_t value) {
  for (size_t i = 0; i < words; i++)
    if (p[i] != value)
      return 0;
  return 1;
}

/* Returns the value of the device's words. */
static uint32_t value_of(void *device, void *s) {
  static uint32_t to[words];
  mgpuMemcpy(to, device, bytes, s);
  mgpuStreamSynchronize(s);
  return all(to, to[0]) ? to[0] : 0;
}

static void run(const char *name, const struct kind *k) {
  void *s = mgpuStreamCreate(), *device = mgpuMemAlloc(bytes, s, 0),
       *other = mgpuMemAlloc(256, s, 0), *on = s;
  uint32_t *host = k->make();
  mgpuMemset32(device, 1, words, s);
  mgpuStreamSynchronize(s);
  set(host, 2);
  if (strstr(name, "of the null stream") != NULL)
    on = NULL;
  int recorded = strstr(name, "recorded") != NULL;
  int thread = strstr(name, "another thread") != NULL;
  pthread_t t = hold(s);
  if (recorded)
    check(mgpuxGraphBegin((uint64_t)(uintptr_t)name), "a recording begins");
  int reads = 0;
  if (strncmp(name, "from", 4) == 0)
    mgpuMemcpy(device, host, bytes, on), reads = 1;
  else if (strncmp(name, "to", 2) == 0)
    mgpuMemcpy(host, device, bytes, on);
  else if (strncmp(name, "words", 5) == 0)
    mgpuMemset32(host, 1, words, on);
  else
    mgpuMemset16(host, 1, 2 * words, on);
  if (recorded)
    mgpuxGraphEnd();
  if (thread) {
    pthread_t freeing;
    check(pthread_create(&freeing, NULL, free_block, other) == 0, "threads");
    pthread_join(freeing, NULL);
  } else {
    mgpuMemFree(other, s);
  }
  if (reads) {
    set(host, 3);
    pthread_join(t, NULL);
    check(value_of(device, s) == 2, "the device has what was there");
  } else {
    check(all(host, strncmp(name, "halves", 6) == 0 ? 0x10001 : 1),
          "the host has what was written");
    pthread_join(t, NULL);
  }
  mgpuStreamDestroy(s);
  mgpuMemFree(device, NULL);
}

static const char *const cases[] = {
    "from",
    "to",
    "words",
    "halves",
    "from, of the null stream",
    "words, of the null stream",
    "from, freed by another thread",
    "words, freed by another thread",
    "from, recorded",
    "words, recorded",
};

/* Runs case argv[3] for the kind argv[4] of memory: by then the library knows nothing of
 * such memory. */
int main(int argc, char **argv) {
  if (argc != 5) {
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
      puts(cases[i]);
    return 0;
  }
  open_busy(argv[1], argv[2]);
  host_register =
      (int (*)(void *, size_t, unsigned))dlsym(hip, "hipHostRegister");
  malloc_managed =
      (int (*)(void **, size_t, unsigned))dlsym(hip, "hipMallocManaged");
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
    if (strcmp(argv[4], kinds[i].name) == 0)
      run(argv[3], &kinds[i]);
  puts("ok");
  return 0;
}
