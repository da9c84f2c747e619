/* several IMAGE [LOWERED]: what a program with several GPUs does, on at least two NVIDIA
 * GPUs, beside test/library/abi/hosts/peers.c. A free of one device's memory on another
 * waits for the right one; a block that was kept is mapped by another process; one whose
 * device is 1 runs LOWERED, a lowered program as a shared library, and makes no context on
 * device 0. Prints a line for each part, and exits with 1 if anything was wrong. Elsewhere
 * than on NVIDIA GPUs the parts that ask libcuda are left out. */
#define _GNU_SOURCE
#include <mgpu_runtime.h>

#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../../internal/chost/module.h"
#include "../../../../internal/cuda/types.h"

static struct {
  cuda_status (*cuIpcGetMemHandle)(void *, CUdeviceptr);
  cuda_status (*cuIpcCloseMemHandle)(CUdeviceptr);
  cuda_status (*cuDeviceGet)(CUdevice *, int);
  cuda_status (*cuDevicePrimaryCtxRetain)(CUcontext *, CUdevice);
  cuda_status (*cuCtxSetCurrent)(CUcontext);
  cuda_status (*cuInit)(unsigned);
  cuda_status (*cuDevicePrimaryCtxGetState)(CUdevice, unsigned *, int *);
  void *cuIpcOpenMemHandle_v2; /* takes the handle by value */
} cu;

/* The driver's CUipcMemHandle. */
struct handle {
  char bytes[64];
};

