/* Memory that devices reach: allocations and registered host memory. Device memory lies at addresses that the host can't touch;
 * their contents are elsewhere (block.host). Addresses of freed device memory are not used again soon. */
#ifndef FAKEHIP_MEMORY_H
#define FAKEHIP_MEMORY_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "call.h"
#include "order.h"

enum place {
  place_device,
  place_variable, /* of a module: device memory that the module's end frees */
  place_managed,
  place_pinned,
  place_registered
};

enum state { state_live, state_freeing, state_freed };

struct block {
  atomic_int references;
  enum place place;
  _Atomic enum state state;
  int device;
  uint64_t address, size,
      reserved;        /* reserved: what it takes of the device's memory */
  char *host;          /* the same bytes for the host */
  enum function maker; /* the call that made it, and its number */
  uint64_t made_by;
  bool forgiven; /* as in struct object */
  pthread_mutex_t lock;
  struct usages usages; /* under lock */
};

/* The block that bytes at an address lie in, with a reference for the caller. NULL where the address is in none; *wrong tells
 * whether that is a violation (which was told then), or the address may be the program's own memory. */
struct block *memory_take(uint64_t address, uint64_t bytes, bool *wrong);
void memory_release(struct block *b);

/* The host's address of bytes for a kernel on a device; NULL and a violation where they are not in one block that it may use. */
void *memory_for_kernel(int device, uint64_t address, uint64_t bytes);

/* Whether an address lies in a block that lives, with the block and a reference if so; no violation. */
struct block *memory_at(uint64_t address);

/* Makes the device memory of a module's variable, whose bytes are at host; NULL if memory is full. */
struct block *memory_variable(int device, void *host, uint64_t bytes);

/* Frees it, with the caller's reference. */
void memory_variable_end(struct block *b);

/* Frees all memory of a device, as hipDeviceReset does. */
void memory_reset(int device);

void memory_configure(void);
void memory_report_leaks(void);

#endif
