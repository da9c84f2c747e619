/* Each case makes one mistake; the test knows the line that the library prints. */
#include "host.h"

#include <unistd.h>

#include <sys/wait.h>

static void stream_destroyed_twice(void) {
  hipStream_t s = stream();
  OK(hipStreamDestroy(s));
  GIVES(hipErrorInvalidHandle, hipStreamDestroy(s));
}

static void stream_used_after_destroy(void) {
  hipStream_t s = stream();
  OK(hipStreamDestroy(s));
  GIVES(hipErrorInvalidHandle, hipStreamSynchronize(s));
}

static void event_used_after_destroy(void) {
  hipStream_t s = stream();
  hipEvent_t e = event();
  OK(hipEventDestroy(e));
  GIVES(hipErrorInvalidHandle, hipEventRecord(e, s));
  OK(hipStreamDestroy(s));
}

static void event_used_long_after_destroy(void) {
  hipEvent_t first = event();
  OK(hipEventDestroy(first));
  for (int i = 0; i < 3000; i++)
    OK(hipEventDestroy(event()));
  hipStream_t s = stream();
  GIVES(hipErrorInvalidHandle, hipEventRecord(first, s));
  OK(hipStreamDestroy(s));
}

static void stream_taken_for_an_event(void) {
  hipStream_t s = stream();
  GIVES(hipErrorInvalidHandle, hipEventSynchronize((hipEvent_t)s));
  OK(hipStreamDestroy(s));
}

static void function_of_an_unloaded_module(void) {
  struct loaded l = load();
  hipFunction_t f = kernel(l, "empty");
  unload(l);
  GIVES(hipErrorInvalidHandle, launch(f, 1, 1, NULL, NULL));
}

static void memory_freed_twice(void) {
  void *p = words(1);
  OK(hipFree(p));
  GIVES(hipErrorInvalidValue, hipFree(p));
}

static void memory_freed_inside(void) {
  char *p = words(64);
  GIVES(hipErrorInvalidValue, hipFree(p + 4));
  OK(hipFree(p));
}

static void pinned_memory_freed_as_device_memory(void) {
  void *p;
  OK(hipHostMalloc(&p, 64, 0));
  GIVES(hipErrorInvalidValue, hipFree(p));
  OK(hipHostFree(p));
}

static void copy_of_freed_memory(void) {
  uint32_t v = 0, *p = words(1);
  OK(hipFree(p));
  GIVES(hipErrorInvalidValue, hipMemcpyAsync(&v, p, 4, hipMemcpyDefault, NULL));
}

static void copy_beyond_a_block(void) {
  char *p = words(64), host[512];
  GIVES(hipErrorInvalidValue,
        hipMemcpyAsync(host, p + 4, 256, hipMemcpyDefault, NULL));
  OK(hipFree(p));
}

static void copy_the_wrong_way(void) {
  uint32_t v = 0, *p = words(1);
  GIVES(hipErrorInvalidMemcpyDirection,
        hipMemcpyAsync(&v, p, 4, hipMemcpyHostToDevice, NULL));
  OK(hipFree(p));
}

static void fill_of_host_memory(void) {
  uint32_t v[4];
  GIVES(hipErrorInvalidValue, hipMemsetD32Async(v, 0, 4, NULL));
}

static void kernel_beyond_a_block(void) {
  struct loaded l = load();
  uint32_t *p = words(64), value = 1, n = 65;
  OK(launch(kernel(l, "fill"), 1, 64, NULL, PARAMS(&p, &value, &n)));
  GIVES(hipErrorIllegalAddress, hipStreamSynchronize(NULL));
  OK(hipFree(p));
  unload(l);
}

static void kernel_uses_freed_memory(void) {
  struct loaded l = load();
  uint32_t *p = words(64), value = 1, n = 64;
  OK(hipFree(p));
  OK(launch(kernel(l, "fill"), 1, 64, NULL, PARAMS(&p, &value, &n)));
  GIVES(hipErrorIllegalAddress, hipDeviceSynchronize());
  unload(l);
}

