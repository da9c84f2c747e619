/* Notes what the command inherits and Go's runtime changes: closed standard descriptors, in
 * whose place it opens /dev/null, and ignored signals, most of which it handles. The
 * constructor runs before the runtime. */

#include "inherited.h"

#include <fcntl.h>
#include <signal.h>
#include <stddef.h>

enum { descriptors = 3, signals = 32 };

static bool closed[descriptors], ignored[signals];

__attribute__((constructor)) static void look(void) {
  for (int fd = 0; fd < descriptors; fd++)
    closed[fd] = fcntl(fd, F_GETFD) < 0;
  struct sigaction action;
  for (int s = 1; s < signals; s++)
    ignored[s] =
        sigaction(s, NULL, &action) == 0 && action.sa_handler == SIG_IGN;
}

bool closed_at_start(int fd) { return closed[fd]; }

bool ignored_at_start(int s) { return ignored[s]; }

void default_action(int s) { signal(s, SIG_DFL); }
