/* mixed IMAGE0 IMAGE1 IMAGE2 COMMAND...
 *
 *   random FROM COUNT LENGTH   random programs of so many operations, one after another in this process
 *   program FILE               the program in a file, "-" for standard input
 *
 * MIXED_HIP names the HIP library, MIXED_OPTIONS has the names of struct options' members.
 *
 * Exits with 0 if all was as the model says. Otherwise it prints what was wrong, what the operations did, and the program, and exits with 1.
 * A program that ends by a signal has printed nothing: with "verbose" it prints each operation first. */
#define _GNU_SOURCE
#include "mixed.h"

#include <dlfcn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

struct options options;
struct hip hip;
void *image[images];

static struct operation program[most_operations];
static bool left_out[64]; /* kinds of operations */
static int done;          /* operations of it that were executed */
static uint64_t seed;
static char said[most_operations * 256];
static size_t said_bytes;
static int errors = -1, real_errors; /* standard error, while programs run */

static const struct {
  const char *name;
  bool *option;
  bool left_out; /* of half of the programs */
} all_options[] = {
    {"stock", &options.stock, false},
    {"regions", &options.regions, false},
    {"verbose", &options.verbose, false},
    {"no-vendor-ends", &options.no_vendor_ends, true},
    {"no-reset", &options.no_reset, true},
    {"no-ready", &options.no_ready, true},
    {"no-variables", &options.no_variables, true},
    {"no-capture", &options.no_capture, true},
    {"no-own-streams", &options.no_own_streams, true},
    {"no-callbacks", &options.no_callbacks, true},
    {"no-prints", &options.no_prints, true},
    {"no-mgpu-managed", &options.no_kind[mgpu_managed], true},
    {"no-hip-device", &options.no_kind[hip_device], true},
    {"no-hip-managed", &options.no_kind[hip_managed], true},
    {"no-hip-pinned", &options.no_kind[hip_pinned], true},
    {"no-mgpu-registered", &options.no_kind[mgpu_registered], true},
    {"no-hip-registered", &options.no_kind[hip_registered], true},
    {"no-pageable", &options.no_kind[pageable], true},
    {"no-downloads", &options.no_downloads, true},
    {"no-host-fills", &options.no_host_fills, true},
    {"no-own-modules", &options.no_own_modules, true},
    {"no-vendor-work", &options.no_vendor_work, true},
};
enum { option_count = sizeof all_options / sizeof *all_options };

static void read_options(const char *text) {
  char *rest = NULL, *copy = text ? strdup(text) : NULL;
  for (char *name = copy ? strtok_r(copy, ", \n", &rest) : NULL; name;
       name = strtok_r(NULL, ", \n", &rest)) {
    size_t i = 0;
    while (i < option_count && strcmp(all_options[i].name, name) != 0)
      i++;
    if (i == option_count) {
      printf("no option %s\n", name);
      exit(2);
    }
    *all_options[i].option = true;
  }
  free(copy);
}

/* Prints the head of a program. */
static void print_options(void) {
  printf("program:\noptions");
  for (size_t i = 0; i < option_count; i++)
    if (all_options[i].left_out && *all_options[i].option)
      printf(" %s", all_options[i].name);
  printf("\n");
}

void say(const char *format, ...) {
  va_list ap;
  va_start(ap, format);
  size_t left = sizeof said - said_bytes;
  int n = vsnprintf(said + said_bytes, left, format, ap);
  va_end(ap);
  if (n > 0 && (size_t)n < left)
    said_bytes += (size_t)n;
}

static void print_operation(const struct operation *o) {
  printf("%s %u %u %u %u\n", operation_kinds[o->kind].name, o->a, o->b, o->c,
         o->d);
}

void fail(const char *format, ...) {
  va_list ap;
  static char text[1 << 14];
  ssize_t n = pread(errors, text, sizeof text - 1, 0);
  fflush(stdout);
  va_start(ap, format);
  printf("seed %llu, operation %d: ", (unsigned long long)seed, done);
  vprintf(format, ap);
  va_end(ap);
  printf("\nwhat was done:\n%s\n", said);
  if (n > 0)
    printf("standard error:\n%s", text);
  print_options();
  for (int i = 0; i <= done && i < most_operations; i++)
    print_operation(&program[i]);
  fflush(stdout);
  _exit(1);
}

void ok(const char *call, int status) {
  if (status != hip_success)
    fail("%s: %s", call, hip.hipGetErrorName(status));
}

static off_t written;

/* Whether all that was written since is what the library says of a region that it can't record, which is not an error. */
static bool only_regions(void) {
  static char text[1 << 14];
  ssize_t n = pread(errors, text, sizeof text - 1, written);
  text[n < 0 ? 0 : n] = 0;
  bool all = true;
  for (char *line = text; all && *line;) {
    all = strncmp(line, "mgpu: graph ", 12) == 0;
    char *end = strchr(line, '\n');
    line = end ? end + 1 : line + strlen(line);
  }
  return options.regions && all;
}

