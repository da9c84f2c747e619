/* What the programs of this folder have in common. Each defines program(), which
 * makes the calls that a compiler emits for some GPU program and returns how many
 * of its results are wrong. Like compiled code it checks nothing that a call
 * gives, but for memory that the host itself touches.
 *
 * main runs it FAULTY times, each while calls fail as the environment's RULES say, and
 * then, with every rule gone, AGAIN times. It prints what each came to and how often the
 * first called FUNCTIONS. Standard error has a line "mended"
 * between the two. */
#ifndef MGPU_FAULT_HOST_H
#define MGPU_FAULT_HOST_H

#include <mgpu_runtime.h>

#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FAULTY = 6, AGAIN = 4, TURNS = FAULTY + AGAIN, N = 100 };

static int program(void);

static int turn; /* how often program was called before */

/* N words that only this turn of the program uses: a copy or kernel that the last
 * one did not wait for may still be under way. */
#define WORDS(name)                                                            \
  static uint32_t name##_of[TURNS][1024] __attribute__((aligned(4096)));       \
  uint32_t *const name = name##_of[turn]

enum { BYTES = N * sizeof(uint32_t) };

/* The modules' images, in memory that the host may change. */
static void *suite, *other;

static void *image(const char *name) {
  char path[4096];
  snprintf(path, sizeof path, "%s/%s", getenv("IMAGES"), name);
  FILE *f = fopen(path, "rb");
  if (!f || fseek(f, 0, SEEK_END) != 0) {
    perror(path);
    exit(3);
  }
  size_t n = (size_t)ftell(f);
  rewind(f);
  void *bytes = malloc(n);
  if (!bytes || fread(bytes, 1, n, f) != n) {
    perror(path);
    exit(3);
  }
  fclose(f);
  return bytes;
}

/* What compiled programs pass where their release knows no argument. */
#define GARBAGE 0x7ffdcafe1234

#define PARAMS(...) ((void *[]){__VA_ARGS__})

static inline void launch(void *f, void *stream, void **params) {
  mgpuLaunchKernel(f, (N + 63) / 64, 1, 1, 64, 1, 1, 0, stream, params, NULL,
                   GARBAGE);
}

/* Counts the words that are not as they should be. */
static inline int differ(const uint32_t *got, uint32_t want) {
  int wrong = 0;
  for (int i = 0; i < N; i++)
    wrong += got[i] != want;
  return wrong;
}

/* Words that no result equals. */
static inline void spoil(uint32_t *words) { memset(words, 0xee, BYTES); }

/* Waits for every device: how many streams a pool then makes does not depend on how
 * long kernels take. */
static void settle(void *hip) {
  int (*set_device)(int) = (int (*)(int))dlsym(hip, "hipSetDevice");
  int (*synchronize)(void) = (int (*)(void))dlsym(hip, "hipDeviceSynchronize");
  int (*count)(int *) = (int (*)(int *))dlsym(hip, "hipGetDeviceCount");
  int devices = 0;
  count(&devices);
  while (devices-- > 0) {
    set_device(devices);
    synchronize();
  }
}

int main(void) {
  suite = image("suite.bundle");
  other = image("other.bundle");
  void *hip = dlopen(getenv("MGPU_HIP_LIBRARY"), RTLD_NOW | RTLD_LOCAL);
  if (!hip) {
    fprintf(stderr, "%s\n", dlerror());
    return 3;
  }
  int (*fail)(const char *) = (int (*)(const char *))dlsym(hip, "fakehip_fail");
  uint64_t (*count)(const char *) =
      (uint64_t (*)(const char *))dlsym(hip, "fakehip_count");
  for (turn = 0; turn < FAULTY; turn++) {
    if (fail(getenv("RULES")) != 0)
      return 3;
    printf("faulty %d\n", program());
    char *names = strdup(getenv("FUNCTIONS"));
    for (char *name = strtok(names, ","); name && turn == 0;
         name = strtok(NULL, ","))
      printf("count %s %llu\n", name, (unsigned long long)count(name));
    free(names);
    fail(NULL);
    settle(hip);
  }
  if (write(2, "mended\n", 7) != 7)
    return 3;
  for (; turn < TURNS; turn++)
    printf("wrong %d\n", program());
  mgpuxAllocCacheTrim(NULL); /* what is still there was lost */
}

#endif
