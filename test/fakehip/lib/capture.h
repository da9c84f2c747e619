/* Streams that the program captures: what they are given becomes a graph. A capture is of one stream. */
#ifndef FAKEHIP_CAPTURE_H
#define FAKEHIP_CAPTURE_H

#include "launch.h"

/* Whether a stream captures. */
bool capture_has(const struct stream *s);

/* Adds to a stream's capture; a launch takes over the job. */
hipError_t capture_launch(struct stream *s, struct job *j);
hipError_t capture_copy(struct stream *s, void *dst, const void *src,
                        size_t bytes, hipMemcpyKind kind);
hipError_t capture_fill(struct stream *s, void *dst, unsigned value,
                        unsigned size, size_t count);

/* The error of a call that a stream must not be given while it captures, or the null stream while a stream captures that is ordered
 * with it: the capture is spoiled then. */
hipError_t capture_forbids(struct stream *s);

/* The same for a call that a capture may forbid everywhere: those that allocate, free, or wait for the device. */
hipError_t capture_forbids_call(void);

/* Ends the capture of a stream that is destroyed. */
void capture_drop(struct stream *s);

/* graph.c: adds a node after *last, and makes it the last. */
hipError_t graph_append_launch(hipGraph_t graph, hipGraphNode_t *last,
                               struct job *j);
hipError_t graph_append_copy(hipGraph_t graph, hipGraphNode_t *last, void *dst,
                             const void *src, size_t bytes, hipMemcpyKind kind);
hipError_t graph_append_fill(hipGraph_t graph, hipGraphNode_t *last, void *dst,
                             unsigned value, unsigned size, size_t count);

#endif
