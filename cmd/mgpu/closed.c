/* Standard descriptors that are closed when the command starts. This runs before Go's
 * runtime, which opens /dev/null in their place. */

#include <fcntl.h>
#include <stdbool.h>

enum { descriptors = 3 };

static bool closed[descriptors];

__attribute__((constructor)) static void look(void) {
  for (int fd = 0; fd < descriptors; fd++)
    closed[fd] = fcntl(fd, F_GETFD) < 0;
}

bool closed_at_start(int fd); /* closed.go has the prototype, too */

bool closed_at_start(int fd) { return closed[fd]; }
