#include "host.h"

static void work_is_done_in_order(void) {
  struct loaded l = load();
  hipStream_t s = stream();
  uint32_t n = 100, want = 1, *p = words(n);
  fill(l, p, 1, n, s);
  for (int i = 0; i < 50; i++, want = 3 * want + 1)
    OK(launch(kernel(l, "step"), 2, 64, s, PARAMS(&p, &n)));
  OK(hipStreamSynchronize(s));
  CHECK(peek(p) == want && peek(p + 99) == want);
  OK(hipFree(p));
  OK(hipStreamDestroy(s));
  unload(l);
}

static void two_are_concurrent(void) {
  struct loaded l = load();
  hipStream_t a = stream(), b = stream();
  uint32_t rounds = 1u << 30, *w[4];
  for (int i = 0; i < 4; i++) {
    w[i] = words(1);
    OK(hipMemsetD32Async(w[i], 0, 1, NULL));
  }
  OK(launch(kernel(l, "meet"), 1, 1, a, PARAMS(&w[0], &w[1], &w[2], &rounds)));
  OK(launch(kernel(l, "meet"), 1, 1, b, PARAMS(&w[1], &w[0], &w[3], &rounds)));
  OK(hipStreamSynchronize(a));
  OK(hipStreamSynchronize(b));
  CHECK(peek(w[2]) == 2 && peek(w[3]) == 2);
  for (int i = 0; i < 4; i++)
    OK(hipFree(w[i]));
  OK(hipStreamDestroy(a));
  OK(hipStreamDestroy(b));
  unload(l);
}

static void null_stream_waits_for_others(void) {
  struct loaded l = load();
  hipStream_t s = stream();
  uint32_t *p = words(1);
  OK(hipMemsetD32Async(p, 1, 1, NULL));
  OK(hipStreamSynchronize(NULL));
  struct held h = hold(l, s);
  OK(hipMemsetD32Async(p, 2, 1, NULL));
  GIVES(hipErrorNotReady, hipStreamQuery(NULL));
  CHECK(peek(p) == 1);
  let_go(h);
  OK(hipStreamSynchronize(NULL));
  CHECK(peek(p) == 2);
  OK(hipStreamQuery(s));
  release(h);
  OK(hipFree(p));
  OK(hipStreamDestroy(s));
  unload(l);
}

static void others_wait_for_null_stream(void) {
  struct loaded l = load();
  hipStream_t s = stream(), free_one;
  OK(hipStreamCreateWithFlags(&free_one, hipStreamNonBlocking));
  uint32_t *p = words(1), *q = words(1);
  OK(hipMemsetD32Async(p, 1, 1, free_one));
  OK(hipStreamSynchronize(free_one));
  struct held h = hold(l, NULL);
  OK(hipMemsetD32Async(p, 2, 1, s));
  OK(hipMemsetD32Async(q, 3, 1, free_one));
  OK(hipStreamSynchronize(free_one));
  CHECK(peek(q) == 3 && peek(p) == 1);
  GIVES(hipErrorNotReady, hipStreamQuery(s));
  let_go(h);
  OK(hipStreamSynchronize(s));
  CHECK(peek(p) == 2);
  release(h);
  OK(hipFree(p));
  OK(hipFree(q));
  OK(hipStreamDestroy(s));
  OK(hipStreamDestroy(free_one));
  unload(l);
}

static void null_streams_of_devices_are_apart(void) {
  struct loaded l = load();
  struct held h = hold(l, NULL);
  OK(hipSetDevice(1));
  uint32_t *p = words(1);
  OK(hipMemsetD32Async(p, 7, 1, NULL));
  OK(hipStreamSynchronize(NULL));
  OK(hipFree(p));
  OK(hipDeviceSynchronize());
  OK(hipSetDevice(0));
  release(h);
  unload(l);
}

static void destroy_waits_for_work(void) {
  struct loaded l = load();
  hipStream_t s = stream();
  uint32_t n = 64, *p = words(n);
  for (uint32_t i = 1; i <= 200; i++)
    fill(l, p, i, n, s);
  OK(hipStreamDestroy(s));
  CHECK(peek(p) == 200);
  OK(hipFree(p));
  unload(l);
}

