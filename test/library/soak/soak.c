/* soak: keeps the library busy for as long as one says, and looks whether anything grows.
 *
 *   soak random|calls|modules SECONDS THREADS
 *
 * random   programs of random calls, each thread its own, over the HIP library for tests
 *          (test/fakehip), of whose calls some fail. What a program computed is checked if none of
 *          its calls failed.
 * calls    the loop of a lowered program, on the null driver
 * modules  modules that no other module equals: loaded, launched, unloaded; on the null driver
 *
 * Prints a line now and then. Ends with 1 if a result was wrong, a block never came back, or
 * memory, threads, descriptors or the driver's handles are more in the last quarter than in the second. The
 * library's Go code collects nothing below 256 MiB (internal/guest/start.c), so resident
 * memory counts beyond 320 MiB only; what malloc gave counts always. */
#define _GNU_SOURCE
#include <mgpu_runtime.h>

#include <dirent.h>
#include <dlfcn.h>
#include <malloc.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static uint64_t rounds, calls, failed, wrong;
static volatile bool over;
static void *suite; /* the image */
static size_t suite_bytes;

/* Of the HIP library for tests. */
static uint64_t (*live)(const char *what);
static int (*fail)(const char *rules);

static uint32_t next(uint64_t *state) {
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)(*state >> 33);
}

static uint32_t below(uint64_t *state, uint32_t n) { return next(state) % n; }

static double seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void add(uint64_t *to, uint64_t n) {
  __atomic_add_fetch(to, n, __ATOMIC_RELAXED);
}

/*---- random ----------------------------------------------------------------*/

enum { most_streams = 3, most_buffers = 4, most_words = 1 << 14 };

struct buffer {
  uint32_t *device, *host; /* host: whence its copies come and where they go */
  uint32_t words, value;   /* all words are value */
  int stream;
};

struct program {
  uint64_t random;
  void *fill, *step;
  void *stream[most_streams];
  int streams, buffers;
  struct buffer buffer[most_buffers];
  uint64_t calls;
};

/* The buffer's further work goes to another stream, after its earlier work. */
static void move_to(struct program *p, struct buffer *b, int stream) {
  if (stream == b->stream)
    return;
  void *e = mgpuEventCreate();
  mgpuEventRecord(e, p->stream[b->stream]);
  mgpuStreamWaitEvent(p->stream[stream], e);
  mgpuEventDestroy(e);
  b->stream = stream;
  p->calls += 4;
}

static void launch(struct program *p, struct buffer *b, void *kernel,
                   void **params, size_t count) {
  mgpuLaunchKernel(kernel, (b->words + 63) / 64, 1, 1, 64, 1, 1, 0,
                   p->stream[b->stream], params, NULL, count);
}

static void one_call(struct program *p) {
  struct buffer *b = &p->buffer[below(&p->random, (uint32_t)p->buffers)];
  void *device = b->device;
  uint32_t value = next(&p->random);
  p->calls++;
  switch (below(&p->random, 8)) {
  case 0:
    move_to(p, b, (int)below(&p->random, (uint32_t)p->streams));
    break;
  case 1:
    mgpuMemset32(device, value, b->words, p->stream[b->stream]);
    b->value = value;
    break;
  case 2: /* no copy may be reading memory that the host is about to write */
    mgpuStreamSynchronize(p->stream[b->stream]);
    for (uint32_t i = 0; i < b->words; i++)
      b->host[i] = value;
    mgpuMemcpy(device, b->host, 4ul * b->words, p->stream[b->stream]);
    b->value = value;
    p->calls++;
    break;
  case 3:
  case 4:
    launch(p, b, p->fill, (void *[]){&device, &value, &b->words}, 3);
    b->value = value;
    break;
  default:
    launch(p, b, p->step, (void *[]){&device, &b->words}, 2);
    b->value = 3 * b->value + 1;
  }
}

/* Some calls, and the same work again as a region, or as it comes. */
static void some_calls(struct program *p, uint64_t key) {
  bool region = below(&p->random, 4) == 0;
  if (region)
    mgpuxGraphBegin(key);
  for (uint32_t n = below(&p->random, 24); n > 0; n--)
    one_call(p);
  if (region)
    mgpuxGraphEnd();
}

