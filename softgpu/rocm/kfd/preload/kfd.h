/* libmgpu_kfd.so: replaces functions of the C library by which a program looks at AMD's GPUs, and asks
 * libmgpu_rocm.so. It knows which paths may belong to GPUs, and which descriptors do.
 *
 * Functions may be called before any constructor, in a signal handler or between fork and exec. So calls for
 * other files go straight to the system, and nothing here is set up in advance. */
#ifndef MGPU_KFD_H
#define MGPU_KFD_H

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "../library/calls.h"

#define API __attribute__((visibility("default")))

/* The next definition of a function, the C library's. */
#define NEXT(name)                                                             \
  ({                                                                           \
    static __typeof__(&name) next_;                                            \
    if (!next_)                                                                \
      *(void **)&next_ = dlsym(RTLD_NEXT, #name);                              \
    next_;                                                                     \
  })

/* library.c */

#define CALL(name, parameters) int32_t(*name) parameters;
struct library {
  KFD_CALLS(CALL)
};
#undef CALL

/* Opens libmgpu_rocm.so, once in a process, and again in a child of fork. NULL: it can't be opened, or this
 * thread is opening it. */
const struct library *library(void);

/* The library if this process has opened devices. */
const struct library *library_if_open(void);

/* Opens the devices. False: there are none. */
bool devices_open(const struct library *l);

/* A new descriptor of a device, as flags ask for; -1 and errno. */
int device_open(int index, int flags);

enum { control_major = 234, render_major = 226 };
enum { no_device = -1, stale_device = -2 };

/* Which device a descriptor is: 0 for /dev/kfd, then the render nodes. stale_device: a parent's. */
int device_of(int fd);

/* The number that the system would have for a device. */
dev_t device_number(int index);

/* Whether a descriptor is a file in memory. */
bool in_memory(int fd);

/* Whether the GPUs may have something in a range of addresses. */
bool claimed(uintptr_t addr, size_t size);

/* A file in memory that has a path for a name, and a text. */
int text_open(const char *path, const char *text, size_t size, int flags);

/* The path that text_open has named a descriptor by; false: it has not. */
bool named_path(int fd, char *path, size_t size);

/* Whether a descriptor stands for memory of a GPU. */
bool is_dmabuf(int fd);

/* path.c */

/* Looks a path up, relative to the folder at; AT_FDCWD for the process's own. The caller ends it with found_free. */
void look_up(int at, const char *path, bool follow, struct found *found);
void found_free(struct found *found);

/* Fills in the result of stat. */
void describe(const struct found *found, struct stat *s);

#endif
