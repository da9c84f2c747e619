/* Two threads use one stream. The first launches a kernel and records an event, the second
 * waits for the stream, the first launches another kernel meanwhile; once the second is
 * back, the first waits. Says whether that wait was over before the kernel was. With
 * "event" the first thread waits for an event instead. A second thread that comes too late
 * waits for both kernels: says that, too. */
#define _GNU_SOURCE
#include "hip.h"

#include <pthread.h>
#include <time.h>
#include <unistd.h>

static hipStream_t stream;
static int *words; /* two flags that the kernels wait for, two that they set */

static void raise_flag(int n) {
  __atomic_store_n(&words[n], 1, __ATOMIC_SEQ_CST);
}

static bool waits;

static void *wait_for_stream(void *unused) {
  __atomic_store_n(&waits, true, __ATOMIC_SEQ_CST);
  CHECK(hipStreamSynchronize(stream));
  return unused;
}

static void *let_go(void *unused) {
  usleep(100000);
  raise_flag(1);
  return unused;
}

int main(int argc, char **argv) {
  hipFunction_t f = function(module(), "await");
  hipEvent_t e;
  pthread_t other;
  int *p;
  CHECK(hipStreamCreateWithFlags(&stream, hipStreamNonBlocking));
  CHECK(hipEventCreate(&e));
  CHECK(hipHostMalloc((void **)&words, 4 * sizeof *words, 0));
  memset(words, 0, 4 * sizeof *words);
  CHECK(hipHostGetDevicePointer((void **)&p, words, 0));
  int *flag[] = {p, p + 1}, *seen[] = {p + 2, p + 3};

  launch(f, 1, 1, stream, (void *[]){&flag[0], &seen[0]});
  CHECK(hipEventRecord(e, stream));
  EXPECT(pthread_create(&other, NULL, wait_for_stream, NULL) == 0);
  while (!__atomic_load_n(&waits, __ATOMIC_SEQ_CST))
    usleep(1000);
  usleep(100000);
  launch(f, 1, 1, stream, (void *[]){&flag[1], &seen[1]});
  raise_flag(0);
  struct timespec end;
  clock_gettime(CLOCK_REALTIME, &end);
  end.tv_sec += 20;
  if (pthread_timedjoin_np(other, NULL, &end) != 0) {
    raise_flag(1);
    EXPECT(pthread_join(other, NULL) == 0);
    puts("late");
    return 0;
  }

  EXPECT(pthread_create(&other, NULL, let_go, NULL) == 0);
  if (argc > 1 && !strcmp(argv[1], "event")) {
    CHECK(hipEventRecord(e, stream));
    CHECK(hipEventSynchronize(e));
  } else {
    CHECK(hipStreamSynchronize(stream));
  }
  puts(__atomic_load_n(&words[3], __ATOMIC_SEQ_CST) ? "ok" : "early");
  EXPECT(pthread_join(other, NULL) == 0);
  CHECK(hipDeviceSynchronize());
}
