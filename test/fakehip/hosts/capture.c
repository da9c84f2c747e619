/* Streams that the program captures, and the reset of a device. */
#include "host.h"

static uint32_t first(const void *p) {
  uint32_t v = 0;
  OK(hipMemcpyAsync(&v, p, 4, hipMemcpyDeviceToHost, NULL));
  OK(hipStreamSynchronize(NULL));
  return v;
}

static hipStreamCaptureStatus status(hipStream_t s) {
  hipStreamCaptureStatus is;
  OK(hipStreamIsCapturing(s, &is));
  return is;
}

static void what_is_captured_is_done_by_the_graph(void) {
  struct loaded l = load();
  hipStream_t s = stream(), other = stream();
  uint32_t *p = words(4), *q = words(4);
  hipGraph_t g, none;
  hipGraphExec_t x;
  OK(hipMemsetD32Async(p, 1, 4, s));
  OK(hipStreamSynchronize(s));
  OK(hipStreamBeginCapture(s, hipStreamCaptureModeRelaxed));
  CHECK(status(s) == hipStreamCaptureStatusActive &&
        status(other) == hipStreamCaptureStatusNone);
  GIVES(hipErrorIllegalState,
        hipStreamBeginCapture(s, hipStreamCaptureModeRelaxed));
  fill(l, p, 7, 4, s);
  OK(hipMemcpyAsync(q, p, 16, hipMemcpyDeviceToDevice, s));
  OK(hipMemsetD32Async(p, 9, 2, s));
  OK(hipStreamEndCapture(s, &g));
  CHECK(status(s) == hipStreamCaptureStatusNone && first(p) == 1);
  OK(hipGraphInstantiateWithFlags(&x, g, 0));
  OK(hipGraphLaunch(x, other));
  OK(hipStreamSynchronize(other));
  CHECK(first(p) == 9 && first(p + 2) == 7 && first(q) == 7);
  GIVES(hipErrorIllegalState, hipStreamEndCapture(s, &none));
  OK(hipGraphExecDestroy(x));
  OK(hipGraphDestroy(g));
  OK(hipStreamDestroy(s));
  OK(hipStreamDestroy(other));
  OK(hipFree(p));
  OK(hipFree(q));
  unload(l);
}

static void waits_spoil_a_capture(void) {
  hipStream_t s = stream();
  hipEvent_t e = event();
  hipGraph_t g;
  uint32_t *p = words(4);
  for (int i = 0; i < 4; i++) {
    OK(hipStreamBeginCapture(s, hipStreamCaptureModeRelaxed));
    if (i == 0)
      GIVES(hipErrorStreamCaptureUnsupported, hipStreamSynchronize(s));
    else if (i == 1)
      GIVES(hipErrorStreamCaptureUnsupported, hipStreamQuery(s));
    else if (i == 2)
      GIVES(hipErrorStreamCaptureUnsupported, hipEventRecord(e, s));
    else
      GIVES(hipErrorStreamCaptureImplicit, hipStreamSynchronize(NULL));
    CHECK(status(s) == hipStreamCaptureStatusInvalidated);
    GIVES(hipErrorStreamCaptureInvalidated, hipMemsetD32Async(p, 1, 4, s));
    GIVES(hipErrorStreamCaptureInvalidated, hipStreamEndCapture(s, &g));
    CHECK(g == NULL);
  }
  OK(hipFree(p));
  OK(hipEventDestroy(e));
  OK(hipStreamDestroy(s));
}

static void modes_forbid_calls(void) {
  hipStream_t s = stream();
  hipGraph_t g;
  void *p;
  hipStreamCaptureMode relaxed = hipStreamCaptureModeRelaxed;
  OK(hipStreamBeginCapture(s, hipStreamCaptureModeGlobal));
  OK(hipThreadExchangeStreamCaptureMode(&relaxed));
  OK(hipMalloc(&p, 16));
  OK(hipFree(p));
  CHECK(status(s) == hipStreamCaptureStatusActive);
  OK(hipThreadExchangeStreamCaptureMode(&relaxed));
  GIVES(hipErrorStreamCaptureUnsupported, hipMalloc(&p, 16));
  GIVES(hipErrorStreamCaptureInvalidated, hipStreamEndCapture(s, &g));
  OK(hipStreamDestroy(s));
}

static void a_stream_that_is_destroyed_ends_its_capture(void) {
  hipStream_t s = stream();
  OK(hipStreamBeginCapture(s, hipStreamCaptureModeGlobal));
  OK(hipStreamDestroy(s));
  void *p = words(1);
  OK(hipFree(p));
}

/* Run with FAKEHIP_IGNORE=handle: later calls use destroyed handles. */
static void a_reset_destroys_everything(void) {
  struct loaded l = load();
  hipStream_t s = stream();
  hipEvent_t e = event();
  void *p = words(4);
  fill(l, p, 1, 4, s);
  OK(hipDeviceReset());
  GIVES(hipErrorInvalidHandle, hipStreamSynchronize(s));
  GIVES(hipErrorInvalidHandle, hipEventQuery(e));
  GIVES(hipErrorInvalidHandle, hipModuleUnload(l.module));
  CHECK(fakehip_live("memory") == 0 && fakehip_live("module") == 0);
  free(l.image);
  l = load();
  p = words(4);
  fill(l, p, 5, 4, NULL);
  CHECK(first(p) == 5);
  OK(hipFree(p));
  unload(l);
}

MAIN(CASE(what_is_captured_is_done_by_the_graph), CASE(waits_spoil_a_capture),
     CASE(modes_forbid_calls),
     CASE(a_stream_that_is_destroyed_ends_its_capture),
     CASE(a_reset_destroys_everything))
