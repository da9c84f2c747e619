/* Device memory that C gives out and takes back without entering Go. */
#ifndef MGPU_FASTPATH_ALLOC_H
#define MGPU_FASTPATH_ALLOC_H

#include <stdbool.h>
#include <stdint.h>

#include "thread.h"

/* Offers to all threads what C needs beside the streams: whether host and device share
 * memory (*shared); how many bytes all threads' free lists may hold (*limit); the time in
 * nanoseconds, and the number that blocks get as the call that allocated them. */
void alloc_offer(uintptr_t shared, uintptr_t limit, int64_t now, int32_t call);

/* Adds a block to the blocks that C knows, or removes one. One caller at a time. */
bool alloc_publish(uintptr_t ptr, uintptr_t block);
void alloc_withdraw(uintptr_t ptr);

/* Takes a block of a class, or of any class (UINT32_MAX), out of any thread's free
 * list. Returns its memory, 0 if there is none. */
uintptr_t alloc_steal(uint32_t class);

/* Returns the memory of the block in one place of the threads' free lists, counted over
 * all threads; 0 if the place is empty, UINTPTR_MAX behind the last. */
uintptr_t alloc_listed_at(uint64_t place);

/* Returns how many calls all threads made without Go. */
struct alloc_counts alloc_counts(void);

/* Each makes a call of the ABI, unless Go has to make it: 0, or free_is_gos. site is the
 * call's return address, stream the one that the program frees on. */
uintptr_t alloc_block(uint64_t bytes, uintptr_t site);

/* Results of alloc_free. */
enum free {
  free_is_gos,
  free_made,
  free_asks, /* the driver has to be asked: once more, with asking */
};

/* asking: the driver may be called. The caller has disabled cancellation. */
enum free alloc_free(uintptr_t ptr, uintptr_t stream, bool asking);

/* Reports whether the address is that of a block that the program has. */
bool alloc_holds(uintptr_t ptr);

#endif
