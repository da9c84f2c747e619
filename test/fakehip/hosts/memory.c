#include "host.h"

#include <sys/mman.h>

static void copies_go_every_way(void) {
  hipStream_t s = stream();
  for (size_t n = 1; n < 1 << 20; n = 3 * n + 1) {
    char *out = malloc(n), *in = malloc(n), *a, *b;
    for (size_t i = 0; i < n; i++)
      out[i] = (char)(i * 7 + n);
    OK(hipMalloc((void **)&a, n));
    OK(hipMalloc((void **)&b, n));
    OK(hipMemcpyAsync(a, out, n, hipMemcpyHostToDevice, s));
    memset(out, 0, n); /* pageable memory is the program's again */
    OK(hipMemcpyAsync(b, a, n, hipMemcpyDeviceToDevice, s));
    OK(hipMemcpyAsync(in, b, n, hipMemcpyDeviceToHost, s));
    OK(hipStreamSynchronize(s));
    for (size_t i = 0; i < n; i++)
      CHECK(in[i] == (char)(i * 7 + n));
    OK(hipFree(a));
    OK(hipFree(b));
    free(in);
    free(out);
  }
  OK(hipStreamDestroy(s));
}

static void copies_to_the_host_do_not_block(void) {
  struct loaded l = load();
  hipStream_t s = stream();
  uint32_t *p = words(1), got = 0;
  OK(hipMemsetD32Async(p, 7, 1, s));
  struct held h = hold(l, s);
  OK(hipMemcpyAsync(&got, p, 4, hipMemcpyDefault, s));
  release(h);
  CHECK(got == 7);
  OK(hipFree(p));
  OK(hipStreamDestroy(s));
  unload(l);
}

static void runs_out(void) {
  size_t left, total;
  void *p, *q = &left;
  OK(hipMemGetInfo(&left, &total));
  CHECK(left == total && total == 1 << 20);
  OK(hipMalloc(&p, total / 2 + 1));
  GIVES(hipErrorOutOfMemory, hipMalloc(&q, total / 2));
  CHECK(q == NULL);
  OK(hipMemGetInfo(&left, &total));
  CHECK(left == total / 2 - 4096);
  OK(hipFree(p));
  OK(hipMalloc(&p, total));
  OK(hipFree(p));
  GIVES(hipErrorOutOfMemory, hipMalloc(&p, (size_t)-1));
  OK(hipMalloc(&p, 0));
  CHECK(p == NULL);
  OK(hipFree(NULL));
}

static void addresses_do_not_come_again(void) {
  void *before = NULL, *p;
  for (int i = 0; i < 10000; i++, before = p) {
    OK(hipMalloc(&p, 4096));
    CHECK(p != before);
    OK(hipFree(p));
  }
}

static void host_reaches_what_it_should(void) {
  struct loaded l = load();
  hipStream_t s = stream();
  uint32_t *managed, *pinned, *device, n = 64;
  OK(hipMallocManaged((void **)&managed, 4096, hipMemAttachGlobal));
  OK(hipHostMalloc((void **)&pinned, 4096, 0));
  uint32_t *own = mmap(NULL, 4096, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  CHECK(own != MAP_FAILED);
  OK(hipHostRegister(own, 4096, 0));
  uint32_t *all[] = {managed, pinned, own};
  for (int i = 0; i < 3; i++) {
    all[i][63] = 5;
    OK(hipHostGetDevicePointer((void **)&device, all[i], 0));
    OK(launch(kernel(l, "step"), 1, 64, s, PARAMS(&device, &n)));
    OK(hipStreamSynchronize(s));
    CHECK(all[i][63] == 16);
  }
  OK(hipHostUnregister(own));
  GIVES(hipErrorInvalidValue,
        hipHostGetDevicePointer((void **)&device, own, 0));
  munmap(own, 4096);
  OK(hipFree(managed));
  OK(hipHostFree(pinned));
  OK(hipStreamDestroy(s));
  unload(l);
}

static void host_can_not_touch_a_device(void) {
  volatile uint32_t *p = words(1);
  *p = 1;
}

static void free_waits_for_the_device(void) {
  struct loaded l = load();
  hipStream_t s = stream();
  uint32_t n = 64, *p = words(n), *other = words(1);
  for (uint32_t i = 1; i <= 200; i++)
    fill(l, p, i, n, s);
  OK(hipFree(other));
  OK(hipStreamQuery(s));
  CHECK(peek(p) == 200);
  OK(hipFree(p));
  OK(hipStreamDestroy(s));
  unload(l);
}

static void fills_count_elements(void) {
  uint32_t *p = words(4), got[4];
  hipStream_t s = stream();
  OK(hipMemsetD32Async(p, -1, 4, s));
  OK(hipMemsetD32Async(p, 0x12345678, 2, s));
  OK(hipMemsetD16Async(p, 0xabcd, 3, s));
  OK(hipMemcpyAsync(got, p, sizeof got, hipMemcpyDefault, s));
  OK(hipStreamSynchronize(s));
  CHECK(got[0] == 0xabcdabcd && got[1] == 0x1234abcd && got[2] == 0xffffffff &&
        got[3] == 0xffffffff);
  OK(hipFree(p));
  OK(hipStreamDestroy(s));
}

MAIN(CASE(copies_go_every_way), CASE(copies_to_the_host_do_not_block),
     CASE(runs_out), CASE(addresses_do_not_come_again),
     CASE(host_reaches_what_it_should), CASE(host_can_not_touch_a_device),
     CASE(free_waits_for_the_device), CASE(fills_count_elements))