static void device_synchronize_waits_for_all(void) {
  struct loaded l = load();
  hipStream_t s;
  OK(hipStreamCreateWithFlags(&s, hipStreamNonBlocking));
  uint32_t n = 64, *p = words(n);
  for (uint32_t i = 1; i <= 200; i++)
    fill(l, p, i, n, s);
  OK(hipDeviceSynchronize());
  OK(hipStreamQuery(s));
  CHECK(peek(p) == 200);
  OK(hipFree(p));
  OK(hipStreamDestroy(s));
  unload(l);
}

static void module_may_go_before_its_work(void) {
  struct loaded l = load();
  hipStream_t s = stream();
  struct held h = hold(l, s);
  uint32_t n = 64, *p = words(n);
  fill(l, p, 9, n, s);
  unload(l);
  CHECK(fakehip_live("module") == 0);
  release(h);
  CHECK(peek(p) == 9);
  OK(hipFree(p));
  OK(hipStreamDestroy(s));
}

static void packed_arguments_arrive(void) {
  struct loaded l = load();
  hipStream_t s = stream();
  uint64_t *out = words(12), got[6];
  struct {
    uint8_t a;
    uint16_t b;
    uint32_t c;
    uint64_t d;
    float e;
    double f;
    void *out;
  } all = {0x81, 0x8765, 0x89abcdef, 0x8123456789abcdef, 1.5f, -2.5, out};
  size_t size = sizeof all;
  void *extra[] = {HIP_LAUNCH_PARAM_BUFFER_POINTER, &all,
                   HIP_LAUNCH_PARAM_BUFFER_SIZE, &size, HIP_LAUNCH_PARAM_END};
  OK(hipModuleLaunchKernel(kernel(l, "scalars"), 1, 1, 1, 1, 1, 1, 0, s, NULL,
                           extra));
  OK(hipMemcpyAsync(got, out, sizeof got, hipMemcpyDefault, s));
  OK(hipStreamSynchronize(s));
  CHECK(got[0] == 0x81 && got[1] == 0x8765 && got[2] == 0x89abcdef &&
        got[3] == 0x8123456789abcdef);
  CHECK(memcmp(&got[4], &all.e, 4) == 0 && memcmp(&got[5], &all.f, 8) == 0);
  OK(hipFree(out));
  OK(hipStreamDestroy(s));
  unload(l);
}

static void workgroups_of_a_cooperative_launch_meet(void) {
  struct loaded l = load();
  hipStream_t s = stream();
  uint32_t rounds = 1u << 30, *count = words(1), *out = words(24), got[24];
  OK(hipMemsetD32Async(count, 0, 1, s));
  OK(hipModuleLaunchCooperativeKernel(kernel(l, "gather"), 4, 3, 2, 64, 1, 1,
                                      256, s, PARAMS(&count, &out, &rounds)));
  OK(hipMemcpyAsync(got, out, sizeof got, hipMemcpyDefault, s));
  OK(hipStreamSynchronize(s));
  for (int i = 0; i < 24; i++)
    CHECK(got[i] == 2);
  GIVES(hipErrorCooperativeLaunchTooLarge,
        hipModuleLaunchCooperativeKernel(kernel(l, "gather"), 65, 1, 1, 1, 1, 1,
                                         0, s, PARAMS(&count, &out, &rounds)));
  OK(hipFree(count));
  OK(hipFree(out));
  OK(hipStreamDestroy(s));
  unload(l);
}

MAIN(CASE(work_is_done_in_order), CASE(two_are_concurrent),
     CASE(null_stream_waits_for_others), CASE(others_wait_for_null_stream),
     CASE(null_streams_of_devices_are_apart), CASE(destroy_waits_for_work),
     CASE(device_synchronize_waits_for_all),
     CASE(module_may_go_before_its_work), CASE(packed_arguments_arrive),
     CASE(workgroups_of_a_cooperative_launch_meet))
