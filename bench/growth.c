/* growth [--wall] [CURVE...]: the cost of calls as a program grows: threads, streams, blocks,
 * modules, images. Prints a row for each curve:
 *
 *   | alloc and free, by blocks | 1: 41.2, 10: 41.0, ... | 1.03 | flat |
 *
 * size: nanoseconds per call, and the greatest of these over the first. Each point is the
 * best of some rounds in three processes of its own; a curve ends where one takes longer
 * than 20 s. Processor time of the process, which may share the machine; with --wall
 * time, for a GPU, where a driver works in threads of its own.
 *
 * With MGPU_DRIVER=null this is the time of the library alone. Images are kernels.image
 * (bench/kernels.c), made longer in ways that leave it what it is. */

#define _GNU_SOURCE
#include <mgpu_runtime.h>

#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#ifndef LOAD /* as compilers do for this vendor */
#define LOAD(image) mgpuModuleLoad(image, 0)
#endif

__asm__(".section .rodata\n"
        ".balign 4096\n"
        ".globl kernels_image, kernels_image_end\n"
        "kernels_image: .incbin \"kernels.image\"\n"
        "kernels_image_end: .byte 0\n"
        ".previous");
extern const char kernels_image[], kernels_image_end[];
extern char **environ;

enum { rounds = 7, processes = 3, patience_ms = 20000 };
static clockid_t clock_of_calls = CLOCK_PROCESS_CPUTIME_ID;

static double now(void) {
  struct timespec t;
  clock_gettime(clock_of_calls, &t);
  return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

/* Returns nanoseconds per call: the best of some rounds of 2 ms or more, and of one call
 * or more. */
typedef void (*call)(void *argument, long i);

static double cost(call f, void *argument) {
  double best = 0;
  long calls = 1, i = 0;
  for (int r = 0; r < rounds;) {
    double from = now();
    for (long k = 0; k < calls; k++)
      f(argument, i++);
    double took = now() - from;
    if (took < 2e6) {
      calls *= 2;
      continue;
    }
    if (r == 0 || took / (double)calls < best)
      best = took / (double)calls;
    r++;
  }
  return best;
}

/*---- Images ----------------------------------------------------------------*/

static bool is_elf(void) { return memcmp(kernels_image, ELFMAG, SELFMAG) == 0; }
static size_t base_bytes(void) {
  return (size_t)(kernels_image_end - kernels_image);
}

/* Writes the kernels' image with so many bytes, or a little more, that differ from those
 * of other numbers: a text with a comment, or an ELF file whose section headers are
 * after the code object. Returns how many bytes it takes; to may be NULL. */
static size_t write_image(char *to, long number, size_t bytes) {
  char text[32];
  int digits = snprintf(text, sizeof text, "\n// %ld ", number);
  size_t base = base_bytes();
  const Elf64_Ehdr *e = (const void *)kernels_image;
  size_t table = is_elf() ? (size_t)e->e_shentsize * e->e_shnum : 1;
  size_t between = (base + sizeof text + 63) / 64 * 64;
  if (between + table < bytes)
    between = (bytes - table) / 64 * 64;
  if (to == NULL)
    return between + table;
  memcpy(to, kernels_image, base);
  memset(to + base, '.', between - base);
  memcpy(to + base, text, (size_t)digits);
  if (!is_elf()) {
    to[between] = 0;
    return between + table;
  }
  memcpy(to + between, kernels_image + e->e_shoff, table);
  ((Elf64_Ehdr *)(void *)to)->e_shoff = between;
  return between + table;
}

static char *image(long number, size_t bytes) {
  char *to =
      aligned_alloc(64, (write_image(NULL, number, bytes) + 63) / 64 * 64);
  write_image(to, number, bytes);
  return to;
}

/* Returns an image within the read-only segment of a shared object, as a program has its
 * own: the object's file has nothing else in it. */
static const char *image_of_object(size_t bytes) {
  enum { dynamic_at = 1024, names_at = 2048, image_at = 4096 };
  size_t whole = image_at + write_image(NULL, 0, bytes);
  char *file = calloc(1, whole), path[] = "/tmp/growth-XXXXXX";
  write_image(file + image_at, 0, bytes);
  *(Elf64_Ehdr *)(void *)file =
      (Elf64_Ehdr){.e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64,
                               ELFDATA2LSB, EV_CURRENT},
                   .e_type = ET_DYN,
                   .e_machine = EM_X86_64,
                   .e_version = EV_CURRENT,
                   .e_phoff = sizeof(Elf64_Ehdr),
                   .e_ehsize = sizeof(Elf64_Ehdr),
                   .e_phentsize = sizeof(Elf64_Phdr),
                   .e_phnum = 2};
  Elf64_Phdr *segments = (void *)(file + sizeof(Elf64_Ehdr));
  segments[0] = (Elf64_Phdr){.p_type = PT_LOAD,
                             .p_flags = PF_R,
                             .p_filesz = whole,
                             .p_memsz = whole,
                             .p_align = 4096};
  Elf64_Dyn entries[] = {{.d_tag = DT_STRTAB, .d_un.d_ptr = names_at},
                         {.d_tag = DT_SYMTAB, .d_un.d_ptr = names_at},
                         {.d_tag = DT_STRSZ, .d_un.d_val = 1},
                         {.d_tag = DT_SYMENT, .d_un.d_val = sizeof(Elf64_Sym)},
                         {.d_tag = DT_NULL}};
  segments[1] = (Elf64_Phdr){.p_type = PT_DYNAMIC,
                             .p_flags = PF_R,
                             .p_offset = dynamic_at,
                             .p_vaddr = dynamic_at,
                             .p_filesz = sizeof entries,
                             .p_memsz = sizeof entries,
                             .p_align = 8};
  memcpy(file + dynamic_at, entries, sizeof entries);
  int fd = mkstemp(path);
  for (size_t done = 0; done < whole;) {
    ssize_t n = write(fd, file + done, whole - done);
    if (n <= 0)
      exit(1);
    done += (size_t)n;
  }
  close(fd);
  free(file);
  struct link_map *object = dlopen(path, RTLD_NOW);
  unlink(path);
  if (object == NULL) {
    fprintf(stderr, "growth: %s\n", dlerror());
    exit(1);
  }
  return (const char *)object->l_addr + image_at;
}

