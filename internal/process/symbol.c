/* Looks for a function in the loaded objects. */

#define _GNU_SOURCE
#include "process.h"

#include <dlfcn.h>
#include <link.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

struct names {
  char **list;
  size_t count;
};

static int note_name(struct dl_phdr_info *info, size_t size, void *v) {
  (void)size;
  struct names *n = v;
  char **list = realloc(n->list, (n->count + 1) * sizeof *list);
  if (list == NULL)
    return 1;
  n->list = list;
  list[n->count] = strdup(info->dlpi_name);
  return list[n->count++] == NULL;
}

/* The objects are opened after their names were listed: dlopen takes the loader's lock,
 * which comes before the lock that is held during the listing. */
bool symbol_is_defined(const char *name) {
  struct names n = {NULL, 0};
  dl_iterate_phdr(note_name, &n);
  bool found = false;
  for (size_t i = 0; i < n.count; i++) {
    void *object = n.list[i] == NULL || found
                       ? NULL
                       : dlopen(n.list[i], RTLD_LAZY | RTLD_NOLOAD);
    if (object != NULL) {
      found = dlsym(object, name) != NULL;
      dlclose(object);
    }
    free(n.list[i]);
  }
  free(n.list);
  return found;
}
