#include "host.h"

static void never_recorded_is_done(void) {
  hipEvent_t e = event();
  hipStream_t s = stream();
  OK(hipEventQuery(e));
  OK(hipEventSynchronize(e));
  OK(hipStreamWaitEvent(s, e, 0));
  OK(hipStreamSynchronize(s));
  OK(hipEventDestroy(e));
  OK(hipStreamDestroy(s));
}

static void done_with_what_was_recorded(void) {
  struct loaded l = load();
  hipStream_t s = stream();
  hipEvent_t before = event(), after = event();
  OK(hipEventRecord(before, s));
  struct held h = hold(l, s);
  OK(hipEventRecord(after, s));
  OK(hipEventSynchronize(before));
  GIVES(hipErrorNotReady, hipEventQuery(after));
  let_go(h);
  OK(hipEventSynchronize(after));
  OK(hipEventQuery(after));
  release(h);
  OK(hipEventDestroy(before));
  OK(hipEventDestroy(after));
  OK(hipStreamDestroy(s));
  unload(l);
}

static void orders_streams(void) {
  struct loaded l = load();
  hipStream_t a = stream(), b = stream();
  hipEvent_t e = event();
  uint32_t n = 64, *p = words(n);
  struct held h = hold(l, a);
  fill(l, p, 5, n, a);
  OK(hipEventRecord(e, a));
  OK(hipStreamWaitEvent(b, e, 0));
  OK(hipEventDestroy(e));
  OK(launch(kernel(l, "step"), 1, 64, b, PARAMS(&p, &n)));
  GIVES(hipErrorNotReady, hipStreamQuery(b));
  let_go(h);
  OK(hipStreamSynchronize(b));
  CHECK(peek(p) == 16);
  release(h);
  OK(hipFree(p));
  OK(hipStreamDestroy(a));
  OK(hipStreamDestroy(b));
  unload(l);
}

static void wait_is_for_the_record_before(void) {
  struct loaded l = load();
  hipStream_t a = stream(), b = stream(), waits = stream();
  hipEvent_t e = event();
  OK(hipEventRecord(e, a));
  OK(hipStreamWaitEvent(waits, e, 0));
  struct held h = hold(l, b);
  OK(hipEventRecord(e, b));
  OK(hipStreamSynchronize(waits));
  GIVES(hipErrorNotReady, hipEventQuery(e));
  release(h);
  OK(hipEventQuery(e));
  OK(hipEventDestroy(e));
  OK(hipStreamDestroy(a));
  OK(hipStreamDestroy(b));
  OK(hipStreamDestroy(waits));
  unload(l);
}

static void on_the_null_stream_means_all(void) {
  struct loaded l = load();
  hipStream_t s = stream(), later = stream();
  hipEvent_t e = event();
  struct held h = hold(l, s);
  OK(hipEventRecord(e, NULL));
  GIVES(hipErrorNotReady, hipEventQuery(e));
  uint32_t *p = words(1);
  OK(hipMemsetD32Async(p, 1, 1,
                       later)); /* a record on the null stream is work of it */
  GIVES(hipErrorNotReady, hipStreamQuery(later));
  release(h);
  OK(hipEventSynchronize(e));
  OK(hipStreamSynchronize(later));
  OK(hipFree(p));
  OK(hipEventDestroy(e));
  OK(hipStreamDestroy(s));
  OK(hipStreamDestroy(later));
  unload(l);
}

static void outlives_its_stream(void) {
  struct loaded l = load();
  hipStream_t s = stream();
  hipEvent_t e = event();
  struct held h = hold(l, s);
  OK(hipEventRecord(e, s));
  release(h);
  OK(hipStreamDestroy(s));
  OK(hipEventQuery(e));
  OK(hipEventSynchronize(e));
  OK(hipEventDestroy(e));
  unload(l);
}

static void streams_of_devices_wait(void) {
  struct loaded l = load();
  hipStream_t a = stream();
  hipEvent_t e = event();
  struct held h = hold(l, a);
  OK(hipEventRecord(e, a));
  OK(hipSetDevice(1));
  hipStream_t b = stream();
  OK(hipStreamWaitEvent(b, e, 0));
  GIVES(hipErrorNotReady, hipStreamQuery(b));
  OK(hipSetDevice(0));
  release(h);
  OK(hipStreamSynchronize(b));
  OK(hipEventDestroy(e));
  OK(hipStreamDestroy(a));
  OK(hipStreamDestroy(b));
  unload(l);
}

MAIN(CASE(never_recorded_is_done), CASE(done_with_what_was_recorded),
     CASE(orders_streams), CASE(wait_is_for_the_record_before),
     CASE(on_the_null_stream_means_all), CASE(outlives_its_stream),
     CASE(streams_of_devices_wait))