static void check(struct program *p, struct buffer *b, bool *right) {
  for (uint32_t i = 0; i < b->words; i++)
    b->host[i] = ~b->value;
  mgpuMemcpy(b->host, b->device, 4ul * b->words, p->stream[b->stream]);
  mgpuStreamSynchronize(p->stream[b->stream]);
  for (uint32_t i = 0; i < b->words; i++)
    *right = *right && b->host[i] == b->value;
}

static void program(uint64_t seed, uint64_t key, uint32_t *host) {
  struct program p = {.random = seed};
  bool right = true;
  void *module = mgpuModuleLoad(suite, suite_bytes);
  p.fill = mgpuModuleGetFunction(module, "fill");
  p.step = mgpuModuleGetFunction(module, "step");
  p.streams = 1 + (int)below(&p.random, most_streams);
  for (int i = 0; i < p.streams; i++)
    p.stream[i] = mgpuStreamCreate();
  p.buffers = 1 + (int)below(&p.random, most_buffers);
  for (int i = 0; i < p.buffers; i++) {
    struct buffer *b = &p.buffer[i];
    b->words = 1u << below(&p.random, 15);
    b->words -= below(&p.random, b->words);
    b->host = host + (size_t)i * most_words;
    b->stream = (int)below(&p.random, (uint32_t)p.streams);
    b->device = mgpuMemAlloc(4ul * b->words, p.stream[b->stream], 0);
    mgpuMemset32(b->device, 7, b->words, p.stream[b->stream]);
    b->value = 7;
  }
  for (uint32_t n = 1 + below(&p.random, 4); n > 0; n--)
    some_calls(&p, key);
  /* The first failure says it all: what comes after was not computed. */
  bool checked = mgpuxTakeError(NULL, 0) == 0;
  for (int i = 0; i < p.buffers; i++)
    check(&p, &p.buffer[i], &right);
  for (int i = 0; i < p.buffers; i++)
    mgpuMemFree(p.buffer[i].device, p.stream[p.buffer[i].stream]);
  for (int i = 0; i < p.streams; i++)
    mgpuStreamDestroy(p.stream[i]);
  mgpuModuleUnload(module);
  checked = mgpuxTakeError(NULL, 0) == 0 && checked;
  add(&calls,
      p.calls + 3 + 2ul * (uint64_t)p.streams + 5ul * (uint64_t)p.buffers);
  add(&failed, !checked);
  if (checked && !right) {
    add(&wrong, 1);
    fprintf(stderr, "soak: program %#lx computed something else\n",
            (unsigned long)seed);
  }
}

static void *random_programs(void *argument) {
  uint64_t thread = (uintptr_t)argument, random = thread + 1;
  uint32_t *host = malloc(sizeof(uint32_t) * most_buffers * most_words);
  while (!over) {
    program(((uint64_t)next(&random) << 32) + next(&random), 1 + thread, host);
    add(&rounds, 1);
  }
  mgpuxGraphDestroy(1 + thread);
  (void)mgpuxTakeError(NULL, 0); /* a thread that recorded nothing has none */
  free(host);
  return NULL;
}

/* Every now and then other calls of the driver fail. */
static void inject(uint64_t *random) {
  static const char *functions[] = {
      "hipMalloc",
      "hipMemcpyAsync",
      "hipMemsetD32Async",
      "hipModuleLaunchKernel",
      "hipModuleLoadData",
      "hipModuleGetFunction",
      "hipEventRecord",
      "hipStreamWaitEvent",
      "hipStreamCreateWithFlags",
      "hipGraphLaunch",
      "hipGraphInstantiateWithFlags",
      "hipEventCreateWithFlags",
  };
  enum { count = sizeof functions / sizeof *functions };
  char rules[512] = "";
  size_t used = 0;
  for (uint32_t n = below(random, 4); n > 0; n--)
    used += (size_t)snprintf(
        rules + used, sizeof rules - used, "%s%s:%u", used > 0 ? "," : "",
        functions[below(random, count)], 1 + below(random, 500));
  if (fail(rules) != 0)
    _exit(3);
}

/*---- calls and modules -----------------------------------------------------*/

