/* Access to the program's own memory that reports a wrong address instead of crashing. */
#ifndef FAKEHIP_HOST_H
#define FAKEHIP_HOST_H

#include <stdbool.h>
#include <stddef.h>

bool host_read(void *to, const void *at, size_t bytes);
bool host_write(void *at, const void *from, size_t bytes);

/* Reports whether the first and the last byte of a range can be read. */
bool host_reachable(const void *at, size_t bytes);

#endif
