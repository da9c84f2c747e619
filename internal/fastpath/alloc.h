/* Device memory that C allocates and frees without entering Go. */
#ifndef MGPU_FASTPATH_ALLOC_H
#define MGPU_FASTPATH_ALLOC_H

#include <stdbool.h>
#include <stdint.h>

#include "thread.h"

/* Passes to all threads what C needs besides the streams: whether host and device share
 * memory (*shared), how many bytes all threads' free lists may hold (*limit), the time in
 * nanoseconds, and the number of the mgpu function that is noted in blocks as the one that
 * allocated them. */
void alloc_offer(uintptr_t shared, uintptr_t limit, int64_t now, int32_t call);

/* Add a block to the blocks that C knows, or remove one. One caller at a time. */
bool alloc_publish(uintptr_t ptr, uintptr_t block);
void alloc_withdraw(uintptr_t ptr);

/* Takes a block of a class, or of any class (UINT32_MAX), from any thread's free list.
 * Returns the address of its memory, 0 if there is none. */
uintptr_t alloc_steal(uint32_t class);

/* Returns the address of the memory of the block in one place of the threads' free lists,
 * counted over all threads; 0 if the place is empty, UINTPTR_MAX after the last place.
 * The caller holds the cache's lock, so that no block gets another address. */
uintptr_t alloc_listed_at(uint64_t place);

/* Returns how many calls all threads made without Go. */
struct alloc_counts alloc_counts(void);

/* Allocates like mgpuMemAlloc. Returns 0 if Go has to make the call. site is the call's
 * return address. */
uintptr_t alloc_block(uint64_t bytes, uintptr_t site);

/* Results of alloc_free. */
enum free {
  free_is_gos,
  free_made,
  free_asks, /* call again with asking set: the driver has to be asked */
};

/* Frees on a stream. With asking set it may call the driver; the caller has disabled
 * cancellation then. */
enum free alloc_free(uintptr_t ptr, uintptr_t stream, bool asking);

/* Reports whether the address is that of a live block. */
bool alloc_holds(uintptr_t ptr);

#endif
