/* Launches by graphs of one node: see onenode.c. */
#ifndef MGPU_FASTPATH_ONENODE_H
#define MGPU_FASTPATH_ONENODE_H

#include <stdbool.h>
#include <stdint.h>

#include "layout.h"

/* How many parameters, and bytes of them, C compares. */
enum { onenode_params = 16, onenode_bytes = 128 };

/* A graph of one node that Go has made. */
struct onenode_graph {
  uintptr_t graph, exec, node;
  uint64_t updates; /* how often the node may be changed */
  /* How many parameters the kernel has, -1 if C can't compare them: their sizes are not
   * known, or they are too many. */
  int32_t params;
  uint16_t size[onenode_params];
};

/* A launch that was made by graph. */
struct onenode_launched {
  unsigned calls;       /* of the driver */
  uint64_t *submission; /* where the submission's number goes; NULL: nowhere */
};

/* Lets all threads make launches by driver.CFunctions.GraphLaunch. pinned:
 * a graph must not be changed while it executes. always: nothing is measured. */
void onenode_offer(const struct driver_functions *calls, bool always);

/* Reports whether the driver has such a function. */
extern bool onenode_enabled __attribute__((visibility("hidden")));

/* Makes a launch by graph. Returns false if it has to be a plain one. */
bool onenode_launch(const struct launch *l, const struct pool_entry *e,
                    struct onenode_launched *out);

/* Returns how many launches all threads made by graph. */
uint64_t onenode_launches(void);

#endif
