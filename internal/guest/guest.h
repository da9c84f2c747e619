/* The Go runtime as a guest in someone else's process: guest.c or, in a plain build,
 * plain.c. */
#ifndef MGPU_GUEST_H
#define MGPU_GUEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The library's own part, defined by its package main. attached to adopted are about
 * the calling thread. */
extern const struct guest_library {
  const char *name;       /* Go's argv[0] */
  bool (*attached)(void); /* reports whether the thread has its state */
  bool (*attach)(void);   /* gives the thread its state; false: no memory */
  void (*detach)(void);   /* takes the state away again */
  void (*adopted)(void);  /* called once the thread can enter Go */
  void (*forget)(void);   /* in a fork's child: takes the state away */
  void (*start)(void);    /* enters Go for the first time */
  int (*end)(void);       /* the last call; 0 or the status to exit with */
  bool (*aborts)(void);   /* whether the first failure ends the process */
} guest_library __attribute__((visibility("hidden")));

/* Attaches the calling thread, and starts the Go runtime at the process's first call.
 * Returns false, and prints one line that blames call, if Go can't be entered. Leaves
 * errno, the signal mask, the alternate stack and every signal disposition as they
 * were. */
bool guest_first(const char *call);

/* Reports whether the Go runtime has started. */
bool guest_started(void);

/* Reports whether exit() has begun. */
bool guest_exiting(void);

/* Reports whether the process was forked after the runtime had started. */
bool guest_forked(void);

/* Prints "'<call>' failed with '<why>'" in one write, without Go, and keeps it as the
 * thread's failure, with status 1. Aborts if guest_library says so. */
void guest_fail(const char *call, const char *why);

/* Begins each line that guest_fail prints from now on with "[label] ", in children of a
 * fork too. A long label is cut short. */
void guest_label(const char *label, size_t length);

/* Keeps a failure of the calling thread, unless it has one that was not taken. status is
 * not 0; of a long line the beginning is kept. */
void guest_failed(int32_t status, const char *line, size_t length);

/* Returns the status of the thread's kept failure, 0 if there is none, writes its line, or
 * an empty one, to the size bytes at line, cut short to fit with its NUL, and drops it. */
int32_t guest_take_failure(char *line, size_t size);

#endif
