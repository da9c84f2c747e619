/* One case: something done to the library, and what it wrote on standard error.
 * Each prints a line on standard output, "name<TAB>value<TAB>lines<TAB>text",
 * where value is what the case returned and text what was written, newlines as
 * " / ". After each case a valid call must work without a word. */
#define _GNU_SOURCE
#include <mgpu_runtime.h>

#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "../../../internal/chost/module.h"

#pragma GCC diagnostic ignored "-Wunused-function"

static int real_stderr = -1, captured = -1;

static void begin(void) {
  if (captured < 0) {
    captured = memfd_create("stderr", 0);
    real_stderr = dup(2);
  }
  if (ftruncate(captured, 0) != 0)
    exit(2);
  lseek(captured, 0, SEEK_SET);
  dup2(captured, 2);
}

static void end(const char *name, const void *value) {
  static char text[1 << 16];
  dup2(real_stderr, 2);
  ssize_t n = pread(captured, text, sizeof text - 1, 0);
  int lines = 0;
  text[n < 0 ? 0 : n] = 0;
  printf("%s\t%s\t", name, value ? "value" : "null");
  for (char *c = text; *c; c++)
    lines += *c == '\n';
  printf("%d\t", lines);
  for (char *c = text; *c; c++)
    if (*c != '\n')
      putchar(*c == '\t' ? ' ' : *c);
    else if (c[1])
      fputs(" / ", stdout);
  putchar('\n');
  fflush(stdout);
}

/* A case that returns a handle, and one that returns nothing. */
#define CASE(name, expression)                                                 \
  do {                                                                         \
    begin();                                                                   \
    void *value_ = (expression);                                               \
    end(name, value_);                                                         \
    valid();                                                                   \
  } while (0)
#define VOID_CASE(name, statements)                                            \
  do {                                                                         \
    begin();                                                                   \
    statements;                                                                \
    end(name, NULL);                                                           \
    valid();                                                                   \
  } while (0)

static void valid(void) {
  uint32_t host[16];
  begin();
  void *s = mgpuStreamCreate();
  void *d = mgpuMemAlloc(sizeof host, s, 0);
  mgpuMemset32(d, 42, 16, s);
  mgpuMemcpy(host, d, sizeof host, s);
  mgpuStreamSynchronize(s);
  mgpuMemFree(d, s);
  mgpuStreamDestroy(s);
  dup2(real_stderr, 2);
  off_t written = lseek(captured, 0, SEEK_CUR);
  for (int i = 0; i < 16; i++)
    if (host[i] != 42 || written != 0) {
      printf("a valid call afterwards failed\n");
      exit(3);
    }
}

/* The compiled kernels of internal/codeobj/testdata. */
#define BLOB(name, file)                                                       \
  __asm__(".section .rodata\n.balign 4096\n" #name ": .incbin \"" TESTDATA     \
          "/" file "\"\n" #name "_end: .byte 0\n.previous");                   \
  extern char name[], name##_end[]

/* A copy of the n bytes at from that ends right before unmapped memory. */
static char *at_the_edge(const void *from, size_t n) {
  size_t page = 4096, room = (n + page - 1) / page * page;
  char *p = mmap(NULL, room + page, PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (p == MAP_FAILED || mprotect(p + room, page, PROT_NONE) != 0)
    exit(2);
  return memcpy(p + room - n, from, n);
}

/* An address that is not mapped. */
static void *unmapped(void) {
  void *p = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return p == MAP_FAILED ? NULL : p;
}
