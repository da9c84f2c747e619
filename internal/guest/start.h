/* The parts of guest.c: guest.c calls start.c, which calls threads.c and signals.c. guest.c
 * and plain.c call report.c, and report.c failure.c. */
#ifndef MGPU_START_H
#define MGPU_START_H

#include <signal.h>
#include <stdint.h>

#include "guest.h"

/* report.c */

/* Makes the library's last call. If the process was to exit with 0, ends it with the status
 * that the library asks for. */
void end_library(int exit_status);

/* Prints a line, with the label before it, in one write. */
void print_line(const char *line);

/* failure.c */

/* In a child of fork: leaves the parent to print the lines that the thread holds. */
void failures_forked(void);

/* start.c */

/* Starts the Go runtime. The caller has blocked every signal. Returns NULL, or why the
 * runtime can't be started; then nothing has changed, and the caller may try again. */
const char *start_runtime(void);

/* threads.c */

enum { threads_first = 7 }; /* threads that the runtime has after its start */

/* Starts as many threads as the runtime has after its start, without Go, and waits for their
 * end. If all could be started, *why is what meanwhile returns beside them. Returns the
 * result of the last pthread_create. */
int threads_try(const char *(*meanwhile)(void), const char **why);

/* Bracket the runtime's start. Threads that Go creates in between end up with
 * asynchronous signals blocked. */
void threads_starting(void);
void threads_started(void);

/* Bracket a fork: Go creates no thread in between. */
void threads_lock(void);
void threads_unlock(void);

/* signals.c */

/* Returns NULL, or why Go can't handle signals in this process, for which the runtime would
 * end the process when it starts or adopts a thread. */
const char *signals_refused(void);

/* Save and restore the disposition of every signal except SIGCHLD, which threads.c handles. */
void signals_save(void);
void signals_restore(void);

/* A signal's disposition in the kernel's form. */
struct kernel_action {
  void (*handler)(int, siginfo_t *, void *);
  unsigned long flags;
  void (*restorer)(void);
  uint64_t mask;
};

/* Sets and gets a disposition in the kernel, bypassing the C library. */
int kernel_action(int sig, const struct kernel_action *set,
                  struct kernel_action *get);

#endif
