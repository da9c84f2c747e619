/* Reads the process's environment once, for the whole library.
 *
 * getenv concurrent with another thread's setenv may read memory that setenv has freed.
 * So the library must not call getenv at any time: programs set variables for their own
 * children. The first call copies the environment; from then on C and Go read only the
 * copy. */

#define _GNU_SOURCE
#include "process.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

static char *nothing[] = {NULL};
static char **kept; /* NULL before the first call; does not change afterwards */

/* Returns the process's variables. A program with more rights than its caller (setuid) has
 * none, since settings name libraries to load and files to write. */
static char **variables(void) {
  return environ == NULL || getauxval(AT_SECURE) != 0 ? nothing : environ;
}

/* Returns a copy of the variables, or of as many as there is memory for. */
static char **copy_of(char **all) {
  size_t count = 0;
  while (all[count] != NULL)
    count++;
  char **copy = calloc(count + 1, sizeof *copy);
  if (copy == NULL)
    return nothing;
  for (size_t n = 0; n < count && all[n] != NULL; n++)
    if ((copy[n] = strdup(all[n])) == NULL)
      break;
  return copy;
}

static void release(char **copy) {
  if (copy == nothing)
    return;
  for (char **v = copy; *v != NULL; v++)
    free(*v);
  free(copy);
}

/* Uses no lock, since a fork could leave a lock locked in the child. */
char **environment_read(void) {
  char **all = __atomic_load_n(&kept, __ATOMIC_ACQUIRE);
  if (all != NULL)
    return all;
  char **copy = copy_of(variables());
  if (__atomic_compare_exchange_n(&kept, &all, copy, false, __ATOMIC_ACQ_REL,
                                  __ATOMIC_ACQUIRE))
    return copy;
  release(copy); /* another thread was first */
  return all;
}

const char *environment_get(const char *name) {
  char **all = __atomic_load_n(&kept, __ATOMIC_ACQUIRE);
  size_t length = strlen(name);
  for (char **v = all != NULL ? all : variables(); *v != NULL; v++)
    if (strncmp(*v, name, length) == 0 && (*v)[length] == '=')
      return *v + length + 1;
  return NULL;
}

bool environment_has(const char *name, const char *value) {
  const char *is = environment_get(name);
  return is != NULL && strcmp(is, value) == 0;
}

bool failures_abort(void) { return environment_has("MGPU_ON_ERROR", "abort"); }
