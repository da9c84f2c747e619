/* Copies between the device and pageable memory, after kernels that take a while. Data from the
 * device has arrived after each of the ways to wait for it. Uploads have read their source when
 * the call returns. */
#include <mgpu_runtime.h>

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../internal/chost/module.h"

static void *fill;
static uint32_t value; /* what the kernel fills with: another one each time */

struct buffer {
  size_t n; /* words */
  uint32_t *device, *host;
};

static struct buffer make(size_t n) {
  return (struct buffer){n, mgpuMemAlloc(4 * n, NULL, 0), malloc(4 * n)};
}

static void end(struct buffer b) {
  mgpuMemFree(b.device, NULL);
  free(b.host);
}

static void launch(struct buffer b, void *s) {
  uint32_t n = (uint32_t)b.n;
  value++;
  memset(b.host, 0, 4 * b.n);
  mgpuLaunchKernel(fill, (n + 63) / 64, 1, 1, 64, 1, 1, 0, s,
                   (void *[]){&b.device, &value, &n}, NULL, 3);
}

static void download(struct buffer b, void *s) {
  launch(b, s);
  mgpuMemcpy(b.host, b.device, 4 * b.n, s);
}

static void holds(const char *what, const uint32_t *host, size_t n,
                  uint32_t wanted) {
  for (size_t i = 0; i < n; i++)
    if (host[i] != wanted) {
      fprintf(stderr, "%s: word %zu of %zu is %u, not %u\n", what, i, n,
              host[i], wanted);
      exit(1);
    }
}

static void wait_for_its_stream(struct buffer b, void *s, void *t) {
  (void)t;
  download(b, s);
  mgpuStreamSynchronize(s);
}

static void wait_for_an_event(struct buffer b, void *s, void *t) {
  (void)t;
  void *e = mgpuEventCreate();
  download(b, s);
  mgpuEventRecord(e, s);
  mgpuEventSynchronize(e);
  mgpuEventDestroy(e);
}

static void wait_for_a_stream_after_it(struct buffer b, void *s, void *t) {
  void *e = mgpuEventCreate();
  download(b, s);
  mgpuEventRecord(e, s);
  mgpuStreamWaitEvent(t, e);
  mgpuEventDestroy(e);
  mgpuStreamSynchronize(t);
}

static void wait_for_a_later_copy_from_there(struct buffer b, void *s,
                                             void *t) {
  (void)t;
  uint32_t word = 0;
  download(b, s);
  mgpuMemcpy(b.device, b.host + b.n - 1, 4, s); /* which takes it along now */
  mgpuMemcpy(&word, b.device, 4, s);
  mgpuStreamSynchronize(s);
}

static void wait_for_a_later_copy_to_there(struct buffer b, void *s, void *t) {
  struct buffer c = make(b.n);
  download(b, s);
  mgpuStreamSynchronize(s); /* the driver may make both at once */
  launch(c, t);
  mgpuMemcpy(b.host, c.device, 4 * b.n, t);
  mgpuStreamSynchronize(t);
  end(c);
}

/* Calls a function of HIP directly, without the library's knowledge. */
static void hip(const char *name, void *address, size_t bytes) {
  void *library = dlopen(getenv("MGPU_HIP_LIBRARY"), RTLD_NOW | RTLD_NOLOAD);
  int (*call)(void *, size_t, unsigned) =
      (int (*)(void *, size_t, unsigned))dlsym(library, name);
  if (call == NULL || call(address, bytes, 0) != 0) {
    fprintf(stderr, "%s fails\n", name);
    exit(1);
  }
}

/* Of any block: the driver's own free waits for the device. The memory is page-locked by
 * HIP alone, so that the copy is under way when its call returns. */
static void wait_for_a_free(struct buffer b, void *s, void *t) {
  (void)t;
  void *p = mgpuMemAlloc(64, s, 0);
  hip("hipHostRegister", b.host, 4 * b.n);
  download(b, s);
  mgpuMemFree(p, s);
  holds("a free", b.host, b.n, value);
  hip("hipHostUnregister", b.host, 0);
}

static const struct way {
  const char *name;
  void (*run)(struct buffer, void *s, void *t);
} ways[] = {
    {"its stream", wait_for_its_stream},
    {"an event", wait_for_an_event},
    {"a stream after it", wait_for_a_stream_after_it},
    {"a free", wait_for_a_free},
    {"a later copy from there", wait_for_a_later_copy_from_there},
    {"a later copy to there", wait_for_a_later_copy_to_there},
};

static void upload(struct buffer b, void *s) {
  value++;
  for (size_t i = 0; i < b.n; i++)
    b.host[i] = value;
  mgpuMemcpy(b.device, b.host, 4 * b.n, s);
  memset(b.host, 0xee, 4 * b.n);
  mgpuMemcpy(b.host, b.device, 4 * b.n, s);
  mgpuStreamSynchronize(s);
  holds("an upload", b.host, b.n, value);
}

int main(int argc, char **argv) {
  if (argc != 2)
    return 3;
  fill = mgpuModuleGetFunction(mgpuModuleLoad(read_module(argv[1]), 0), "fill");
  void *s = mgpuStreamCreate(), *t = mgpuStreamCreate();
  static const size_t words[] = {1, 1000, 1025, 16384, 300000, 1500000};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    for (int round = 0; round < 12; round++) {
      struct buffer b = make(words[i]);
      for (size_t k = 0; k < sizeof ways / sizeof *ways; k++) {
        ways[k].run(b, s, t);
        holds(ways[k].name, b.host, b.n, value);
        mgpuStreamSynchronize(s);
        mgpuStreamSynchronize(t);
      }
      upload(b, s);
      end(b);
    }
  return 0;
}
