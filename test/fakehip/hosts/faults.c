/* Calls that are made to fail: FAKEHIP_FAIL and fakehip_fail. */
#include "host.h"

static void rules(const char *text) { CHECK(fakehip_fail(text) == 0); }

static void the_nth_call_alone(void) {
  hipStream_t a, b, untouched = (hipStream_t)&a;
  rules("hipStreamCreate:2");
  b = untouched;
  OK(hipStreamCreate(&a));
  GIVES(hipErrorOutOfMemory, hipStreamCreate(&b));
  CHECK(b == untouched && fakehip_live("stream") == 1);
  OK(hipStreamCreate(&b));
  CHECK(fakehip_count("hipStreamCreate") == 3);
  OK(hipStreamDestroy(a));
  OK(hipStreamDestroy(b));
}

static void from_the_nth_on_with_an_error(void) {
  void *p;
  rules("hipMalloc:2+:hipErrorUnknown,hipEventQuery:1:700");
  p = words(1);
  for (int i = 0; i < 3; i++)
    GIVES(hipErrorUnknown, hipMalloc(&(void *){NULL}, 4));
  hipEvent_t e = event();
  GIVES(hipErrorIllegalAddress, hipEventQuery(e));
  OK(hipEventQuery(e));
  rules(NULL);
  OK(hipFree(p));
  OK(hipEventDestroy(e));
}

static void a_device_is_lost(void) {
  hipStream_t s = stream();
  void *p = words(1);
  rules("*:3+:hipErrorLaunchFailure");
  OK(hipStreamQuery(s));
  OK(hipStreamSynchronize(s));
  GIVES(hipErrorLaunchFailure, hipStreamSynchronize(s));
  GIVES(hipErrorLaunchFailure, hipStreamDestroy(s));
  GIVES(hipErrorLaunchFailure, hipFree(p));
  CHECK(strcmp(hipGetErrorName(hipErrorLaunchFailure),
               "hipErrorLaunchFailure") == 0);
}

static void a_kernel_fails_later(void) {
  struct loaded l = load();
  hipStream_t s = stream(), other = stream();
  hipEvent_t before = event(), after = event();
  uint32_t n = 64, *p = words(n);
  rules("kernel:2");
  fill(l, p, 1, n, s);
  OK(hipEventRecord(before, s));
  fill(l, p, 2, n, s);
  OK(hipEventRecord(after, s));
  OK(hipEventSynchronize(before));
  GIVES(hipErrorLaunchFailure, hipEventSynchronize(after));
  OK(hipStreamSynchronize(other));
  GIVES(hipErrorLaunchFailure, hipStreamQuery(s));
  GIVES(hipErrorLaunchFailure, hipStreamSynchronize(s));
  OK(hipStreamSynchronize(s));
  OK(hipEventSynchronize(after));
  CHECK(peek(p) == 1);
  fill(l, p, 3, n, s);
  OK(hipStreamSynchronize(s));
  CHECK(peek(p) == 3);
  OK(hipFree(p));
  OK(hipEventDestroy(before));
  OK(hipEventDestroy(after));
  OK(hipStreamDestroy(s));
  OK(hipStreamDestroy(other));
  unload(l);
}

static void copies_and_fills_fail_later(void) {
  hipStream_t s = stream();
  uint32_t v = 0, *p = words(1);
  rules("copy:1:hipErrorUnknown,fill:1");
  OK(hipMemcpyAsync(p, &v, 4, hipMemcpyDefault, s));
  GIVES(hipErrorUnknown, hipStreamSynchronize(s));
  OK(hipMemsetD32Async(p, 0, 1, s));
  GIVES(hipErrorLaunchFailure, hipDeviceSynchronize());
  OK(hipDeviceSynchronize());
  OK(hipFree(p));
  OK(hipStreamDestroy(s));
}

