/* Kernels for the HIP library for tests: what a module's source includes.
 *
 * A module is a shared object of the host. Each kernel in it is a function that the library calls once per workgroup,
 * on the thread of the stream that it was launched on, one workgroup after another:
 *
 *     KERNEL(fill, OUT, VALUE(4), VALUE(4)) {
 *         uint32_t n = ARG(uint32_t, 2), *out = MEMORY(uint32_t, 0, n);
 *         for (uint32_t i = FIRST(l); i < AFTER(l) && i < n; i++) out[i] = ARG(uint32_t, 1);
 *     }
 *
 * Device addresses are not host addresses: a kernel reaches memory through MEMORY only, which checks that the bytes lie
 * in live memory of the device. Where they don't, the kernel fails, as the launch's error, and MEMORY returns from it. */
#ifndef FAKEHIP_KERNEL_H
#define FAKEHIP_KERNEL_H

#include <stdint.h>

/* What a kernel does with an argument. For pointers it decides which launches may use the same memory without an order
 * between them: those that only read it, and those that take it as flags. */
enum use {
  USE_VALUE,
  USE_IN,
  USE_OUT,
  USE_INOUT,
  USE_FLAG,
  USE_PEEK /* no argument's: what a copy of at most 8 bytes does, which reads them at once; one that writes is USE_FLAG */
};

struct argument {
  uint16_t bytes, use; /* bytes is 0 after the last one */
};

#define VALUE(bytes) {bytes, USE_VALUE}
#define IN {8, USE_IN}       /* a pointer to memory that is only read */
#define OUT {8, USE_OUT}     /* ... only written */
#define INOUT {8, USE_INOUT} /* ... read and written */
#define FLAG                                                                   \
  {8, USE_FLAG} /* ... reached atomically, at the same time as others do */
#define NOTHING {0, USE_VALUE}

/* One workgroup of one launch. */
struct launch {
  uint32_t grid[3], block[3]; /* workgroups, and work-items in each */
  uint32_t group[3];          /* which workgroup this is */
  uint32_t shared_bytes;
  void *shared; /* the workgroup's memory, shared_bytes long, not cleared */
  /* The host's address of bytes at a device address; NULL, and the launch has failed, where they are not all in live
	 * memory of the device. Valid until the kernel returns. */
  void *(*memory)(const struct launch *, uint64_t address, uint64_t bytes);
};

struct kernel {
  uint32_t version; /* KERNEL_VERSION */
  uint32_t
      shared_bytes; /* of workgroup memory that each launch has beside what it asks for */
  const struct argument *argument;
  void (*run)(const struct launch *l, void **param);
};

#define KERNEL_VERSION 1
#define KERNEL_PREFIX "fakehip_kernel_"

#define KERNEL(name, ...)                                                      \
  static void name##_run(const struct launch *, void **);                      \
  static const struct argument name##_argument[] = {__VA_ARGS__, NOTHING};     \
  __attribute__((visibility(                                                   \
      "default"))) extern const struct kernel fakehip_kernel_##name;           \
  const struct kernel fakehip_kernel_##name = {KERNEL_VERSION, 0,              \
                                               name##_argument, name##_run};   \
  static void name##_run(const struct launch *l __attribute__((unused)),       \
                         void **param __attribute__((unused)))

/* A variable of the module that hipModuleGetGlobal finds: an array, which kernels use by its C name.
 *
 *     VARIABLE(uint32_t, table, 4) = {1, 2, 3, 4}; */
#define VARIABLE_PREFIX "fakehip_variable_"
#define VARIABLE_SIZE_PREFIX "fakehip_size_of_"
#define VARIABLE(type, name, n)                                                \
  extern __attribute__((visibility("default")))                                \
  const uint64_t fakehip_size_of_##name;                                       \
  const uint64_t fakehip_size_of_##name = sizeof(type[n]);                     \
  extern __attribute__((visibility("default"))) type name[n] __asm__(          \
      VARIABLE_PREFIX #name);                                                  \
  type name[n]

/* Argument i, of a type. */
#define ARG(type, i) (*(const type *)param[i])

/* n elements at the address that argument i holds. */
#define MEMORY(type, i, n)                                                     \
  ({                                                                           \
    void *memory_at =                                                          \
        l->memory(l, ARG(uint64_t, i), sizeof(type) * (uint64_t)(n));          \
    if (!memory_at)                                                            \
      return;                                                                  \
    (type *)memory_at;                                                         \
  })

/* The workgroup's work-items along x, in numbers of the grid. */
#define FIRST(l) ((l)->group[0] * (l)->block[0])
#define AFTER(l) (FIRST(l) + (l)->block[0])

#endif
