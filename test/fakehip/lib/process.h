/* The process's life: configuration when the library is loaded, forks, the report at exit. */
#ifndef FAKEHIP_PROCESS_H
#define FAKEHIP_PROCESS_H

#include <stdbool.h>

/* Reports whether this process is a fork of one that had loaded the library; a call in it is a violation. */
bool process_forked(void);

#endif
