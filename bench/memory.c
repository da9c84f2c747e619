/* Streams that come and go, allocations, copies. */

#include "work.h"

#include <mgpu_runtime.h>

#include <stdlib.h>
#include <string.h>

void measure_churn(void) {
  enum { at_once = 8 };
  struct bound b = at_most(700, 2);
  for (long done = -3; within(&b, done); done++)
    for (int w = 0; w < whos; w++) {
      double t0 = now();
      stream_destroy(w, stream_create(w));
      double t1 = now();
      void *s[at_once];
      for (int i = 0; i < at_once; i++) {
        s[i] = stream_create(w);
        launch(w, empty[w], s[i], NULL);
      }
      for (int i = 0; i < at_once; i++) synchronize(w, s[i]);
      for (int i = 0; i < at_once; i++) stream_destroy(w, s[i]);
      double t2 = now();
      if (done < 0) continue;
      sample("stream create, destroy", w, t1 - t0);
      sample("8 streams: create, launch, wait, destroy", w, t2 - t1);
    }
}

static void *device_alloc(enum who w, size_t bytes) {
  return w == hoisted ? raw_alloc(bytes) : mgpuMemAlloc(bytes, NULL, 0);
}

static void device_free(enum who w, void *p) {
  if (w == hoisted)
    raw_free(p);
  else
    mgpuMemFree(p, NULL);
}

static void copy(enum who w, void *dst, void *src, size_t bytes, void *stream) {
  if (w == hoisted)
    raw_copy(dst, src, bytes, stream);
  else
    mgpuMemcpy(dst, src, bytes, stream);
  synchronize(w, stream);
}

static const char *size_of(size_t bytes, char *text, size_t n) {
  if (bytes >= 1 << 20)
    snprintf(text, n, "%zu MiB", bytes >> 20);
  else
    snprintf(text, n, "%zu KiB", bytes >> 10);
  return text;
}

void measure_alloc(size_t bytes) {
  char work[64], size[32];
  snprintf(work, sizeof work, "alloc, free, %s", size_of(bytes, size, sizeof size));
  struct bound b = at_most(700, 1);
  for (long done = -3; within(&b, done); done++)
    for (int w = 0; w < whos; w++) {
      double t0 = now();
      device_free(w, device_alloc(w, bytes));
      double us = now() - t0;
      if (done >= 0) sample(work, w, us);
    }
}

void measure_copy(size_t bytes) {
  char up[64], down[64], size[32];
  snprintf(up, sizeof up, "copy to device, wait, %s", size_of(bytes, size, sizeof size));
  snprintf(down, sizeof down, "copy from device, wait, %s", size_of(bytes, size, sizeof size));
  char *host = malloc(bytes);
  memset(host, 1, bytes);
  void *device[whos], *stream[whos];
  for (int w = 0; w < whos; w++) {
    device[w] = device_alloc(w, bytes);
    stream[w] = stream_create(w);
  }
  struct bound b = at_most(700, 1);
  for (long done = -3; within(&b, done); done++)
    for (int w = 0; w < whos; w++) {
      double t0 = now();
      copy(w, device[w], host, bytes, stream[w]);
      double t1 = now();
      copy(w, host, device[w], bytes, stream[w]);
      double t2 = now();
      if (done < 0) continue;
      sample(up, w, t1 - t0);
      sample(down, w, t2 - t1);
    }
  for (int w = 0; w < whos; w++) {
    device_free(w, device[w]);
    stream_destroy(w, stream[w]);
  }
  free(host);
}
