/* How the host's threads enter Go: see cancel.c. */
#ifndef MGPU_CANCEL_H
#define MGPU_CANCEL_H

#include <pthread.h>

/* A thread's cancellation settings. */
struct cancel {
  int state, type;
};

/* Disables cancellation of the calling thread and returns its settings. Pairs of disable and
 * restore may nest. The type is changed first: if pthread_cancel found it asynchronous,
 * glibc's signal handler checks nothing else, and may run after the state was changed. */
static inline struct cancel cancel_disable(void) {
  struct cancel was;
  pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, &was.type);
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &was.state);
  return was;
}

/* Restores the settings. The caller must hold no lock: a thread with asynchronous
 * cancellation that was cancelled meanwhile ends here. */
static inline void cancel_restore(struct cancel was) {
  pthread_setcancelstate(was.state, &was.state);
  pthread_setcanceltype(was.type, &was.type);
}

/* Called once by each thread. If the thread calls exit while it is in Go, as a signal handler
 * may, its further calls do not enter Go. The function takes the loader's lock, which a thread
 * in a constructor holds while it calls this library: the caller must hold no lock. */
void cancel_watch_exit(void);

#endif
