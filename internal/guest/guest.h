/* Runs Go in a host process: guest.c or, in a plain build, plain.c. */
#ifndef MGPU_GUEST_H
#define MGPU_GUEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The library's own part, which its package main defines. attached to adopted are about the
 * calling thread. */
extern const struct guest_library {
  const char *name;       /* Go's argv[0] */
  bool (*attached)(void); /* reports whether the thread has a state */
  bool (*attach)(void);   /* gives the thread a state; false: out of memory */
  void (*detach)(void);   /* removes the state */
  void (*adopted)(void);  /* called once the thread can enter Go */
  void (*forget)(void);   /* in a child of fork: removes the state */
  void (*start)(void);    /* enters Go for the first time */
  int (*end)(void);       /* the last call; returns 0 or an exit status */
  bool (*aborts)(void);   /* whether the first failure ends the process */
} guest_library __attribute__((visibility("hidden")));

/* Attaches the calling thread, and starts the Go runtime at the process's first call. If Go
 * can't be entered, prints one line that names call and returns false. Does not change
 * errno, the signal mask, the alternate stack or any signal disposition. */
bool guest_first(const char *call);

/* Reports whether the Go runtime has started. */
bool guest_started(void);

/* Reports whether exit() has begun. */
bool guest_exiting(void);

/* Reports whether the process was forked after the runtime had started. */
bool guest_forked(void);

/* Returns how many processors (GOMAXPROCS) the Go runtime may have. */
int guest_most_processors(void);

/* Prints "'<call>' failed with '<why>'" in one write, without Go, unless the thread holds
 * failures, and stores it as the thread's failure with status 1. Aborts if guest_library says
 * so. */
void guest_fail(const char *call, const char *why);

/* Makes each line that guest_fail prints from now on begin with "[label] ", also in children
 * of fork. A long label is cut. */
void guest_label(const char *label, size_t length);

/* Stores a failure of the calling thread, unless the thread has one that was not taken.
 * status is not 0. A long line is cut. */
void guest_failed(int32_t status, const char *line, size_t length);

/* Stores the lines of a failure for guest_take_failure if the thread holds failures; they are
 * not to be printed then. text has newlines between its lines and none at its end. Returns
 * false if the thread holds none or has no room for these. */
bool guest_hold_failure(int32_t status, const char *text, size_t length);

/* Returns the status of the thread's stored failure, 0 if there is none, and removes it. Ends
 * the holding. Writes its lines, or an empty one, to the size bytes at text, cut to fit with
 * its NUL; without text, prints lines that were held. */
int32_t guest_take_failure(char *text, size_t size);

/* Removes the thread's stored failure, and holds further ones. Prints lines that were held. */
void guest_hold_failures(void);

/* Prints the lines that the thread holds, which stay stored. */
void guest_show_failures(void);

#endif
