/* Cancellation of the host's threads: see cancel.c. */
#ifndef MGPU_CANCEL_H
#define MGPU_CANCEL_H

#include <pthread.h>

/* What a thread had chosen. */
struct cancel {
  int state, type;
};

/* Keeps the calling thread from being cancelled. Pairs nest. The type too, and
 * first: where pthread_cancel found it asynchronous, glibc's signal handler
 * looks at nothing else and may run after the state was changed. */
static inline struct cancel cancel_disable(void) {
  struct cancel was;
  pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, &was.type);
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &was.state);
  return was;
}

/* Gives the thread back what it had chosen. Does not return where that is to be
 * cancelled at any time, and it was meanwhile: nothing may be held. */
static inline void cancel_restore(struct cancel was) {
  pthread_setcancelstate(was.state, &was.state);
  pthread_setcanceltype(was.type, &was.type);
}

#endif
