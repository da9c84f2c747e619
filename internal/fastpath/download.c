/* Copies by way of page-locked memory: see mgpu/copy.go. */

#include "download.h"

#include <stddef.h>
#include <string.h>

#include "layout.h"

static int32_t call(const struct blocking *b) {
  if (b->fn == 0)
    return 0;
  int32_t (*fn)(uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t) =
      (int32_t (*)(uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t))b->fn;
  return fn(b->arg[0], b->arg[1], b->arg[2], b->arg[3], b->arg[4]);
}

static int32_t staged(uintptr_t record, uintptr_t b, uintptr_t c, uintptr_t d,
                      uintptr_t e) {
  (void)b, (void)c, (void)d, (void)e;
  const struct staged *s = (const struct staged *)record;
  int32_t status = s->behind ? call(&s->wait) : 0;
  if (status == 0)
    status = call(&s->copy);
  if (status == 0)
    status = call(&s->wait);
  if (status == 0)
    memcpy((void *)s->dst, (const void *)s->pinned, s->bytes);
  return status;
}

uintptr_t download_function(void) { return (uintptr_t)staged; }
