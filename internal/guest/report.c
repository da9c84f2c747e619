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

void print_line(const char *line) {
  struct iovec parts[] = {text(prefix), text(line), text("\n")};
  ssize_t written = writev(STDERR_FILENO, parts, sizeof parts / sizeof *parts);
  (void)written; /* the line can't be reported anywhere else */
}

void guest_fail(const char *call, const char *why) {
  int err = errno;
  char kept[1024];
  snprintf(kept, sizeof kept, "'%s' failed with '%s'", call, why);
  bool aborts = guest_library.aborts();
  if (aborts || !guest_hold_failure(1, kept, strlen(kept))) {
    guest_failed(1, kept, strlen(kept));
    print_line(kept);
  }
  if (aborts)
    abort();
  errno = err;
}

void end_library(int exit_status) {
  guest_show_failures();
  int status = guest_library.end();
  if (status != 0 && exit_status == 0) {
    fflush(NULL);
    _exit(status);
  }
}
