/* Lines on standard error that do not need Go. */

#define _GNU_SOURCE
#include "guest.h"

#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

static struct iovec text(const char *s) {
  return (struct iovec){(void *)(uintptr_t)s, strlen(s)};
}

void guest_fail(const char *call, const char *why) {
  int err = errno;
  struct iovec line[] = {text("'"), text(call), text("' failed with '"),
                         text(why), text("'\n")};
  ssize_t n = writev(STDERR_FILENO, line, sizeof line / sizeof *line);
  (void)n; /* there is nowhere else to say it */
  errno = err;
}
