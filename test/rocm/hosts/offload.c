/* LLVM's liboffload: the program named by MODULE on each GPU. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <OffloadAPI.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../internal/chost/module.h"

#define CHECK(call)                                                            \
  do {                                                                         \
    ol_result_t error_ = (call);                                               \
    if (error_ != NULL) {                                                      \
      printf("%s: %s\n", #call, error_->Details);                              \
      exit(1);                                                                 \
    }                                                                          \
  } while (0)

static ol_device_handle_t host, gpus[8];
static int count;

static bool collect(ol_device_handle_t device, void *unused) {
  (void)unused;
  ol_platform_handle_t platform;
  ol_platform_backend_t backend;
  CHECK(olGetDeviceInfo(device, OL_DEVICE_INFO_PLATFORM, sizeof platform,
                        &platform));
  CHECK(olGetPlatformInfo(platform, OL_PLATFORM_INFO_BACKEND, sizeof backend,
                          &backend));
  if (backend == OL_PLATFORM_BACKEND_HOST)
    host = device;
  else if (backend == OL_PLATFORM_BACKEND_AMDGPU && count < 8)
    gpus[count++] = device;
  return true;
}

static long size_of(const char *path) {
  FILE *f = fopen(path, "rb");
  if (!f || fseek(f, 0, SEEK_END) != 0)
    exit(1);
  long n = ftell(f);
  fclose(f);
  return n;
}

int main(int argc, char **argv) {
  const char *path = getenv("MODULE");
  int items = argc > 1 ? atoi(argv[1]) : 64,
      groups = argc > 2 ? atoi(argv[2]) : 1;
  CHECK(olInit());
  CHECK(olIterateDevices(collect, NULL));
  for (int i = 0; i < count; i++) {
    ol_program_handle_t program;
    ol_symbol_handle_t increment;
    ol_queue_handle_t queue;
    int words[64] = {0}, *memory;
    CHECK(olCreateProgram(gpus[i], read_module(path), (size_t)size_of(path),
                          &program));
    CHECK(olGetSymbol(program, "increment", OL_SYMBOL_KIND_KERNEL, &increment));
    CHECK(olCreateQueue(gpus[i], &queue));
    CHECK(olMemAlloc(gpus[i], OL_ALLOC_TYPE_DEVICE, sizeof words,
                     (void **)&memory));
    CHECK(olMemcpy(queue, memory, gpus[i], words, host, sizeof words));
    ol_kernel_launch_size_args_t size = {
        1, {(uint32_t)groups, 1, 1}, {(uint32_t)items, 1, 1}, 0};
    CHECK(olLaunchKernel(queue, gpus[i], increment, &memory, sizeof memory,
                         &size));
    CHECK(olMemcpy(queue, words, host, memory, gpus[i], sizeof words));
    CHECK(olSyncQueue(queue));
    for (int k = 0; k < 64; k++)
      if (words[k] != 1)
        return printf("word %d is %d\n", k, words[k]), 1;
    CHECK(olMemFree(memory));
    CHECK(olDestroyQueue(queue));
    CHECK(olDestroyProgram(program));
  }
  printf("%d ok\n", count);
  CHECK(olShutDown());
}