static bool open_cuda(void) {
  void *h = dlopen("libcuda.so.1", RTLD_NOW);
  if (h == NULL)
    return false;
#define FIND(name)                                                             \
  if ((*(void **)&cu.name = dlsym(h, #name)) == NULL)                          \
    exit(2);
  FIND(cuIpcGetMemHandle)
  FIND(cuIpcCloseMemHandle)
  FIND(cuDeviceGet)
  FIND(cuDevicePrimaryCtxRetain)
  FIND(cuCtxSetCurrent)
  FIND(cuInit)
  FIND(cuDevicePrimaryCtxGetState)
  FIND(cuIpcOpenMemHandle_v2)
  return true;
}

static void *image;
static void *module;
static int devices;
static bool nvidia;
static int failed;

static void part(const char *what, long done, long wrong) {
  printf("%s: %ld done, %ld wrong\n", what, done, wrong);
  fflush(stdout);
  if (wrong != 0)
    failed = 1;
}

static void fill(void *p, uint32_t value, uint32_t n, void *stream) {
  void *params[] = {&p, &value, &n};
  mgpuLaunchKernel(mgpuModuleGetFunction(module, "fill"), (n + 255) / 256, 1, 1,
                   256, 1, 1, 0, stream, params, NULL, 3);
}

/* Reports whether all words at p, on any device, have the value. */
static bool all(void *p, uint32_t value, uint32_t n) {
  uint32_t *host = malloc(4 * (size_t)n);
  memset(host, 0xa5, 4 * (size_t)n);
  void *stream = mgpuStreamCreate();
  mgpuMemcpy(host, p, 4 * (size_t)n, stream);
  mgpuStreamSynchronize(stream);
  mgpuStreamDestroy(stream);
  uint32_t i = 0;
  while (i < n && host[i] == value)
    i++;
  free(host);
  return i == n;
}

/* A kernel of device owner still has to write a block that is freed while the thread's
 * device is another. Who gets memory meanwhile must not see that. */
static bool free_waits(int owner, int other) {
  enum { n = 1 << 14 };
  uint32_t spins = 1u << 20;
  mgpuSetDefaultDevice(owner);
  void *busy = mgpuStreamCreate(), *second = mgpuStreamCreate();
  uint32_t *words = mgpuMemAlloc(256, NULL, 0);
  mgpuMemset32(words, 0, 64, busy);
  mgpuStreamSynchronize(busy);
  void *flag = words, *reached = words + 32;
  void *p = mgpuMemAlloc(4 * n, busy, 0);
  void *params[] = {&flag, &reached, &spins};
  mgpuLaunchKernel(mgpuModuleGetFunction(module, "spin_until"), 1, 1, 1, 1, 1,
                   1, 0, busy, params, NULL, 3);
  fill(p, 7, n, busy);
  mgpuSetDefaultDevice(other);
  mgpuMemFree(p, NULL);
  mgpuSetDefaultDevice(owner);
  void *q = mgpuMemAlloc(4 * n, second, 0);
  fill(q, 9, n, second);
  mgpuStreamSynchronize(second);
  mgpuMemset32(flag, 1, 1, second);
  mgpuStreamSynchronize(second);
  mgpuStreamSynchronize(busy);
  bool right = all(q, 9, n);
  mgpuMemFree(q, NULL);
  mgpuMemFree(words, NULL);
  mgpuStreamDestroy(busy);
  mgpuStreamDestroy(second);
  return right;
}

/* The devices on which this process has a context, a bit for each. */
static unsigned contexts(void) {
  unsigned found = 0, flags;
  for (int i = 0, active; i < 2; i++) {
    CUdevice d;
    if (cu.cuDeviceGet(&d, i) == cuda_success &&
        cu.cuDevicePrimaryCtxGetState(d, &flags, &active) == cuda_success &&
        active)
      found |= 1u << i;
  }
  return found;
}

/* A rank of device 1: loads modules in constructors, launches, and ends. */
static int second_rank(const char *lowered) {
  setenv("MGPU_DEVICE", "1", 1);
  cu.cuInit(0);
  void *h = dlopen(lowered, RTLD_NOW);
  if (h == NULL)
    printf("%s\n", dlerror());
  int (*run)(void) = h == NULL ? NULL : (int (*)(void))dlsym(h, "main");
  if (run == NULL)
    return 1;
  unsigned before = contexts();
  int wrong = run();
  part(
      "a rank of device 1 makes a context there and nowhere else, at its first "
      "launch",
      1, wrong + (before != 0) + (contexts() != 2));
  return failed;
}

enum { shared_words = 1 << 18 };

static void tell(int fd, const void *p, size_t n) {
  if (write(fd, p, n) != (ssize_t)n)
    exit(3);
}

static void hear(int fd, void *p, size_t n) {
  if (read(fd, p, n) != (ssize_t)n)
    exit(3);
}

static void load(void) {
  devices = mgpuxGetDeviceCount();
  module = nvidia ? mgpuModuleLoadJIT(image, 2, 0) : mgpuModuleLoad(image, 0);
}

/* The other process: maps the block on the given device. */
static int reader(int from, int to) {
  struct handle h;
  int device;
  CUcontext context;
  CUdevice d;
  CUdeviceptr mapped = 0;
  hear(from, &device, sizeof device);
  hear(from, &h, sizeof h);
  load();
  mgpuSetDefaultDevice(device);
  cuda_status (*map)(CUdeviceptr *, struct handle, unsigned) = (cuda_status (*)(
      CUdeviceptr *, struct handle, unsigned))cu.cuIpcOpenMemHandle_v2;
  if (cu.cuDeviceGet(&d, device) != cuda_success ||
      cu.cuDevicePrimaryCtxRetain(&context, d) != cuda_success ||
      cu.cuCtxSetCurrent(context) != cuda_success ||
      map(&mapped, h, 1) != cuda_success)
    return 4;
  void *p = (void *)mapped;
  int wrong = !all(p, 11, shared_words);
  void *stream = mgpuStreamCreate();
  fill(p, 12, shared_words, stream);
  mgpuStreamSynchronize(stream);
  mgpuStreamDestroy(stream);
  tell(to, &wrong, sizeof wrong);
  hear(from, &device, sizeof device); /* the block is in other hands */
  wrong = !all(p, 13, shared_words);
  cu.cuIpcCloseMemHandle(mapped);
  tell(to, &wrong, sizeof wrong);
  return 0;
}

static void share(int device, int to, int from) {
  struct handle h;
  int wrong = 0, theirs;
  mgpuSetDefaultDevice(0);
  void *first = mgpuMemAlloc(4 * shared_words, NULL, 0);
  mgpuMemFree(first, NULL);
  void *p = mgpuMemAlloc(4 * shared_words, NULL, 0),
       *stream = mgpuStreamCreate();
  wrong += p != first; /* it was kept */
  fill(p, 11, shared_words, stream);
  mgpuStreamSynchronize(stream);
  CUcontext context;
  CUdevice d;
  cu.cuDeviceGet(&d, 0);
  cu.cuDevicePrimaryCtxRetain(&context, d);
  cu.cuCtxSetCurrent(context);
  wrong += cu.cuIpcGetMemHandle(&h, (CUdeviceptr)p) != cuda_success;
  tell(to, &device, sizeof device);
  tell(to, &h, sizeof h);
  hear(from, &theirs, sizeof theirs);
  wrong += theirs + !all(p, 12, shared_words);
  mgpuMemFree(p, NULL);
  void *again = mgpuMemAlloc(4 * shared_words, NULL, 0);
  wrong += again != p;
  fill(again, 13, shared_words, stream);
  mgpuStreamSynchronize(stream);
  tell(to, &device, sizeof device);
  hear(from, &theirs, sizeof theirs);
  wrong += theirs;
  mgpuMemFree(again, NULL);
  mgpuStreamDestroy(stream);
  char what[64];
  snprintf(what, sizeof what, "a kept block of device 0 mapped on device %d",
           device);
  part(what, 1, wrong);
}

int main(int argc, char **argv) {
  image = read_module(argc > 1 ? argv[1] : NULL);
  nvidia = open_cuda();
  /* Starts the other processes before this one makes a call. */
  int there[2][2], back[2][2];
  for (int i = 0; i < 2; i++) {
    if (pipe(there[i]) != 0 || pipe(back[i]) != 0)
      return 2;
    if (fork() == 0) {
      close(there[i][1]); /* it ends with its parent */
      if (i == 1)
        close(there[0][1]);
      return nvidia ? reader(there[i][0], back[i][1]) : 0;
    }
  }
  pid_t rank = nvidia && argc > 2 ? fork() : 1;
  if (rank == 0) {
    for (int i = 0; i < 2; i++)
      close(there[i][1]);
    exit(second_rank(argv[2]));
  }
  load();
  if (devices < 2 || module == NULL) {
    printf("%d devices: there have to be two\n", devices);
    return 2;
  }
  long wrong = 0;
  enum { times = 50 };
  for (int i = 0; i < times; i++)
    wrong += !free_waits(i % devices, (i + 1) % devices);
  part("frees on another device than the block's, while a kernel uses it",
       times, wrong);
  for (int i = 0; nvidia && i < 2; i++)
    share(i, there[i][1], back[i][0]);
  for (int status; wait(&status) > 0;)
    failed |= status != 0;
  return failed;
}