static void kernel_uses_another_device(void) {
  struct loaded l = load();
  uint32_t value = 1, n = 64;
  OK(hipSetDevice(1));
  uint32_t *p = words(64);
  OK(hipSetDevice(0));
  OK(launch(kernel(l, "fill"), 1, 64, NULL, PARAMS(&p, &value, &n)));
  GIVES(hipErrorIllegalAddress, hipStreamSynchronize(NULL));
  OK(hipFree(p));
  unload(l);
}

static void launch_on_another_device(void) {
  struct loaded l = load();
  OK(hipSetDevice(1));
  GIVES(hipErrorInvalidHandle, launch(kernel(l, "empty"), 1, 1, NULL, NULL));
  unload(l);
}

static void event_of_another_device(void) {
  hipEvent_t e = event();
  OK(hipSetDevice(1));
  GIVES(hipErrorInvalidHandle, hipEventRecord(e, NULL));
  OK(hipEventDestroy(e));
}

static void fill_of_another_device(void) {
  void *p = words(1);
  OK(hipSetDevice(1));
  GIVES(hipErrorInvalidValue, hipMemsetD32Async(p, 0, 1, NULL));
  OK(hipFree(p));
}

static void launch_without_arguments(void) {
  struct loaded l = load();
  GIVES(hipErrorInvalidValue, launch(kernel(l, "fill"), 1, 1, NULL, NULL));
  unload(l);
}

static void launch_of_nothing(void) {
  struct loaded l = load();
  GIVES(hipErrorInvalidConfiguration,
        launch(kernel(l, "empty"), 0, 1, NULL, NULL));
  unload(l);
}

/* A second stream uses a block while the first stream's work is still pending. */
static void meet_in_a_block(bool first_writes, bool second_writes,
                            bool ordered) {
  struct loaded l = load();
  hipStream_t a = stream(), b = stream();
  uint32_t n = 64, value = 3, *p = words(n), *q = words(n), *r = words(n);
  struct held h = hold(l, a);
  void *write[] = {&p, &value, &n}, *read_to_q[] = {&p, &p, &q, &n},
       *read_to_r[] = {&p, &p, &r, &n};
  hipFunction_t fills = kernel(l, "fill"), reads = kernel(l, "vector_add");
  OK(launch(first_writes ? fills : reads, 1, 64, a,
            first_writes ? write : read_to_q));
  if (ordered) {
    hipEvent_t e = event();
    hipStream_t between = stream();
    OK(hipEventRecord(e, a));
    OK(hipStreamWaitEvent(between, e, 0));
    OK(hipEventRecord(e, between));
    OK(hipStreamWaitEvent(b, e, 0));
    OK(hipEventDestroy(e));
    let_go(h);
    OK(hipStreamDestroy(between));
  }
  OK(launch(second_writes ? fills : reads, 1, 64, b,
            second_writes ? write : read_to_r));
  release(h);
  OK(hipStreamSynchronize(b));
  OK(hipFree(p));
  OK(hipFree(q));
  OK(hipFree(r));
  OK(hipStreamDestroy(a));
  OK(hipStreamDestroy(b));
  unload(l);
}

static void memory_written_while_read(void) {
  meet_in_a_block(false, true, false);
}
static void memory_read_while_written(void) {
  meet_in_a_block(true, false, false);
}
static void memory_written_twice_at_once(void) {
  meet_in_a_block(true, true, false);
}
static void fine_memory_read_twice_at_once(void) {
  meet_in_a_block(false, false, false);
}
static void fine_memory_written_in_order(void) {
  meet_in_a_block(true, true, true);
}

/* A memory pool that ignores streams. */
static void memory_handed_out_too_early(void) {
  struct loaded l = load();
  hipStream_t a = stream(), b = stream();
  uint32_t n = 64, *p = words(n);
  char host[256] = {0};
  struct held h = hold(l, a);
  fill(l, p, 1, n, a);
  OK(hipMemcpyAsync(p, host, sizeof host, hipMemcpyHostToDevice, b));
  release(h);
  OK(hipStreamSynchronize(b));
  OK(hipFree(p));
  OK(hipStreamDestroy(a));
  OK(hipStreamDestroy(b));
  unload(l);
}

