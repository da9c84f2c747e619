/* Prints how many devices there are, and on which one threads allocate: the first
 * thread, one that is given no device, one that chooses device 0, and the first
 * again after the choice of a device that is not there. */
#include <mgpu_runtime.h>

#include <pthread.h>
#include <stdio.h>

static void *allocate(void *who) {
  mgpuMemAlloc(1 << 20, NULL, 0);
  for (int d = 0; d < mgpuxGetDeviceCount(); d++) {
    struct mgpux_memory_stats s = {0};
    static uint64_t before[64];
    mgpuxGetMemoryStats(d, &s, sizeof s);
    if (s.live > before[d])
      printf("%s: device %d\n", (const char *)who, d);
    before[d] = s.live;
  }
  return NULL;
}

static void *choose(void *who) {
  mgpuSetDefaultDevice(0);
  return allocate(who);
}

static void run(void *(*f)(void *), char *who) {
  pthread_t t;
  pthread_create(&t, NULL, f, who);
  pthread_join(t, NULL);
}

int main(void) {
  allocate("first");
  run(allocate, "another");
  run(choose, "chooser");
  mgpuSetDefaultDevice(64);
  allocate("first again");
  printf("%d devices\n", mgpuxGetDeviceCount());
  return 0;
}
