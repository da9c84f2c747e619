/* Downloads in three steps: DMA to a page-locked buffer, wait, memcpy to the
 * destination. See mgpu/transfer_staged.go. */

#include "download.h"

#include <string.h>

#include "layout.h"

/* Makes a driver call, if there is one. */
static int32_t make_call(const struct blocking *b) {
  if (b->fn == 0)
    return 0;
  int32_t (*fn)(uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t) =
      (void *)b->fn;
  return fn(b->arg[0], b->arg[1], b->arg[2], b->arg[3], b->arg[4]);
}

/* Makes the copy of the struct staged at an address. Returns the driver's status. */
static int32_t download(uintptr_t record, uintptr_t b, uintptr_t c, uintptr_t d,
                        uintptr_t e) {
  (void)b, (void)c, (void)d, (void)e;
  const struct staged *s = (const struct staged *)record;
  int32_t status = s->behind ? make_call(&s->wait) : 0;
  if (status == 0)
    status = make_call(&s->copy);
  if (status == 0)
    status = make_call(&s->wait);
  if (status == 0)
    memcpy((void *)s->dst, (const void *)s->pinned, s->bytes);
  return status;
}

uintptr_t download_function(void) { return (uintptr_t)download; }