/*---- Points of curves: each gets its size ----------------------------------*/

static void *kernel_of(void *module) {
  void *kernel = mgpuModuleGetFunction(module, "empty");
  if (kernel == NULL)
    exit(1);
  return kernel;
}

static void *kernel;

static void launch(void *stream) {
  mgpuLaunchKernel(kernel, 1, 1, 1, 1, 1, 1, 0, stream, NULL, NULL, 0);
}

static void launch_and_wait(void *stream, long i) {
  (void)i;
  launch(stream);
  mgpuStreamSynchronize(stream);
}

static void alloc_and_free(void *stream, long i) {
  mgpuMemFree(mgpuMemAlloc(4096 + 4096 * (uint64_t)(i % 4), stream, 0), stream);
}

/* A free after a launch, which marks every stream with work. */
static void free_behind(void *stream, long i) {
  (void)i;
  void *p = mgpuMemAlloc(4096, stream, 0);
  launch(stream);
  mgpuMemFree(p, stream);
  mgpuStreamSynchronize(stream);
}

static void create_and_destroy(void *argument, long i) {
  (void)argument, (void)i;
  mgpuStreamDestroy(mgpuStreamCreate());
}

/* Returns the last of so many streams, each of which did some work. */
static void *streams(long n) {
  void *s = NULL;
  for (long i = 0; i < n; i++)
    launch_and_wait(s = mgpuStreamCreate(), 0);
  return s;
}

static double streams_create(long n) {
  streams(n);
  return cost(create_and_destroy, NULL);
}
static double streams_launch(long n) {
  return cost(launch_and_wait, streams(n));
}
static double streams_alloc(long n) { return cost(alloc_and_free, streams(n)); }
static double streams_free(long n) { return cost(free_behind, streams(n)); }

/* A stream, and so many blocks that live. */
static void *blocks(long n) {
  void *s = streams(1);
  for (long i = 0; i < n; i++)
    if (mgpuMemAlloc(4096, s, 0) == NULL)
      exit(1);
  return s;
}

static double blocks_alloc(long n) { return cost(alloc_and_free, blocks(n)); }
static double blocks_free(long n) { return cost(free_behind, blocks(n)); }

/* Modules of different images. */
struct modules {
  long n;
  char **images;
  void **modules, *stream;
};

