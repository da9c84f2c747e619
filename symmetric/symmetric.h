/* Inside libmgpu_symmetric.so. meeting.c has ranks find each other and talk, memory.c maps heaps,
 * blocks.c divides one, and symmetric.c is the calls. */
#ifndef SYMMETRIC_H
#define SYMMETRIC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { MOST_RANKS = 250 }; /* the kernel passes 253 descriptors at once */

/* Prints the line of a call that failed. Returns false. */
__attribute__((format(printf, 2, 3))) bool fail(const char *call,
                                                const char *format, ...);

/*---- Meeting ----------------------------------------------------------------*/

/* Ranks that have met: rank 0 has a connection to each other one, which have one to it. */
struct meeting {
  int rank, size;
  int to[MOST_RANKS]; /* sockets by rank; -1: none */
};

/* Has all ranks of the job meet for the n-th time. False, and why: not all came. */
bool meet(struct meeting *m, const char *call, int rank, int size, unsigned n);

/* Gives each rank what all have: bytes of mine go to the mine'th part of all. fd is sent along
 * unless it is -1, and all_fds gets those of the others. Collective. */
bool exchange(struct meeting *m, const char *call, const void *mine,
              size_t bytes, void *all, int fd, int *all_fds);

/* Waits for all ranks and tells whether all say yes. *together is that; false: a rank is gone. */
bool agree(struct meeting *m, const char *call, bool mine, bool *together);

void part(struct meeting *m);

/*---- Memory -----------------------------------------------------------------*/

/* What a rank tells others of its heap. */
struct shared {
  uint64_t bytes;
  char driver[16];
  unsigned char handle
      [64]; /* of the driver; on the software GPU a descriptor goes along */
};

struct heap {
  char *base;
  struct shared shared;
  int fd; /* of shared memory; -1: none */
};

/* Allocates the rank's heap. */
bool heap_make(struct heap *h, const char *call, uint64_t bytes);
/* Maps another rank's. NULL, and why, if that can't be. */
char *heap_map(const struct heap *mine, const char *call,
               const struct shared *theirs, int fd);
void heap_unmap(const struct heap *mine, char *base);
void heap_free(struct heap *h);

/*---- Blocks -----------------------------------------------------------------*/

struct blocks;
struct blocks *blocks_make(uint64_t bytes);
void blocks_end(struct blocks *b);
/* Returns an offset, or UINT64_MAX where there is no room. The same calls give the same offsets. */
uint64_t blocks_take(struct blocks *b, uint64_t bytes);
/* False: no block begins there. */
bool blocks_give(struct blocks *b, uint64_t offset);

#endif
