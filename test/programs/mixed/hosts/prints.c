/* Kernels that print, and what they have printed. Each writes the number of its line to a file of the host's. Only the HIP library for
 * tests has them: AMD's 5.2.3 crashes on kernels of LLVM 22 that print. */
#define _GNU_SOURCE
#include "operations.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static int printed = -1; /* what kernels have printed */

/* Kernels are shared objects' functions here, and find the file by its number. */
static void open_printed(void) {
  char text[16];
  if (printed >= 0)
    return;
  printed = memfd_create("printed", 0);
  snprintf(text, sizeof text, "%d", printed);
  /* Kernels of several streams print at the same time. A memfd has no lock for its offset. */
  if (printed < 0 || fcntl(printed, F_SETFL, O_APPEND) != 0 ||
      setenv("MIXED_PRINTS", text, 1) != 0)
    fail("no file for what kernels print");
}

bool op_print(const struct operation *o) {
  struct stream *s = stream_at(o->b);
  struct module *m = &world.module[o->c % module_slots];
  struct print *p = &world.print[o->a % print_slots];
  /* docs/semantics.md: mgpu does not see the kernels of the program's own modules. */
  if (!options.test_hip || options.no_prints || !s || s->capturing ||
      world.region || p->live || !m->live || m->by_hip ||
      m->device != s->device || !may_use(&m->code, s))
    return false;
  open_printed();
  set_device(s->device, false);
  if (!m->print)
    MGPU(m->print = mgpuModuleGetFunction(m->handle, "print"));
  if (!m->print)
    fail("no function print");
  bool by_hip = hip_works(o->c >> 12);
  *p = (struct print){.live = true, .line = ++world.lines};
  say("line %u by module %d", p->line, (int)(m - world.module));
  name_stream(s, by_hip);
  use(&p->use, s, by_hip);
  use(&m->code, s, by_hip);
  launch(m->print, 1, s, by_hip, (void *[]){&p->line}, 1);
  return true;
}

/* Whether kernels have printed a line, once. */
static bool has_line(unsigned line) {
  static char text[1 << 16];
  char wanted[16];
  ssize_t n = pread(printed, text + 1, sizeof text - 2, 0);
  text[0] = '\n';
  text[n < 0 ? 1 : n + 1] = 0;
  snprintf(wanted, sizeof wanted, "\n%u\n", line);
  const char *at = strstr(text, wanted);
  return at && !strstr(at + 1, wanted);
}

bool op_printed(const struct operation *o) {
  struct print *p = &world.print[o->a % print_slots];
  if (!p->live || (p->use.stream != 0 && !p->use.freed))
    return false;
  say("line %u", p->line);
  if (!has_line(p->line))
    fail("line %u is not printed yet", p->line);
  p->live = false;
  return true;
}
