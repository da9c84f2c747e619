/* Prints failures on standard error without Go. */

#define _GNU_SOURCE
#include "start.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

static struct iovec text(const char *s) {
  return (struct iovec){(void *)(uintptr_t)s, strlen(s)};
}

/* "[rank 3] ", or empty; written before other threads can know that Go has started */
static char prefix[64];

void guest_label(const char *label, size_t length) {
  snprintf(prefix, sizeof prefix, "[%.*s] ", (int)(length < 32 ? length : 32),
           label);
}

void guest_fail(const char *call, const char *why) {
  int err = errno;
  char kept[256];
  int n = snprintf(kept, sizeof kept, "'%s' failed with '%s'", call, why);
  guest_failed(1, kept, (size_t)n < sizeof kept ? (size_t)n : sizeof kept - 1);
  struct iovec line[] = {text(prefix), text("'"),
                         text(call),   text("' failed with '"),
                         text(why),    text("'\n")};
  ssize_t written = writev(STDERR_FILENO, line, sizeof line / sizeof *line);
  (void)written; /* the failure can't be reported anywhere else */
  if (guest_library.aborts())
    abort();
  errno = err;
}

void end_library(int exit_status) {
  int status = guest_library.end();
  if (status != 0 && exit_status == 0) {
    fflush(NULL);
    _exit(status);
  }
}
