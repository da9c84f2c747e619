/* The table of all blocks, in the order of their addresses. */
#ifndef FAKEHIP_BLOCKS_H
#define FAKEHIP_BLOCKS_H

#include "memory.h"

/* Finds an address range of a device for a block and enters it; false where there is none. */
bool blocks_place(struct block *b);

/* Enters a block at its own address; false where another one overlaps it. */
bool blocks_enter(struct block *b);

/* Takes a block out, or for device memory leaves it as a freed one. */
void blocks_remove(struct block *b);

/* Returns the block that contains an address, freed ones included, with a reference; NULL if there is none. */
struct block *blocks_find(uint64_t address);

/* Reports whether an address is in the range of device memory. */
bool blocks_reserved(uint64_t address);

/* Calls f for each block that is not freed. */
void blocks_each(void (*f)(struct block *, void *), void *arg);

#endif
