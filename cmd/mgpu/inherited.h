#ifndef MGPU_INHERITED_H
#define MGPU_INHERITED_H

#include <stdbool.h>

/* closed_at_start reports whether a standard descriptor (0 to 2) was closed. */
bool closed_at_start(int fd);

/* ignored_at_start reports whether a signal (1 to 31) was ignored. */
bool ignored_at_start(int s);

/* default_action gives a signal the kernel's action. */
void default_action(int s);

#endif
