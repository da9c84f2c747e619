/* A HIP library in front of another one, RECORDED_LIBRARY: before each call it
 * asks the host whether the thread is one that is inside an mgpu call. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

static void (*reached)(const char *name);
static void *library;

/* In the place of what the library lacks. */
static int not_supported(void) { return 801; }

__attribute__((used, visibility("hidden"))) void *forward(const char *name,
                                                          void **to) {
  if (*to == NULL)
    *to = dlsym(library, name);
  if (*to == NULL)
    *to = (void *)not_supported;
  reached(name);
  return *to;
}

__attribute__((constructor)) static void open_library(void) {
  library = dlopen(getenv("RECORDED_LIBRARY"), RTLD_NOW | RTLD_LOCAL);
  reached = (void (*)(const char *))dlsym(RTLD_DEFAULT, "reached");
  if (library == NULL || reached == NULL)
    abort();
}

/* Whatever the arguments are: registers and stack are left as they were. */
#define SYMBOL(need, result, name, params)                                     \
  static void *to_##name __attribute__((used));                                \
  __asm__(".pushsection .text\n.globl " #name "\n"                             \
          ".type " #name ", @function\n" #name ":\n"                           \
          "  push %rdi\n  push %rsi\n  push %rdx\n"                            \
          "  push %rcx\n  push %r8\n  push %r9\n  push %rax\n"                 \
          "  lea 9f(%rip), %rdi\n  lea to_" #name "(%rip), %rsi\n"             \
          "  call forward\n  mov %rax, %r11\n"                                 \
          "  pop %rax\n  pop %r9\n  pop %r8\n  pop %rcx\n"                     \
          "  pop %rdx\n  pop %rsi\n  pop %rdi\n  jmp *%r11\n"                  \
          "9: .asciz \"" #name "\"\n.popsection");
#include "../../../../internal/hip/symbols.h"