static struct modules *modules(long n) {
  struct modules *m = malloc(sizeof *m);
  *m = (struct modules){n, calloc((size_t)n, sizeof(char *)),
                        calloc((size_t)n, sizeof(void *)), streams(1)};
  for (long i = 0; i < n; i++)
    if ((m->modules[i] = LOAD(m->images[i] = image(i, 0))) == NULL)
      exit(1);
  return m;
}

static void launch_of_next(void *argument, long i) {
  const struct modules *m = argument;
  void *f = mgpuModuleGetFunction(m->modules[i * 7919 % m->n], "empty");
  mgpuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, m->stream, NULL, NULL, 0);
  mgpuStreamSynchronize(m->stream);
}

static void launch_of_one(void *argument, long i) {
  (void)i;
  launch_of_next(argument, 0);
}

static void load_again(void *argument, long i) {
  const struct modules *m = argument;
  mgpuModuleUnload(LOAD(m->images[i * 7919 % m->n]));
}

static void load_new(void *argument, long i) {
  const struct modules *m = argument;
  char *other = m->images[0];
  write_image(other, 1000000 + i, 0);
  mgpuModuleUnload(LOAD(other));
}

static double modules_one(long n) { return cost(launch_of_one, modules(n)); }
static double modules_next(long n) {
  struct modules *m = modules(n);
  for (long i = 0; i < n; i++)
    launch_of_next(m, i);
  return cost(launch_of_next, m);
}
static double modules_again(long n) { return cost(load_again, modules(n)); }
static double modules_new(long n) {
  struct modules *m = modules(n + 1);
  mgpuModuleUnload(m->modules[0]);
  return cost(load_new, m);
}

/* One image of so many bytes. */
static void load_image(void *argument, long i) {
  (void)i;
  mgpuModuleUnload(LOAD(argument));
}

static void load_new_image(void *argument, long i) {
  char *of = argument;
  snprintf(of + base_bytes(), 24, "\n// %ld", i);
  of[base_bytes() + strlen(of + base_bytes())] = '.';
  load_image(argument, i);
}

static double images_constant(long n) {
  streams(1);
  return cost(load_image, (void *)(uintptr_t)image_of_object((size_t)n));
}
static double images_again(long n) {
  streams(1);
  return cost(load_image, image(-1, (size_t)n));
}
static double images_new(long n) {
  streams(1);
  return cost(load_new_image, image(-1, (size_t)n));
}

/* Threads with streams of their own; with memory or without. */
enum { cycles = 20000 };
static pthread_barrier_t together;
static bool allocate;

static void *cycle(void *spent) {
  void *s = mgpuStreamCreate();
  launch_and_wait(s, 0);
  mgpuStreamDestroy(s);
  pthread_barrier_wait(&together);
  clockid_t clock = clock_of_calls == CLOCK_MONOTONIC ? CLOCK_MONOTONIC
                                                      : CLOCK_THREAD_CPUTIME_ID;
  struct timespec from, to;
  clock_gettime(clock, &from);
  for (int i = 0; i < cycles; i++) {
    s = mgpuStreamCreate();
    if (allocate)
      alloc_and_free(s, i);
    launch_and_wait(s, i);
    mgpuStreamDestroy(s);
  }
  clock_gettime(clock, &to);
  *(double *)spent = ((double)(to.tv_sec - from.tv_sec) * 1e9 +
                      (double)(to.tv_nsec - from.tv_nsec)) /
                     cycles;
  return NULL;
}

static double threads_launch(long n) {
  pthread_t t[64];
  double ns[64], sum = 0;
  pthread_barrier_init(&together, NULL, (unsigned)n);
  for (long i = 0; i < n; i++)
    pthread_create(&t[i], NULL, cycle, &ns[i]);
  for (long i = 0; i < n; i++) {
    pthread_join(t[i], NULL);
    sum += ns[i];
  }
  return sum / (double)n;
}

static double threads(long n) {
  allocate = true;
  return threads_launch(n);
}

/*---- Curves ----------------------------------------------------------------*/

