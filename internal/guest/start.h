/* The parts of guest.c: it calls start.c, which calls threads.c and signals.c, and, as
 * plain.c does, report.c. */
#ifndef MGPU_START_H
#define MGPU_START_H

#include <signal.h>
#include <stdint.h>

#include "guest.h"

/* report.c */

/* Makes the library's last call, and ends the process with the status that it asks for if
 * the process was to exit with 0. */
void end_library(int exit_status);

/* start.c */

/* Starts the Go runtime. The caller has blocked every signal. Returns NULL, or why the
 * runtime can't be started: then nothing has happened, and the caller may try again. */
const char *start_runtime(void);

/* threads.c */

/* Starts a thread and waits for its end, without Go. Returns what pthread_create did. */
int threads_try(void);

/* Bracket the runtime's start. Threads that Go creates in between end up with
 * asynchronous signals blocked. */
void threads_starting(void);
void threads_started(void);

/* Bracket a fork: Go creates no thread in between. */
void threads_lock(void);
void threads_unlock(void);

/* signals.c */

/* Save and restore the disposition of every signal but SIGCHLD, which is threads.c's. */
void signals_save(void);
void signals_restore(void);

/* A signal's disposition, as the kernel has it. */
struct kernel_action {
  void (*handler)(int, siginfo_t *, void *);
  unsigned long flags;
  void (*restorer)(void);
  uint64_t mask;
};

/* Sets and gets a disposition in the kernel, past the C library. */
int kernel_action(int sig, const struct kernel_action *set,
                  struct kernel_action *get);

#endif
