/* Threads that are cancelled before and in their calls, deferred and at once;
 * what the others do afterwards. */
#include "host.h"

#include <semaphore.h>

static void *others_go_on(void *arg) {
  use();
  keep_busy();
  return arg;
}

static bool was_cancelled(pthread_t t) {
  void *end = NULL;
  pthread_join(t, &end);
  return end == PTHREAD_CANCELED;
}

static void in_another(void *(*f)(void *)) {
  pthread_t t;
  pthread_create(&t, NULL, f, NULL);
  pthread_join(t, NULL);
}

/* The cancellation is pending when the call is made. */
static void *pending(void *arg) {
  bool *returned = arg;
  pthread_cancel(pthread_self());
  use();
  *returned = true;
  keep_busy();
  pthread_testcancel();
  return NULL;
}

/* At once is whenever the call lets it: everything is a cancellation point. */
static void *at_once(void *arg) {
  pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
  sem_post(arg);
  while (others_go_on(arg) != NULL)
    ;
  return NULL;
}

int main(int argc, char **argv) {
  pthread_t t;
  load(argc, argv);
  for (int i = 0; i < 3; i++) {
    bool returned = false;
    pthread_create(&t, NULL, pending, &returned);
    bool cancelled = was_cancelled(t);
    printf("pending: returned %d, cancelled %d\n", returned, cancelled);
    fflush(stdout);
    others_go_on(NULL);
    in_another(others_go_on);
  }
  for (int i = 0; i < 200; i++) {
    sem_t begun;
    sem_init(&begun, 0, 0);
    pthread_create(&t, NULL, at_once, &begun);
    sem_wait(&begun);
    for (volatile int spin = 0; spin < i * 1000; spin++)
      ;
    pthread_cancel(t);
    if (!was_cancelled(t))
      puts("not cancelled");
    others_go_on(NULL);
  }
  in_another(others_go_on);
  puts("done");
}