static void no_lines(const char *call) {
  struct stat s = {0};
  if (fstat(errors, &s) == 0 && s.st_size != written && !only_regions())
    fail("%s wrote on standard error", call);
  written = s.st_size;
}

void before_mgpu(void) {
  if (world.bracketed)
    (void)hip.hipGetLastError();
}

void after_mgpu(const char *call) {
  no_lines(call);
  if (world.bracketed && !options.stock) {
    int status = hip.hipPeekAtLastError();
    if (status != hip_success)
      fail("%s leaves the last error %s", call, hip.hipGetErrorName(status));
  }
}

void expect(const struct block *b, const uint32_t *words, const char *how) {
  for (uint32_t i = 0; i < b->words; i++)
    if (words[i] != b->model[i])
      fail("word %u of %u, %s, is %#x and not %#x", i, b->words, how, words[i],
           b->model[i]);
}

static uint64_t state;

static uint32_t next(void) {
  state += 0x9e3779b97f4a7c15;
  uint64_t z = state;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
  z = (z ^ z >> 27) * 0x94d049bb133111eb;
  return (uint32_t)((z ^ z >> 31) >> 16);
}

/* Draws the kind of the next operation. Most follow a cycle: a delay keeps a stream busy, work is submitted after it, something waits, and
 * the host touches memory at once. */
static int random_kind(enum part before) {
  static const enum part first[parts] = {delay, work,  wait,
                                         touch, delay, start},
                         second[parts] = {delay, work,  work,
                                          touch, start, start};
  const enum part then = (next() % 2 ? first : second)[before];
  bool any = next() % 4 == 0 || (before == start && next() % 2);
  int all = 0, kind = 0;
  int weight[64];
  for (int i = 0; i < operations; i++) {
    weight[i] = !left_out[i] && (any || operation_kinds[i].part == then)
                    ? operation_kinds[i].weight
                    : 0;
    all += weight[i];
  }
  if (all == 0)
    return random_kind(start);
  for (int at = (int)(next() % (uint32_t)all); (at -= weight[kind]) >= 0;)
    kind++;
  return kind;
}

/* A number that chooses what the latest operations were about, or anything. */
static uint32_t choose(char what) {
  uint32_t r = next(), recent, n;
  switch (what) {
  case 'b':
    recent = world.recent_block, n = block_slots;
    break;
  case 'A':
    return next();
  case 'u': /* mostly memory of the host's: uploads */
    for (int i = 0; i < 24; i++, r = next())
      if (r % all_slots < block_slots && world.block[r % all_slots].host)
        return r;
    return r;
  case 'k': /* half of all blocks are mgpuMemAlloc's */
    return next() % 2 ? 0 : r;
  case 'f': /* mostly what no work uses: only the free's wait counts */
    for (int i = 0; i < 8 && world.block[r % block_slots].use.stream; i++)
      r = next();
    return r;
  case 'w': /* mostly all words ... */
    return next() % 4 ? r | (most_words - 1) : r;
  case 'z': /* ... from the first one on */
    return next() % 4 ? r - r % most_words : r;
  case 'B':
    recent = world.recent_block, n = all_slots;
    break;
  case 's': /* seldom the default stream, for whose work every free waits */
    recent = world.recent_stream, n = stream_slots;
    for (int i = 0; i < 16 && !world.stream[r % n].live; i++)
      r = next();
    break;
  case 'e':
    recent = world.recent_event, n = event_slots;
    break;
  case 'm':
    recent = world.recent_module, n = module_slots;
    break;
  default:
    return r;
  }
  return next() % 4 == 0 || recent >= n || r < n ? r : r - r % n - n + recent;
}

/* Executes the operation at program[done]. */
static bool execute(void) {
  size_t before = said_bytes;
  struct operation *o = &program[done];
  world.bracketed = o->d % 8 == 0;
  if (options.verbose) { /* it may be the last */
    print_operation(o);
    fflush(stdout);
  }
  say("# %3d %s: ", done, operation_kinds[o->kind].name);
  if (!operation_kinds[o->kind].execute(o)) {
    said_bytes = before;
    said[before] = 0;
    return false;
  }
  no_lines(operation_kinds[o->kind].name);
  say("\n");
  if (options.verbose)
    fwrite(said + before, 1, said_bytes - before, stdout);
  return true;
}