/* The program waits between two uses: with a synchronize, and with a query. */
static void fine_memory_used_after_waiting(void) {
  struct loaded l = load();
  hipStream_t a = stream(), b = stream();
  uint32_t n = 64, *p = words(n);
  for (int i = 0; i < 100; i++) {
    hipStream_t s = i % 2 ? a : b;
    fill(l, p, 1, n, s);
    if (i % 3)
      OK(hipStreamSynchronize(s));
    else
      while (hipStreamQuery(s) != hipSuccess)
        continue;
  }
  OK(hipFree(p));
  OK(hipStreamDestroy(a));
  OK(hipStreamDestroy(b));
  unload(l);
}

static void registration_ends_in_use(void) {
  struct loaded l = load();
  static uint32_t host[1024];
  hipStream_t s = stream();
  OK(hipHostRegister(host, sizeof host, 0));
  struct held h = hold(l, s);
  void *p = host;
  fill(l, p, 1, 1024, s);
  OK(hipHostUnregister(host));
  let_go(h);
  GIVES(hipErrorIllegalAddress, hipStreamSynchronize(s));
  release(h);
  OK(hipStreamDestroy(s));
  unload(l);
}

static void registered_twice(void) {
  static char host[8192];
  OK(hipHostRegister(host, sizeof host, 0));
  GIVES(hipErrorHostMemoryAlreadyRegistered,
        hipHostRegister(host + 4096, 4096, 0));
  OK(hipHostUnregister(host));
}

static void image_changed(void) {
  struct loaded l = load();
  ((char *)l.image)[5000] ^= 1;
  (void)kernel(l, "fill");
  unload(l);
}

static void image_freed(void) {
  hipModule_t m;
  hipFunction_t f;
  void *bytes = image("suite.bundle");
  OK(hipModuleLoadData(&m, bytes));
  memset(bytes, 0, 8192);
  free(bytes);
  OK(hipModuleGetFunction(&f, m, "fill"));
  OK(hipModuleUnload(m));
}

static void call_in_a_fork(void) {
  hipStream_t s = stream();
  pid_t child = fork();
  if (child == 0) {
    GIVES(hipErrorNotInitialized, hipStreamSynchronize(s));
    _exit(0);
  }
  int status;
  CHECK(waitpid(child, &status, 0) == child && status == 0);
  OK(hipStreamDestroy(s));
}

static void streams_leak(void) { (void)stream(), (void)stream(); }
static void event_leaks(void) { (void)event(); }
static void module_leaks(void) { (void)load(); }
static void memory_leaks(void) { (void)words(64), (void)words(64); }

static void registration_leaks(void) {
  static char host[4096];
  OK(hipHostRegister(host, sizeof host, 0));
}

static void fine(void) { unload(load()); }

MAIN(CASE(stream_destroyed_twice), CASE(stream_used_after_destroy),
     CASE(event_used_after_destroy), CASE(event_used_long_after_destroy),
     CASE(stream_taken_for_an_event), CASE(function_of_an_unloaded_module),
     CASE(memory_freed_twice), CASE(memory_freed_inside),
     CASE(pinned_memory_freed_as_device_memory), CASE(copy_of_freed_memory),
     CASE(copy_beyond_a_block), CASE(copy_the_wrong_way),
     CASE(fill_of_host_memory), CASE(kernel_beyond_a_block),
     CASE(kernel_uses_freed_memory), CASE(kernel_uses_another_device),
     CASE(launch_on_another_device), CASE(event_of_another_device),
     CASE(fill_of_another_device), CASE(launch_without_arguments),
     CASE(launch_of_nothing), CASE(memory_written_while_read),
     CASE(memory_read_while_written), CASE(memory_written_twice_at_once),
     CASE(fine_memory_read_twice_at_once), CASE(fine_memory_written_in_order),
     CASE(memory_handed_out_too_early), CASE(fine_memory_used_after_waiting),
     CASE(registration_ends_in_use), CASE(registered_twice),
     CASE(image_changed), CASE(image_freed), CASE(call_in_a_fork),
     CASE(streams_leak), CASE(event_leaks), CASE(module_leaks),
     CASE(memory_leaks), CASE(registration_leaks), CASE(fine))
