// objects: what a large code object costs to load, and its first launch.
//
//   objects hip HIP FILE               by hipModuleLoad of a release of AMD's
//   objects ours LIBRARY FILE KERNEL   by mgpuModuleLoad
//
// KERNEL, one of Tensile's, is launched twice for matrices without elements: its
// arguments are zeros, except the four matrices.
// A line for each step: the processor time of all threads in milliseconds, of
// which in the kernel, the wall time, and what the process has more in memory
// afterwards, in MiB: its own pages, pages of files, and shared ones, which
// those of the GPU are over AMD's stack. FILE is mapped before.
#include <dlfcn.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static void stop(const char *what) {
  fprintf(stderr, "objects: %s\n", what);
  exit(1);
}

static void *symbol(void *from, const char *name) {
  void *at = dlsym(from, name);
  if (!at)
    stop(dlerror());
  return at;
}

struct usage {
  double user, system, wall;
  long own, file, shared; // KiB
};

static long status(const char *text, const char *key) {
  const char *at = strstr(text, key);
  return at ? atol(at + strlen(key)) : 0;
}

static struct usage now(void) {
  struct rusage r;
  struct timespec t;
  char text[8192];
  getrusage(RUSAGE_SELF, &r);
  clock_gettime(CLOCK_MONOTONIC, &t);
  int f = open("/proc/self/status", O_RDONLY);
  ssize_t n = f < 0 ? -1 : read(f, text, sizeof text - 1);
  if (n < 0)
    stop("/proc/self/status can't be read");
  close(f);
  text[n] = 0;
  return (struct usage){
      r.ru_utime.tv_sec * 1e3 + r.ru_utime.tv_usec * 1e-3,
      r.ru_stime.tv_sec * 1e3 + r.ru_stime.tv_usec * 1e-3,
      t.tv_sec * 1e3 + t.tv_nsec * 1e-6,
      status(text, "RssAnon:"),
      status(text, "RssFile:"),
      status(text, "RssShmem:"),
  };
}

// step prints what has changed since the last one.
static void step(const char *name) {
  static struct usage last;
  struct usage u = now();
  if (name)
    printf("%-10s %7.0f ms, %6.0f in the kernel, %7.0f of wall time; MiB: own "
           "%4ld, files %4ld, shared %4ld\n",
           name, u.user + u.system - last.user - last.system,
           u.system - last.system, u.wall - last.wall,
           (u.own - last.own) / 1024, (u.file - last.file) / 1024,
           (u.shared - last.shared) / 1024);
  last = now();
}

static void by_hip(void *lib, const char *path) {
  void *block, *module;
  int (*allocate)(void **, size_t) = symbol(lib, "hipMalloc");
  int (*load)(void **, const char *) = symbol(lib, "hipModuleLoad");
  if (allocate(&block, 4096))
    stop("hipMalloc fails");
  step("start");
  if (load(&module, path))
    stop("hipModuleLoad fails");
  step("load");
}

static void by_ours(void *lib, void *image, size_t size, const char *name) {
  void *(*create)(void) = symbol(lib, "mgpuStreamCreate");
  void (*wait)(void *) = symbol(lib, "mgpuStreamSynchronize");
  void *(*load)(void *, size_t) = symbol(lib, "mgpuModuleLoad");
  void *(*get)(void *, const char *) = symbol(lib, "mgpuModuleGetFunction");
  void (*launch)(void *, intptr_t, intptr_t, intptr_t, intptr_t, intptr_t,
                 intptr_t, int32_t, void *, void **, void **, size_t) =
      symbol(lib, "mgpuLaunchKernel");
  void *(*allocate)(uint64_t, void *, uint8_t) = symbol(lib, "mgpuMemAlloc");
  void *stream = create();
  step("start");
  void *module = load(image, size);
  if (!module)
    stop("mgpuModuleLoad fails");
  step("load");
  void *kernel = get(module, name);
  if (!kernel)
    stop("mgpuModuleGetFunction fails");
  step("look-up");
  static unsigned char arguments[1024];
  void *params[128], *block = allocate(1 << 20, stream, 0);
  for (int i = 0; i < 128; i++)
    params[i] = i >= 3 && i < 7 ? (void *)&block : arguments;
  for (int i = 0; i < 2; i++) {
    launch(kernel, 1, 1, 1, 256, 1, 1, 0, stream, params, NULL, 0);
    wait(stream);
    step(i ? "again" : "launch");
  }
}

int main(int argc, char **argv) {
  int hip = argc == 4 && !strcmp(argv[1], "hip");
  if (!hip && (argc != 5 || strcmp(argv[1], "ours")))
    stop("hip HIP FILE, or ours LIBRARY FILE KERNEL");
  void *lib = dlopen(argv[2], RTLD_NOW);
  if (!lib)
    stop(dlerror());
  struct stat st;
  int f = open(argv[3], O_RDONLY);
  if (f < 0 || fstat(f, &st))
    stop("the file can't be opened");
  void *image = mmap(NULL, st.st_size, PROT_READ, MAP_PRIVATE, f, 0);
  if (image == MAP_FAILED)
    stop("the file can't be mapped");
  step(NULL);
  if (hip)
    by_hip(lib, argv[3]);
  else
    by_ours(lib, image, st.st_size, argv[4]);
}
