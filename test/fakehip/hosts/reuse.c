/* The runtime's memory on devices that watch. Threads allocate, fill, step, read and free
 * blocks while their kernels still run, on any stream; with several devices each thread has
 * its own. A block is used on one stream, or on another after an event, so an unordered use
 * or a wrong result means that a block was reused too early.
 *
 * With "share" as third argument some blocks are shared with the host, which reads them after
 * a free of any other block: that free has waited for the device. With "foreign" one of a
 * thread's streams is not the runtime's. The numbers after these ("calm" is neither) are
 * those of threads and streams; they make a thread wait more, so that often only one stream
 * has work. */
#include <mgpu_runtime.h>

#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { most_threads = 8, most_streams = 4, blocks = 12, most = 3000 };

static void *image;
static int rounds, devices, threads = 3, streams = 3;
static bool share, foreign, calm;
static uint64_t wrong;

static uint32_t next(uint32_t *state) {
  return (*state = *state * 1664525 + 1013904223) >> 8;
}

static void launch(void *f, uint32_t n, void *stream, void **params) {
  mgpuLaunchKernel(f, (n + 63) / 64, 1, 1, 64, 1, 1, 0, stream, params, NULL,
                   3);
}

struct block {
  void *p;
  int stream;
  bool shared;
  uint32_t n, value;
};

static void expect(const uint32_t *words, const struct block *b) {
  for (uint32_t i = 0; i < b->n; i++)
    if (words[i] != b->value)
      __atomic_add_fetch(&wrong, 1, __ATOMIC_RELAXED);
}

static void *stream_of_hip(void) {
  void *hip = dlopen(getenv("MGPU_HIP_LIBRARY"), RTLD_NOW | RTLD_NOLOAD);
  int (*create)(void **) = (int (*)(void **))dlsym(hip, "hipStreamCreate");
  void *s;
  return create(&s) == 0 ? s : NULL;
}

static void *work(void *arg) {
  int device = (int)((uintptr_t)arg % (uintptr_t)devices);
  mgpuSetDefaultDevice(device);
  uint32_t random = (uint32_t)(uintptr_t)arg * 7919 + 1;
  void *m = mgpuModuleLoad(image, 0);
  void *fill = mgpuModuleGetFunction(m, "fill"),
       *step = mgpuModuleGetFunction(m, "step");
  void *s[most_streams];
  for (int i = 0; i < streams; i++)
    s[i] = foreign && i == 1 ? stream_of_hip() : mgpuStreamCreate();
  struct block b[blocks] = {{0}};
  static const uint32_t sizes[] = {1, 100, 128, 1000, 1024, most};
  static __thread uint32_t got[most];
  for (int i = 0; i < rounds; i++) {
    int k = (int)(next(&random) % blocks),
        other = (int)(next(&random) % streams);
    switch (next(&random) % 9) {
    case 0:
    case 1:
    case 2:
      if (b[k].p != NULL)
        break;
      b[k].n = sizes[next(&random) % 6];
      b[k].stream = other;
      b[k].value = next(&random);
      b[k].shared = share && k % 4 == 0;
      b[k].p =
          mgpuMemAlloc(4 * b[k].n, b[k].shared ? NULL : s[other], b[k].shared);
      launch(fill, b[k].n, s[other], (void *[]){&b[k].p, &b[k].value, &b[k].n});
      break;
    case 3:
    case 4:
      if (b[k].p == NULL)
        break;
      if (devices > 1 && other == 1) /* while another device is current */
        mgpuSetDefaultDevice(devices - 1 - device);
      mgpuMemFree(b[k].p, other == 0 ? NULL : s[other]);
      mgpuSetDefaultDevice(device);
      b[k].p = NULL;
      for (int j = 0; j < blocks; j++)
        if (b[j].p != NULL && b[j].shared)
          expect(b[j].p, &b[j]);
      break;
    case 5:
      if (b[k].p == NULL)
        break;
      launch(step, b[k].n, s[b[k].stream], (void *[]){&b[k].p, &b[k].n});
      b[k].value = 3 * b[k].value + 1;
      break;
    case 6:
      if (b[k].p == NULL || (share && calm)) /* copies hide who shares */
        break;
      mgpuMemcpy(got, b[k].p, 4 * b[k].n, s[b[k].stream]);
      if (other == 0) {
        mgpuMemFree(b[k].p, s[b[k].stream]);
        b[k].p = NULL;
      }
      mgpuStreamSynchronize(s[b[k].stream]);
      expect(got, &b[k]);
      break;
    case 7:
      if (b[k].p == NULL || b[k].stream == other)
        break;
      void *e = mgpuEventCreate();
      mgpuEventRecord(e, s[b[k].stream]);
      mgpuStreamWaitEvent(s[other], e);
      mgpuEventDestroy(e);
      b[k].stream = other;
      break;
    default:
      if (other != 0 || calm) {
        mgpuStreamSynchronize(s[other]);
        break;
      }
      for (int j = 0; j < blocks;
           j++) /* another stream in its place, without a wait */
        if (b[j].p != NULL && b[j].stream == 0) {
          mgpuMemFree(b[j].p, NULL);
          b[j].p = NULL;
        }
      mgpuStreamDestroy(s[0]);
      s[0] = mgpuStreamCreate();
    }
  }
  for (int j = 0; j < blocks; j++)
    mgpuMemFree(b[j].p, NULL);
  for (int i = 0; i < streams; i++) {
    mgpuStreamSynchronize(s[i]);
    mgpuStreamDestroy(s[i]);
  }
  mgpuModuleUnload(m);
  return NULL;
}

int main(int argc, char **argv) {
  FILE *f = fopen(argv[1], "rb");
  if (argc < 3 || f == NULL)
    return 3;
  static char bytes[1 << 20];
  if (fread(bytes, 1, sizeof bytes, f) == 0)
    return 3;
  fclose(f);
  image = bytes;
  rounds = atoi(argv[2]);
  share = argc > 3 && strcmp(argv[3], "share") == 0;
  foreign = argc > 3 && strcmp(argv[3], "foreign") == 0;
  if ((calm = argc > 5)) {
    threads = atoi(argv[4]);
    streams = atoi(argv[5]);
  }
  devices =
      getenv("FAKEHIP_DEVICES") != NULL ? atoi(getenv("FAKEHIP_DEVICES")) : 1;
  pthread_t t[most_threads];
  for (uintptr_t i = 0; i < (uintptr_t)threads; i++)
    pthread_create(&t[i], NULL, work, (void *)i);
  for (int i = 0; i < threads; i++)
    pthread_join(t[i], NULL);
  struct mgpux_memory_stats m;
  mgpuxGetMemoryStats(0, &m, sizeof m);
  printf("wrong %llu hits %llu waited %llu misses %llu device waits %llu\n",
         (unsigned long long)wrong, (unsigned long long)m.hits,
         (unsigned long long)m.waited, (unsigned long long)m.misses,
         (unsigned long long)m.device_waits);
  return wrong != 0;
}