/* A program from a seed: operations that fit, the more probable ones where something was just waited for. */
static void random_program(int length) {
  state = seed * 0x2545f4914f6cdd1d;
  enum part before = start;
  if (options.verbose)
    print_options();
  world_begin();
  for (done = 0; done < length;) {
    struct operation *o = &program[done];
    o->kind = random_kind(before);
    const char *chooses = operation_kinds[o->kind].chooses;
    bool fits = false;
    for (int i = 0; i < 16 && !fits; i++) {
      o->a = choose(chooses[0]);
      o->b = choose(chooses[1]);
      o->c = choose(chooses[2]);
      o->d = choose(chooses[3]);
      fits = execute();
    }
    if (!fits)
      continue;
    before = operation_kinds[o->kind].part;
    done++;
  }
  world_end();
}

static void given_program(FILE *f) {
  char line[1024], name[64];
  bool begun = false;
  while (done < most_operations && fgets(line, sizeof line, f)) {
    struct operation o;
    if (line[0] == '#')
      continue;
    if (strncmp(line, "options", 7) == 0) {
      read_options(line + 7);
      continue;
    }
    if (!begun)
      world_begin();
    begun = true;
    if (sscanf(line, "%63s %u %u %u %u", name, &o.a, &o.b, &o.c, &o.d) != 5) {
      printf("no operation: %s", line);
      exit(2);
    }
    for (o.kind = 0; o.kind < operations; o.kind++)
      if (strcmp(operation_kinds[o.kind].name, name) == 0)
        break;
    if (o.kind == operations) {
      printf("no operation %s\n", name);
      exit(2);
    }
    program[done] = o;
    if (execute())
      done++;
  }
  if (begun)
    world_end();
}

static void *contents(const char *path) {
  FILE *f = fopen(path, "rb");
  if (!f) {
    perror(path);
    exit(2);
  }
  fseek(f, 0, SEEK_END);
  long n = ftell(f);
  rewind(f);
  char *bytes = calloc(1, (size_t)n + 1);
  if (!bytes || fread(bytes, 1, (size_t)n, f) != (size_t)n)
    exit(2);
  fclose(f);
  return bytes;
}

static void open_hip(void) {
  const char *path = getenv("MIXED_HIP");
  void *library = dlopen(path ? path : "libamdhip64.so.5", RTLD_NOW);
  if (!library) {
    printf("%s\n", dlerror());
    exit(2);
  }
#define HIP(required, name, parameters)                                        \
  if (!(*(void **)&hip.name = dlsym(library, #name)) && required) {            \
    printf("no %s\n", #name);                                                  \
    exit(2);                                                                   \
  }
  HIP_CALLS
#undef HIP
  *(void **)&hip.hipGetErrorName = dlsym(library, "hipGetErrorName");
  options.test_hip = dlsym(library, "fakehip_count") != NULL;
}

/* What a program does once can hide what is wrong elsewhere: after it has managed memory every free waits. So each process leaves
 * out half of what there is. */
static void leave_out(void) {
  for (size_t i = 0; i < option_count; i++)
    if (all_options[i].left_out && next() % 2)
      *all_options[i].option = true;
  for (int i = 0; i < operations; i++)
    if (operation_kinds[i].part != start && operation_kinds[i].part != delay)
      left_out[i] = next() % 6 == 0;
  /* docs/memory.md: from such a thing on every free waits, which hides what is wrong with frees that don't. */
  if (next() % 2) {
    options.no_kind[mgpu_managed] = options.no_kind[mgpu_registered] =
        options.no_own_streams = options.no_downloads = true;
    options.no_prints = next() % 3 != 0;
  }
  /* docs/limits.md: HIP may give what it makes the address of what it has destroyed. */
  if (!options.stock && !options.no_vendor_ends)
    options.no_own_streams = options.no_own_modules = true;
}

int main(int argc, char **argv) {
  if (argc < 6)
    return 2;
  open_hip();
  read_options(getenv("MIXED_OPTIONS"));
  for (int i = 0; i < images; i++)
    image[i] = contents(argv[1 + i]);
  errors = memfd_create("stderr", MFD_CLOEXEC);
  real_errors = dup(2);
  if (!getenv("MIXED_STDERR"))
    dup2(errors, 2);
  if (strcmp(argv[4], "program") == 0) {
    FILE *f = strcmp(argv[5], "-") ? fopen(argv[5], "r") : stdin;
    if (!f)
      return 2;
    given_program(f);
  } else {
    if (argc != 8)
      return 2;
    uint64_t from = strtoull(argv[5], NULL, 10),
             count = strtoull(argv[6], NULL, 10);
    int length = atoi(argv[7]);
    state = ~from;
    leave_out();
    for (seed = from; seed < from + count; seed++) {
      said_bytes = 0;
      said[0] = 0;
      random_program(length < most_operations ? length : most_operations - 1);
    }
  }
  dup2(real_errors, 2);
  puts("ok");
  return 0;
}
