/* Device memory that C gives out and takes back by itself. */
#ifndef MGPU_FASTPATH_ALLOC_H
#define MGPU_FASTPATH_ALLOC_H

#include <stdbool.h>
#include <stdint.h>

/* Offers, to all threads, what is needed to know that no work is pending: where
 * the streampool lists its entries (places, of which the first *count count), the
 * time, and the number of mgpuMemAlloc's row. */
void alloc_offer(uintptr_t places, uintptr_t count, int64_t now, int32_t call);

/* Makes a block known, or unknown. One caller at a time. */
bool alloc_publish(uintptr_t ptr, uintptr_t block);
void alloc_withdraw(uintptr_t ptr);

/* Takes a block of a class, or of any, out of any thread's hand: the address of its
 * memory, 0 if there is none. */
uintptr_t alloc_take(uint32_t class);

/* The address of the memory of what lies in a place of some thread's hand, counted
 * over all threads; 0 if nothing does, UINTPTR_MAX behind the last place. */
uintptr_t alloc_listed_at(uint64_t place);

/* How many allocations were answered here. */
uint64_t alloc_answered(void);

/* Each does the work of an entry point, or returns false, or 0, if Go has to. */
uintptr_t alloc_block(uint64_t bytes, uintptr_t site);
bool alloc_free(uintptr_t ptr);

/* The class of a size, which is not 0. */
uint32_t alloc_class(uint64_t bytes);

#endif
