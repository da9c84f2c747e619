/* Launches, which are prepared and then submitted. */
#ifndef FAKEHIP_LAUNCH_H
#define FAKEHIP_LAUNCH_H

#include <stdbool.h>

#include "stream.h"

struct job;

/* Prepares a launch: grid and block have three sizes each; arguments are copied. */
hipError_t launch_prepare(hipFunction_t f, const uint32_t *grid,
                          const uint32_t *block, unsigned shared, void **params,
                          void **extra, bool at_once, struct job **out);

/* Copies a launch. */
struct job *launch_copy(const struct job *j);

void launch_drop(struct job *j);

/* Submits a launch, and becomes the job's owner. */
hipError_t launch_submit(struct job *j, struct stream *s);

#endif
