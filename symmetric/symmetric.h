/* Internals of libmgpu_symmetric.so: meeting.c connects ranks, memory.c maps heaps, blocks.c
 * divides a heap, and symmetric.c has the calls. */
#ifndef SYMMETRIC_H
#define SYMMETRIC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { MOST_RANKS = 250 }; /* the kernel passes 253 descriptors at once */

/* Prints the line of a failed call. Returns false. */
__attribute__((format(printf, 2, 3))) bool fail(const char *call,
                                                const char *format, ...);

/*---- Meeting ----------------------------------------------------------------*/

/* Ranks that have met: rank 0 has a connection to each other rank. */
struct meeting {
  int rank, size;
  int to[MOST_RANKS]; /* sockets by rank; -1: none */
};

/* Connects all ranks of the job for the n-th time. Returns false, after printing why, if
 * some are missing. */
bool meet(struct meeting *m, const char *call, int rank, int size, unsigned n);

/* Passes the bytes at mine of each rank to all ranks: rank r's are part r of all. fd is passed
 * too unless it is -1, and all_fds receives those of the others. Collective. */
bool exchange(struct meeting *m, const char *call, const void *mine,
              size_t bytes, void *all, int fd, int *all_fds);

/* Waits for all ranks. *together is set if all say yes. Returns false if a rank is gone. */
bool agree(struct meeting *m, const char *call, bool mine, bool *together);

void part(struct meeting *m);

/*---- Memory -----------------------------------------------------------------*/

/* What a rank passes to others about its heap. */
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
/* Maps another rank's heap. Returns NULL, after printing why, if that fails. */
char *heap_map(const struct heap *mine, const char *call,
               const struct shared *theirs, int fd);
void heap_unmap(const struct heap *mine, char *base);
void heap_free(struct heap *h);

/* A function of the driver's library, or NULL: not on the software GPU. */
void *vendor_function(const char *driver, const char *of_hip,
                      const char *of_cuda);

/*---- Blocks -----------------------------------------------------------------*/

struct blocks;
struct blocks *blocks_make(uint64_t bytes);
void blocks_end(struct blocks *b);
/* Returns an offset, or UINT64_MAX if there is no space. The same calls return the same
 * offsets. */
uint64_t blocks_take(struct blocks *b, uint64_t bytes);
/* Returns false if no block begins there. */
bool blocks_give(struct blocks *b, uint64_t offset);

#endif