/* Run with FAKEHIP_STICKY=1. */
static void a_failed_kernel_sticks(void) {
  struct loaded l = load();
  hipStream_t s = stream();
  rules("kernel:1");
  OK(launch(kernel(l, "empty"), 1, 1, s, NULL));
  GIVES(hipErrorLaunchFailure, hipStreamSynchronize(s));
  GIVES(hipErrorLaunchFailure, hipStreamSynchronize(s));
  GIVES(hipErrorLaunchFailure, hipMalloc(&(void *){NULL}, 4));
  GIVES(hipErrorLaunchFailure, hipGetLastError());
  rules("");
  OK(hipStreamDestroy(s));
  unload(l);
}

static void last_error_is_kept_until_asked(void) {
  hipStream_t s = stream();
  rules("hipStreamQuery:1:hipErrorInvalidHandle,hipStreamQuery:3:"
        "hipErrorNotReady");
  GIVES(hipErrorInvalidHandle, hipStreamQuery(s));
  OK(hipStreamQuery(s));
  GIVES(hipErrorNotReady, hipStreamQuery(s)); /* an answer */
  GIVES(hipErrorInvalidHandle, hipPeekAtLastError());
  GIVES(hipErrorInvalidHandle, hipGetLastError());
  OK(hipGetLastError());
  OK(hipStreamDestroy(s));
}

static void what_could_not_be_destroyed_is_no_leak(void) {
  static char host[4096];
  struct loaded l = load();
  hipStream_t s = stream();
  hipEvent_t e = event();
  void *p = words(1);
  OK(hipHostRegister(host, sizeof host, 0));
  rules("hipStreamDestroy:1,hipEventDestroy:1,hipModuleUnload:1,hipFree:1,"
        "hipHostUnregister:1");
  GIVES(hipErrorUnknown, hipStreamDestroy(s));
  GIVES(hipErrorUnknown, hipEventDestroy(e));
  GIVES(hipErrorUnknown, hipModuleUnload(l.module));
  GIVES(hipErrorUnknown, hipFree(p));
  GIVES(hipErrorUnknown, hipHostUnregister(host));
  CHECK(fakehip_live("stream") == 1 && fakehip_live("event") == 1 &&
        fakehip_live("module") == 1);
  CHECK(fakehip_live("memory") == 1 && fakehip_live("registration") == 1);
}

static void bad_rules_change_nothing(void) {
  rules("hipStreamCreate:1");
  static const char *const bad[] = {"hipStreamCreate",
                                    "hipStreamCreate:",
                                    "hipStreamCreate:0",
                                    "hipStreamCreate:x",
                                    "nonsense:1",
                                    "hipStreamCreate:1:hipErrorNonsense",
                                    "hipStreamCreate:1x",
                                    "hipStreamCreate:1:",
                                    "hipGetErrorName:1",
                                    ":1",
                                    ","};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
    CHECK(fakehip_fail(bad[i]) == -1);
  static const char *const bad_costs[] = {
      "hipMalloc", "hipMalloc=",    "hipMalloc=-1",  "nonsense=1",
      "gfx1",      "hipMalloc=1ms", "hipMalloc=1e12"};
  for (size_t i = 0; i < sizeof bad_costs / sizeof *bad_costs; i++)
    CHECK(fakehip_costs(bad_costs[i]) == -1);
  hipStream_t s;
  GIVES(hipErrorOutOfMemory, hipStreamCreate(&s));
}

/* Run with FAKEHIP_FAIL=hipStreamCreate:1,hipMalloc:2. */
static void from_the_environment(void) {
  hipStream_t s;
  GIVES(hipErrorOutOfMemory, hipStreamCreate(&s));
  void *p = words(1);
  GIVES(hipErrorOutOfMemory, hipMalloc(&p, 4));
}

MAIN(CASE(the_nth_call_alone), CASE(from_the_nth_on_with_an_error),
     CASE(a_device_is_lost), CASE(a_kernel_fails_later),
     CASE(copies_and_fills_fail_later), CASE(a_failed_kernel_sticks),
     CASE(last_error_is_kept_until_asked),
     CASE(what_could_not_be_destroyed_is_no_leak),
     CASE(bad_rules_change_nothing), CASE(from_the_environment))
