/* The program's own memory, reached so that a wrong address is an answer and no crash. */
#ifndef FAKEHIP_HOST_H
#define FAKEHIP_HOST_H

#include <stdbool.h>
#include <stddef.h>

bool host_read(void *to, const void *at, size_t bytes);
bool host_write(void *at, const void *from, size_t bytes);

/* Whether the first and the last of some bytes can be read. */
bool host_reachable(const void *at, size_t bytes);

#endif
