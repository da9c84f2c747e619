/* Launches through graphs of one node that are kept: see onenode.c. */
#ifndef MGPU_FASTPATH_ONENODE_H
#define MGPU_FASTPATH_ONENODE_H

#include <stdbool.h>
#include <stdint.h>

#include "launch.h"

/* How many measured launches of each kind a verdict is about. */
enum { onenode_samples = 48 };

/* What measured launches took, in nanoseconds: the calls alone and, where the
 * program waited next, until the wait was over. */
struct onenode_costs {
  uint32_t issued, waited; /* how many there are */
  uint64_t issue[onenode_samples], wait[onenode_samples];
};

enum { onenode_params = 16, onenode_bytes = 128 };

/* A graph of one node that Go has made. */
struct onenode_graph {
  uintptr_t graph, exec, node;
  uint64_t updates; /* how many it stands */
  /* The sizes of the kernel's parameters; params is -1 if they are not known, or
   * are too many to be compared. */
  int32_t params;
  uint16_t size[onenode_params];
};

/* Offers the driver's function, driver.DirectCalls.GraphLaunch. pinned: a graph
 * must not be changed while it executes. always: nothing is measured. */
void onenode_offer(uintptr_t driver, uintptr_t launch, bool pinned,
                   bool always);

/* Whether launches are worth a look at all. */
extern bool onenode_enabled __attribute__((visibility("hidden")));

/* A launch that was made through a graph. */
struct onenode_launched {
  unsigned calls; /* of the driver */
  uint64_t *at;   /* where the number of the submission goes */
};

/* Makes the launch, which launch_kernel has found good, through a graph; false:
 * it has to be made plainly. */
bool onenode_launch(const struct launch *l, const struct pool_entry *e,
                    struct onenode_launched *out);

/* Around a plain launch: whether it is to be measured, and what it took. */
bool onenode_measures(void);
void onenode_measured(uint64_t from, uint64_t to, uintptr_t stream, bool ok);

/* A wait for a stream is over. */
void onenode_waited(uintptr_t stream);

uint64_t onenode_now(void);

/* The thread that had these ends. */
void onenode_left(struct onenode *k);

/* How many launches were made through graphs, by all threads. */
uint64_t onenode_launches(void);

#endif