static char *text_of(uint64_t number) {
  char *text;
  if (asprintf(&text,
               ".version 7.0\n.target sm_70\n.address_size 64\n"
               ".visible .entry kernel(.param .u64 a) { ret; }\n// %lu",
               (unsigned long)number) < 0)
    _exit(3);
  return text;
}

static void one_launch(void *function) {
  uint64_t value = 0;
  void *stream = mgpuStreamCreate();
  mgpuLaunchKernel(function, 1, 1, 1, 64, 1, 1, 0, stream, (void *[]){&value},
                   NULL, 1);
  mgpuStreamSynchronize(stream);
  mgpuStreamDestroy(stream);
}

static void *lowered_loops(void *argument) {
  char *text = text_of(0);
  void *module = mgpuModuleLoad(text, strlen(text) + 1);
  void *function = mgpuModuleGetFunction(module, "kernel");
  while (!over) {
    for (int i = 0; i < 1000; i++) {
      one_launch(function);
      mgpuMemFree(mgpuMemAlloc(4096, NULL, 0), NULL);
    }
    add(&wrong, mgpuxTakeError(NULL, 0) != 0);
    add(&rounds, 1000);
    add(&calls, 6000);
  }
  free(text);
  return argument;
}

static uint64_t modules;

static void *different_modules(void *argument) {
  while (!over) {
    char *text = text_of(__atomic_add_fetch(&modules, 1, __ATOMIC_RELAXED));
    void *module = mgpuModuleLoad(text, strlen(text) + 1);
    one_launch(mgpuModuleGetFunction(module, "kernel"));
    mgpuModuleUnload(module);
    free(text);
    add(&wrong, mgpuxTakeError(NULL, 0) != 0);
    add(&rounds, 1);
    add(&calls, 7);
  }
  return argument;
}

/*---- What may not grow -----------------------------------------------------*/

struct state {
  long resident, malloced; /* KiB */
  long threads, descriptors;
  uint64_t streams, events, memory;
};

static long entries(const char *folder) {
  long n = -2; /* . and .. */
  DIR *d = opendir(folder);
  while (d != NULL && readdir(d) != NULL)
    n++;
  if (d != NULL)
    closedir(d);
  return n;
}

static struct state look(void) {
  struct state s = {.threads = entries("/proc/self/task"),
                    .descriptors = entries("/proc/self/fd")};
  long pages = 0;
  FILE *f = fopen("/proc/self/statm", "r");
  if (f == NULL || fscanf(f, "%*d %ld", &pages) != 1)
    _exit(3);
  fclose(f);
  s.resident = pages * (sysconf(_SC_PAGESIZE) / 1024);
  struct mallinfo2 m = mallinfo2();
  s.malloced = (long)((m.uordblks + m.hblkhd) / 1024);
  if (live != NULL) {
    s.streams = live("stream");
    s.events = live("event");
    s.memory = live("memory");
  }
  return s;
}

static void print(const char *when, struct state s, double at) {
  printf("%s %.1f s: %lu programs, %lu calls, %lu with failures, %lu wrong; "
         "%ld MiB, %ld of them from malloc, %ld threads, %ld descriptors",
         when, at, (unsigned long)rounds, (unsigned long)calls,
         (unsigned long)failed, (unsigned long)wrong, s.resident / 1024,
         s.malloced / 1024, s.threads, s.descriptors);
  if (live != NULL)
    printf("; of the driver %lu streams, %lu events, %lu blocks",
           (unsigned long)s.streams, (unsigned long)s.events,
           (unsigned long)s.memory);
  putchar('\n');
  fflush(stdout);
}

/* Bytes that the program has on device 0, all programs having ended: how many blocks are kept for
 * the next one depends on how long kernels took. */
static uint64_t in_use(void) {
  struct mgpux_memory_stats m = {0};
  mgpuxGetMemoryStats(0, &m, sizeof m);
  return m.live;
}

/* The most of what was seen in a part of the run. */
static void most(struct state *m, struct state s) {
  m->resident = s.resident > m->resident ? s.resident : m->resident;
  m->malloced = s.malloced > m->malloced ? s.malloced : m->malloced;
  m->threads = s.threads > m->threads ? s.threads : m->threads;
  m->descriptors =
      s.descriptors > m->descriptors ? s.descriptors : m->descriptors;
  m->streams = s.streams > m->streams ? s.streams : m->streams;
  m->events = s.events > m->events ? s.events : m->events;
  m->memory = s.memory > m->memory ? s.memory : m->memory;
}

