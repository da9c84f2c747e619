/* The process's life: configuration when the library is loaded, forks, the report at exit. */
#ifndef FAKEHIP_PROCESS_H
#define FAKEHIP_PROCESS_H

#include <stdbool.h>

/* Whether this is the child of a process that had the library loaded; a call in it is a violation. */
bool process_forked(void);

#endif
