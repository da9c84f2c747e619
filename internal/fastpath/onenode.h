/* Launches by graphs of one node: see onenode.c. */
#ifndef MGPU_FASTPATH_ONENODE_H
#define MGPU_FASTPATH_ONENODE_H

#include <stdbool.h>
#include <stdint.h>

#include "layout.h"

/* The limits for the number of parameters that C compares, and for their bytes. */
enum { onenode_params = 16, onenode_bytes = 128 };

/* A graph of one node, made by Go. */
struct onenode_graph {
  uintptr_t graph, exec, node;
  uint64_t updates; /* how often the node may be changed */
  /* Number of the kernel's parameters; -1 if C can't compare them, since their sizes are
   * unknown or they are too many. */
  int32_t params;
  uint16_t size[onenode_params];
};

/* A launch that was made by graph. */
struct onenode_launched {
  unsigned calls;       /* driver calls */
  uint64_t *submission; /* receives the submission's number; may be NULL */
};

/* Lets all threads launch by driver.CFunctions.GraphLaunch. pinned: a graph must not be
 * changed while it executes. always: no measurements. */
void onenode_offer(const struct driver_functions *calls, bool always);

/* Reports whether the driver has this function. */
extern bool onenode_enabled __attribute__((visibility("hidden")));

/* Makes a launch by graph. Returns false if the launch has to be a plain one. */
bool onenode_launch(const struct launch *l, const struct pool_entry *e,
                    struct onenode_launched *out);

/* Returns the number of launches that all threads made by graph. */
uint64_t onenode_launches(void);

#endif