static const struct curve {
  const char *key, *name;
  double (*point)(long n);
  long from, to, factor;
} curves[] = {
    {"threads", "a round of six calls, by threads", threads, 1, 64, 2},
    {"threads-launch", "create, launch, wait, destroy, by threads",
     threads_launch, 1, 64, 2},
    {"streams-create", "create and destroy a stream, by streams",
     streams_create, 1, 4096, 4},
    {"streams-launch", "launch and wait, by streams", streams_launch, 1, 4096,
     4},
    {"streams-alloc", "alloc and free, by streams", streams_alloc, 1, 4096, 4},
    {"streams-free", "alloc, launch, free, wait, by streams", streams_free, 1,
     4096, 4},
    {"blocks-alloc", "alloc and free, by blocks", blocks_alloc, 1, 1000000, 10},
    {"blocks-free", "alloc, launch, free, wait, by blocks", blocks_free, 1,
     1000000, 10},
    {"modules-one", "look up, launch, wait of one module, by modules",
     modules_one, 1, 10000, 10},
    {"modules-next", "look up, launch, wait of all in turn, by modules",
     modules_next, 1, 10000, 10},
    {"modules-again", "load and unload a loaded image, by modules",
     modules_again, 1, 10000, 10},
    {"modules-new", "load and unload a new image, by modules", modules_new, 1,
     10000, 10},
    {"images-constant", "load and unload the program's constant, by bytes",
     images_constant, 1000, 100000000, 10},
    {"images-again", "load and unload an image on the heap, by bytes",
     images_again, 1000, 100000000, 10},
    {"images-new", "load and unload a new image, by bytes", images_new, 1000,
     100000000, 10},
};

/* Runs a point in a process of its own and returns the number that it prints; less than zero: it
 * took too long. */
static double run(char *program, const struct curve *c, long n) {
  char size[32], text[64] = "";
  int from[2], status;
  pid_t child;
  snprintf(size, sizeof size, "%ld", n);
  char *how = clock_of_calls == CLOCK_MONOTONIC ? "--wall" : "--",
       *arguments[] = {program, how, (char *)(uintptr_t)c->key, size, NULL};
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  if (pipe2(from, O_CLOEXEC) != 0 ||
      posix_spawn_file_actions_adddup2(&actions, from[1], 1) != 0 ||
      posix_spawn(&child, program, &actions, NULL, arguments, environ) != 0) {
    perror("growth");
    exit(1);
  }
  close(from[1]);
  posix_spawn_file_actions_destroy(&actions);
  bool in_time =
      poll(&(struct pollfd){from[0], POLLIN, 0}, 1, patience_ms) == 1;
  if (!in_time)
    kill(child, SIGKILL);
  ssize_t got = read(from[0], text, sizeof text - 1);
  close(from[0]);
  if (waitpid(child, &status, 0) == child && status == 0 && got > 0)
    return atof(text);
  if (in_time) {
    fprintf(stderr, "growth: %s at %ld failed\n", c->key, n);
    exit(1);
  }
  return -1;
}

static void print_curve(char *program, const struct curve *c) {
  double first = 0, most = 0;
  printf("| %s |", c->name);
  for (long n = c->from; n <= c->to; n *= c->factor) {
    double best = 0;
    for (int p = 0; p < processes && best >= 0; p++) {
      double ns = run(program, c, n);
      if (p == 0 || ns < best)
        best = ns;
    }
    if (best < 0)
      break;
    if (n == c->from)
      first = best;
    if (best > most)
      most = best;
    printf("%s %ld: %.*f", n == c->from ? "" : ",", n, best < 1000 ? 1 : 0,
           best);
    fflush(stdout);
  }
  printf(" | %.2f | %s |\n", most / first,
         most <= 1.3 * first ? "flat" : "grows");
  fflush(stdout);
}

int main(int argc, char **argv) {
  int first = 1;
  if (argc > 1 && argv[1][0] == '-') {
    if (strcmp(argv[1], "--wall") == 0)
      clock_of_calls = CLOCK_MONOTONIC;
    first = 2;
  }
  const struct curve *end = curves + sizeof curves / sizeof *curves;
  if (first == 2 && argc == 4 && atol(argv[3]) > 0) {
    for (const struct curve *c = curves; c < end; c++)
      if (strcmp(argv[2], c->key) == 0) {
        kernel = kernel_of(LOAD((void *)(uintptr_t)kernels_image));
        printf("%.2f\n", c->point(atol(argv[3])));
        fflush(stdout);
        _exit(0);
      }
    return 2;
  }
  printf("| ns per call | n: ns | greatest : first | |\n|---|---|---|---|\n");
  for (const struct curve *c = curves; c < end; c++) {
    bool wanted = argc == first;
    for (int i = first; i < argc; i++)
      wanted |= strncmp(c->key, argv[i], strlen(argv[i])) == 0;
    if (wanted)
      print_curve(argv[0], c);
  }
  return 0;
}
