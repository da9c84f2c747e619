/* Threads that make all kinds of calls at once, for the sanitizers. */
#include "host.h"

#include <pthread.h>

enum { threads = 8, rounds = 40 };

static hipEvent_t shared_event;
static hipStream_t shared_stream;

static uint32_t next(uint32_t *state) {
  return *state = *state * 1664525 + 1013904223;
}

static void *work(void *arg) {
  uint32_t random = (uint32_t)(uintptr_t)arg, n = 64, got[64];
  OK(hipSetDevice((int)(random % 2)));
  struct loaded l = load();
  for (int i = 0; i < rounds; i++) {
    hipStream_t s;
    bool blocking = next(&random) >> 30 != 0;
    OK(hipStreamCreateWithFlags(&s, blocking ? hipStreamDefault
                                             : hipStreamNonBlocking));
    hipEvent_t e = event();
    uint32_t *p = words(n), value = next(&random);
    fill(l, p, value, n, s);
    for (uint32_t k = next(&random) >> 29; k > 0; k--, value = 3 * value + 1)
      OK(launch(kernel(l, "step"), 1, 64, s, PARAMS(&p, &n)));
    OK(hipEventRecord(e, s));
    if (next(&random) >> 31) {
      OK(hipStreamWaitEvent(shared_stream, e, 0));
      OK(hipStreamWaitEvent(s, shared_event, 0));
    }
    if (next(&random) >> 30 == 0) {
      OK(hipSetDevice(0));
      OK(hipEventRecord(shared_event, shared_stream));
      OK(hipSetDevice((int)((uintptr_t)arg % 2)));
    }
    if (blocking && next(&random) >> 29 == 0)
      OK(hipMemsetD32Async(p, (int)++value, n, NULL));
    (void)hipEventQuery(e);
    OK(hipMemcpyAsync(got, p, sizeof got, hipMemcpyDefault, s));
    OK(hipStreamSynchronize(s));
    CHECK(got[0] == value && got[63] == value);
    OK(hipEventDestroy(e));
    bool stream_first = next(&random) >> 31;
    if (stream_first)
      OK(hipStreamDestroy(s));
    OK(hipFree(p));
    if (!stream_first)
      OK(hipStreamDestroy(s));
    if (next(&random) >> 29 == 0) {
      unload(l);
      l = load();
    }
  }
  unload(l);
  return NULL;
}

static void all_at_once(void) {
  pthread_t t[threads];
  shared_event = event();
  shared_stream = stream();
  for (uintptr_t i = 0; i < threads; i++)
    CHECK(pthread_create(&t[i], NULL, work, (void *)i) == 0);
  for (int i = 0; i < threads; i++)
    CHECK(pthread_join(t[i], NULL) == 0);
  OK(hipEventDestroy(shared_event));
  OK(hipStreamDestroy(shared_stream));
  CHECK(fakehip_live("stream") == 0 && fakehip_live("event") == 0 &&
        fakehip_live("module") == 0 && fakehip_live("memory") == 0);
  CHECK(fakehip_violations(NULL) == 0);
}

MAIN(CASE(all_at_once))
