/* What guest.c is made of: it calls start.c, which calls relocate.c,
 * threads.c and signals.c. */
#ifndef MGPU_START_H
#define MGPU_START_H

#include <signal.h>
#include <stdint.h>

#include "guest.h"

/* start.c */

/* Starts the Go runtime. Called with every signal blocked on this thread. Returns
 * NULL or, where it can't be started and nothing has happened, the reason; then it
 * may be called again. */
const char *start_runtime(void);

/* relocate.c */

/* Relocates Go's data, before which the runtime must not start. Returns NULL or
 * why it can't; then it may be called again. */
const char *relocate(void);

/* threads.c */

/* From the one to the other the runtime starts; afterwards the threads that it
 * has created take none of the host's signals. */
void threads_starting(void);
void threads_started(void);

/* Between the two no thread is being created. */
void threads_hold(void);
void threads_release(void);

/* signals.c */

/* Notes what every signal does, and makes it do that again. Of SIGCHLD threads.c
 * takes care. */
void signals_save(void);
void signals_restore(void);

/* What a signal does, as the kernel has it. */
struct kernel_action {
  void (*handler)(int, siginfo_t *, void *);
  unsigned long flags;
  void (*restorer)(void);
  uint64_t mask;
};

int kernel_action(int sig, const struct kernel_action *set,
                  struct kernel_action *get);

#endif
