/* Ranges and marks for a profiler that watches the process. */
#ifndef MGPU_MARKERS_H
#define MGPU_MARKERS_H

#include <stdint.h>

/* Forward to roctx or NVTX, if the process has loaded such a library; else do nothing. A
 * range that is pushed before a library is loaded is not known to it. */
void markers_push(const char *name);
void markers_push_number(const char *what, uint64_t number); /* "what 0x7" */
void markers_pop(void);
void markers_mark(const char *name);

#endif
