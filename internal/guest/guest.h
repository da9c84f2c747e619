/* The Go runtime as a guest in someone else's process: guest.c or, in a plain build,
 * plain.c. */
#ifndef MGPU_GUEST_H
#define MGPU_GUEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What the library does, defined by its package main. attach to detach are about the
 * calling thread. */
extern const struct guest_library {
  const char *name;       /* Go's argv[0] */
  bool (*attached)(void); /* whether the thread has its state */
  bool (*attach)(void);   /* gives the thread its state; false: no memory */
  void (*detach)(void);   /* takes the state away again */
  void (*adopted)(void);  /* the thread can enter Go from now on */
  void (*forget)(void);   /* in a fork's child: no thread has its state */
  void (*start)(void);    /* enters Go, for the first time */
  void (*end)(void); /* enters Go, for the last time: exit() is nearly over */
} guest_library __attribute__((visibility("hidden")));

/* Prepares the calling thread, and at the process's first call the Go runtime; the
 * thread is attached afterwards. call is the function to blame: where Go can't be
 * entered, false comes back and one line about it has been printed. Leaves errno, the
 * signal mask, the alternate stack and every signal disposition as they were. */
bool guest_first(const char *call);

/* Whether exit() has begun. */
bool guest_exiting(void);

/* Whether the process is a child of one in which the runtime had started. */
bool guest_forked(void);

/* Prints "'<call>' failed with '<why>'" in one write, without Go, keeps it as the
 * thread's failure, with status 1, and aborts if the user wants that of errors. */
void guest_fail(const char *call, const char *why);

/* Keeps a failure of the calling thread, unless it has one that was not taken. status is
 * not 0; of a long line the beginning is kept. */
void guest_failed(int32_t status, const char *line, size_t length);

/* Returns the status of the thread's kept failure, 0 if there is none, writes its line, or
 * an empty one, to the size bytes at line, cut short to fit with its NUL, and drops it. */
int32_t guest_take_failure(char *line, size_t size);

#endif
