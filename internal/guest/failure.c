/* The failures of each thread that the program has not taken yet: the first, and while the
 * thread holds failures, all. Only threads that have failed or hold allocate memory. */

#include "start.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct failures {
  int32_t status; /* of the first; 0: none */
  bool holding;
  bool unprinted; /* of what text has */
  size_t length;
  char text[4000]; /* lines with newlines between them, and a NUL */
};

static __thread struct failures *own __attribute__((tls_model("initial-exec")));
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t key;
static bool have_key; /* false: memory of threads that end is leaked */

void guest_show_failures(void) {
  if (own != NULL && own->unprinted) {
    print_line(own->text);
    own->unprinted = false;
  }
}

void failures_forked(void) {
  if (own != NULL)
    own->unprinted = false;
}

static void release(void *failures) {
  own = failures;
  guest_show_failures();
  own = NULL;
  free(failures);
}

static void make_key(void) {
  have_key = pthread_key_create(&key, release) == 0;
}

/* Returns the thread's failures; NULL: out of memory. */
static struct failures *failures(void) {
  if (own == NULL) {
    own = calloc(1, sizeof *own);
    if (own == NULL)
      return NULL;
    pthread_once(&once, make_key);
    if (have_key)
      pthread_setspecific(key, own);
  }
  return own;
}

static void append(struct failures *f, const char *text, size_t length) {
  memcpy(f->text + f->length, text, length);
  f->length += length;
  f->text[f->length] = 0;
}

void guest_failed(int32_t status, const char *line, size_t length) {
  struct failures *f = failures();
  if (f == NULL || f->status != 0)
    return;
  append(f, line, length < sizeof f->text ? length : sizeof f->text - 1);
  f->status = status;
}

bool guest_hold_failure(int32_t status, const char *text, size_t length) {
  struct failures *f = own;
  if (f == NULL || !f->holding || f->length + length + 2 > sizeof f->text)
    return false;
  if (f->status != 0)
    append(f, "\n", 1);
  else
    f->status = status;
  append(f, text, length);
  f->unprinted = true;
  return true;
}

int32_t guest_take_failure(char *text, size_t size) {
  struct failures *f = own;
  if (f == NULL) {
    if (text != NULL && size != 0)
      text[0] = 0;
    return 0;
  }
  if (text == NULL || size == 0) {
    guest_show_failures();
  } else {
    size_t length = f->length < size ? f->length : size - 1;
    memcpy(text, f->text, length);
    text[length] = 0;
  }
  int32_t status = f->status;
  f->status = 0;
  f->holding = f->unprinted = false;
  f->length = 0;
  f->text[0] = 0;
  return status;
}

void guest_hold_failures(void) {
  struct failures *f = failures();
  if (f != NULL) {
    (void)guest_take_failure(NULL, 0);
    f->holding = true;
  }
}
