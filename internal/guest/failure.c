/* The first failure of each thread that the program has not taken yet. Only threads that
 * have failed allocate memory for it. */

#include "guest.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct failure {
  int32_t status; /* 0: none */
  char line[508];
};

static __thread struct failure *first
    __attribute__((tls_model("initial-exec")));
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t key;
static bool have_key; /* false: memory of threads that end is leaked */

static void release(void *failure) {
  first = NULL;
  free(failure);
}

static void make_key(void) {
  have_key = pthread_key_create(&key, release) == 0;
}

void guest_failed(int32_t status, const char *line, size_t length) {
  if (first == NULL) {
    first = calloc(1, sizeof *first);
    if (first == NULL)
      return;
    pthread_once(&once, make_key);
    if (have_key)
      pthread_setspecific(key, first);
  }
  if (first->status != 0)
    return;
  if (length >= sizeof first->line)
    length = sizeof first->line - 1;
  memcpy(first->line, line, length);
  first->line[length] = 0;
  first->status = status;
}

int32_t guest_take_failure(char *line, size_t size) {
  int32_t status = first == NULL ? 0 : first->status;
  if (line != NULL && size != 0) {
    size_t length = status == 0 ? 0 : strlen(first->line);
    if (length >= size)
      length = size - 1;
    if (length != 0)
      memcpy(line, first->line, length);
    line[length] = 0;
  }
  if (status != 0)
    first->status = 0;
  return status;
}
