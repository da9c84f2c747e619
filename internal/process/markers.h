/* Ranges and marks for a profiler that watches the process. */
#ifndef MGPU_MARKERS_H
#define MGPU_MARKERS_H

#include <stdint.h>

/* Call roctx or NVTX if the process has loaded such a library; otherwise do nothing. A
 * library does not know ranges that were pushed before it was loaded. */
void markers_push(const char *name);
void markers_push_number(const char *what, uint64_t number); /* "what 0x7" */
void markers_pop(void);
void markers_mark(const char *name);

#endif
