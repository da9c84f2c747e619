/* Streams that the program captures: their work becomes a graph. A capture has one stream. */
#ifndef FAKEHIP_CAPTURE_H
#define FAKEHIP_CAPTURE_H

#include "launch.h"

/* Reports whether a stream is captured. */
bool capture_has(const struct stream *s);

/* Adds work to a stream's capture, which then owns the job of a launch. */
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

/* Ends the capture of a stream that is being destroyed. */
void capture_drop(struct stream *s);

/* graph.c: adds a node after *last, and makes it the last. */
hipError_t graph_append_launch(hipGraph_t graph, hipGraphNode_t *last,
                               struct job *j);
hipError_t graph_append_copy(hipGraph_t graph, hipGraphNode_t *last, void *dst,
                             const void *src, size_t bytes, hipMemcpyKind kind);
hipError_t graph_append_fill(hipGraph_t graph, hipGraphNode_t *last, void *dst,
                             unsigned value, unsigned size, size_t count);

#endif
