/* Lines on standard error that do not need Go. */

#define _GNU_SOURCE
#include "guest.h"

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

/* The first failing call stops the process if the user says so. */
static bool aborts(void) {
  const char *on_error = getenv("MGPU_ON_ERROR");
  return on_error != NULL && strcmp(on_error, "abort") == 0;
}

void guest_fail(const char *call, const char *why) {
  int err = errno;
  char kept[256];
  int n = snprintf(kept, sizeof kept, "'%s' failed with '%s'", call, why);
  guest_failed(1, kept, (size_t)n < sizeof kept ? (size_t)n : sizeof kept - 1);
  struct iovec line[] = {text("'"), text(call), text("' failed with '"),
                         text(why), text("'\n")};
  ssize_t written = writev(STDERR_FILENO, line, sizeof line / sizeof *line);
  (void)written; /* there is nowhere else to say it */
  if (aborts())
    abort();
  errno = err;
}
