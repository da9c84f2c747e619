/* Calls that fail because a rule says so. */
#ifndef FAKEHIP_FAULT_H
#define FAKEHIP_FAULT_H

#include <stdint.h>

#include "call.h"

/* What the nth call of a function fails with, which is the any-th call of all (0: none that "*" speaks of). */
hipError_t fault_of(enum function f, uint64_t nth, uint64_t any);

/* A kernel, copy or fill failed. Where errors stick, every call fails with it from now on. */
void fault_on_stream(hipError_t e);

/* Reads the rules, and whether errors stick, from the environment. */
void fault_configure(void);

#endif
