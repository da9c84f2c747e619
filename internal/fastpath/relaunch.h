/* Launches of recorded graphs that the program launches again as they are: see relaunch.c. */
#ifndef MGPU_FASTPATH_RELAUNCH_H
#define MGPU_FASTPATH_RELAUNCH_H

#include <stdbool.h>
#include <stdint.h>

/* From now on C may launch the key's graph on the stream. launches is the address of
 * their counter. */
void relaunch_begin(uint64_t key, uintptr_t stream, uintptr_t exec,
                    uintptr_t launches);

/* No more, and none is under way. Does nothing if C does not launch that graph there. */
void relaunch_end(uint64_t key, uintptr_t stream);

/* Launches the key's graph on a stream. Returns false if Go has to. The caller has
 * disabled cancellation. */
bool relaunch(uint64_t key, uintptr_t stream);

#endif
