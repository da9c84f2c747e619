/* Costs, counts, and the end of the process. */
#include "host.h"

#include <dlfcn.h>
#include <time.h>

static double microseconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

/* Run with FAKEHIP_COSTS=gfx906,hipMemGetInfo=20,kernel=3000us. */
static void calls_take_their_time(void) {
  double t0 = microseconds();
  hipStream_t s = stream();
  double t1 = microseconds();
  CHECK(t1 - t0 >= 5000);
  struct loaded l = load();
  double t2 = microseconds();
  CHECK(t2 - t1 >= 1500);
  OK(launch(kernel(l, "empty"), 1, 1, s, NULL));
  OK(hipStreamSynchronize(s));
  double t3 = microseconds();
  CHECK(t3 - t2 >= 3000);
  OK(hipMemGetInfo(NULL, NULL));
  double t4 = microseconds();
  CHECK(t4 - t3 >= 20);
  OK(hipStreamDestroy(s));
  CHECK(microseconds() - t4 >= 900);
  CHECK(fakehip_costs(NULL) == 0);
  unload(l);
}

/* Run with FAKEHIP_COUNTS. */
static void calls_are_counted(void) {
  struct loaded l = load();
  hipStream_t s = stream();
  hipFunction_t f = kernel(l, "empty");
  for (int i = 0; i < 7; i++)
    OK(launch(f, 1, 1, s, NULL));
  OK(hipStreamSynchronize(s));
  CHECK(fakehip_count("hipModuleLaunchKernel") == 7 &&
        fakehip_count("kernel") == 7);
  CHECK(fakehip_count("hipMalloc") == 0 && fakehip_count("nonsense") == 0);
  OK(hipStreamDestroy(s));
  unload(l);
}

static hipStream_t left;
static hipError_t (*destroy)(hipStream_t);

__attribute__((destructor)) static void end(void) {
  if (left && destroy(left) != hipSuccess)
    _exit(1);
}

static void in_exit_handler(void) { OK(hipStreamSynchronize(left)); }

/* Calls in the program's exit handlers and destructors still work. */
static void the_program_ends_first(void) {
  left = stream();
  destroy = hipStreamDestroy;
  atexit(in_exit_handler);
}

static void a_status_of_its_own_is_kept(void) {
  (void)stream();
  exit(3);
}

static void an_end_without_handlers_can_report(void) {
  (void)stream();
  CHECK(fakehip_violations(NULL) == 0);
  CHECK(fakehip_report() == 1 && fakehip_violations("leak") == 1 &&
        fakehip_violations("order") == 0);
  _exit(0);
}

/* Run with CODE_OBJECT, for AMD GPUs, which has a kernel called KERNEL. */
static void amd_kernels_do_nothing(void) {
  hipModule_t m;
  hipFunction_t f, none;
  hipStream_t s = stream();
  void *bytes = file(getenv("CODE_OBJECT"));
  OK(hipModuleLoadData(&m, bytes));
  GIVES(hipErrorNotFound, hipModuleGetFunction(&none, m, "nonsense"));
  OK(hipModuleGetFunction(&f, m, getenv("KERNEL")));
  OK(launch(f, 4, 64, s, NULL));
  OK(hipStreamSynchronize(s));
  CHECK(fakehip_count("kernel") == 1);
  OK(hipModuleUnload(m));
  OK(hipStreamDestroy(s));
  free(bytes);
}

/* A bit of each byte of the header, then of the shared object. */
static void images_that_are_none(void) {
  hipModule_t m = (hipModule_t)&m;
  char *bytes = image("other.bundle");
  size_t end =
      24 + 8 + 24 +
      (size_t)
          bytes[24 + 8 + 16]; /* magic, number of entries, an entry, its id */
  GIVES(hipErrorNoBinaryForGpu, hipModuleLoadData(&m, image("wrong.bundle")));
  CHECK(m == NULL);
  for (size_t at = 0; at < end; at++) {
    bytes[at] ^= 1;
    CHECK(hipModuleLoadData(&m, bytes) != hipSuccess && m == NULL);
    bytes[at] ^= 1;
  }
  bytes[20000] ^= 1;
  GIVES(hipErrorInvalidImage, hipModuleLoadData(&m, bytes));
  static char zeros[4096], text[4096] = "no image";
  GIVES(hipErrorInvalidImage, hipModuleLoadData(&m, zeros));
  GIVES(hipErrorInvalidImage, hipModuleLoadData(&m, text));
  GIVES(hipErrorInvalidImage, hipModuleLoadData(&m, (void *)16));
}

static void devices(void) {
  int n = 0, d = -1;
  char name[64];
  OK(hipGetDeviceCount(&n));
  CHECK(n == 3);
  OK(hipSetDevice(2));
  GIVES(hipErrorInvalidDevice, hipSetDevice(3));
  GIVES(hipErrorInvalidDevice, hipSetDevice(-1));
  OK(hipGetDevice(&d));
  CHECK(d == 2);
  OK(hipDeviceGetName(name, sizeof name, 1));
  CHECK(strcmp(name, "fakehip device 1") == 0);
  OK(hipDeviceGetAttribute(&d, hipDeviceAttributeMaxThreadsPerBlock, 0));
  CHECK(d == 1024);
  GIVES(hipErrorInvalidValue, hipDeviceGetAttribute(&d, 4711, 0));
  GIVES(hipErrorInvalidDevice,
        hipDeviceGetAttribute(&d, hipDeviceAttributeMaxThreadsPerBlock, 3));
}

static void no_device(void) {
  int n = -1;
  hipStream_t s;
  GIVES(hipErrorNoDevice, hipInit(0));
  GIVES(hipErrorNoDevice, hipGetDeviceCount(&n));
  CHECK(n == 0);
  GIVES(hipErrorNoDevice, hipStreamCreate(&s));
  GIVES(hipErrorNoDevice, hipMalloc(&(void *){NULL}, 4));
  GIVES(hipErrorNoDevice, hipStreamSynchronize(NULL));
}

MAIN(CASE(calls_take_their_time), CASE(calls_are_counted),
     CASE(the_program_ends_first), CASE(a_status_of_its_own_is_kept),
     CASE(an_end_without_handlers_can_report), CASE(amd_kernels_do_nothing),
     CASE(images_that_are_none), CASE(devices), CASE(no_device))
