/* Launches of recorded graphs that the program launches again unchanged: see relaunch.c. */
#ifndef MGPU_FASTPATH_RELAUNCH_H
#define MGPU_FASTPATH_RELAUNCH_H

#include <stdbool.h>
#include <stdint.h>

/* Lets C launch the key's graph on the stream. launches is the address of the counter of
 * these launches. */
void relaunch_begin(uint64_t key, uintptr_t stream, uintptr_t exec,
                    uintptr_t launches);

/* Ends relaunch_begin, and waits until no launch is in progress. Does nothing if C may not
 * launch that graph there. */
void relaunch_end(uint64_t key, uintptr_t stream);

/* Launches the key's graph on a stream. Returns false if Go has to launch it. The caller has
 * disabled cancellation. */
bool relaunch(uint64_t key, uintptr_t stream);

#endif