static bool flat(const char *what, uint64_t first, uint64_t last,
                 uint64_t more) {
  if (last <= first + more)
    return true;
  printf("%s: at most %lu in the second quarter, %lu in the last\n", what,
         (unsigned long)first, (unsigned long)last);
  return false;
}

/*---- Main ------------------------------------------------------------------*/

static const struct {
  const char *name;
  void *(*work)(void *);
} kinds[] = {{"random", random_programs},
             {"calls", lowered_loops},
             {"modules", different_modules}};

static void open_driver(void) {
  void *hip = dlopen(getenv("MGPU_HIP_LIBRARY"), RTLD_NOW);
  FILE *f = fopen(getenv("SOAK_IMAGE"), "rb");
  if (hip == NULL || f == NULL) {
    fprintf(stderr, "soak: no HIP library for tests, or no image\n");
    exit(2);
  }
  *(void **)&live = dlsym(hip, "fakehip_live");
  *(void **)&fail = dlsym(hip, "fakehip_fail");
  fseek(f, 0, SEEK_END);
  suite_bytes = (size_t)ftell(f);
  rewind(f);
  suite = malloc(suite_bytes);
  if (fread(suite, 1, suite_bytes, f) != suite_bytes)
    exit(2);
  fclose(f);
}

int main(int argc, char **argv) {
  void *(*work)(void *) = NULL;
  for (size_t i = 0; argc == 4 && i < sizeof kinds / sizeof *kinds; i++)
    if (strcmp(argv[1], kinds[i].name) == 0)
      work = kinds[i].work;
  double length = argc == 4 ? atof(argv[2]) : 0;
  uintptr_t threads = argc == 4 ? (uintptr_t)atol(argv[3]) : 0;
  if (work == NULL || length <= 0 || threads == 0) {
    fprintf(stderr, "soak random|calls|modules SECONDS THREADS\n");
    return 2;
  }
  if (work == random_programs)
    open_driver();
  pthread_t *t = calloc(threads, sizeof *t);
  for (uintptr_t i = 0; i < threads; i++)
    if (pthread_create(&t[i], NULL, work, (void *)i) != 0)
      return 2;

  /* The second quarter of the time is compared with the last one. */
  struct state second = {0}, last = {0};
  uint64_t random = 1;
  double began = seconds(), told = 0, at;
  while ((at = seconds() - began) < length) {
    usleep(20000);
    if (fail != NULL)
      inject(&random);
    struct state s = look();
    if (at > length / 4 && at <= length / 2)
      most(&second, s);
    if (at > length * 3 / 4)
      most(&last, s);
    if (at - told >= length / 12) {
      told = at;
      print("after", s, at);
    }
  }
  if (fail != NULL)
    fail("");
  over = true;
  for (uintptr_t i = 0; i < threads; i++)
    pthread_join(t[i], NULL);
  print("all of", look(), at);
  bool right = wrong == 0 && rounds > 0;
  right &= flat("resident memory, KiB", (uint64_t)second.resident,
                (uint64_t)last.resident,
                last.resident < 320 << 10 ? 320 << 10
                                          : (uint64_t)second.resident / 20);
  if (live == NULL) /* the HIP library for tests forgets no handle */
    right &=
        flat("what malloc gave, KiB", (uint64_t)second.malloced,
             (uint64_t)last.malloced, (uint64_t)second.malloced / 10 + 2048);
  right &= flat("threads", (uint64_t)second.threads, (uint64_t)last.threads,
                32); /* Go's, once it collects */
  right &= flat("descriptors", (uint64_t)second.descriptors,
                (uint64_t)last.descriptors, 2);
  right &= flat("the driver's streams", second.streams, last.streams,
                second.streams + 16);
  right &= flat("the driver's events", second.events, last.events,
                second.events + 16);
  right &= flat("bytes that programs freed and the library did not get", 0,
                in_use(), 0);
  return right ? 0 : 1;
}
