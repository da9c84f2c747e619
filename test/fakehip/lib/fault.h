/* Rules that make calls fail. */
#ifndef FAKEHIP_FAULT_H
#define FAKEHIP_FAULT_H

#include <stdint.h>

#include "call.h"

/* What the nth call of a function fails with, which is the any-th call of all (0: none that "*" speaks of). */
hipError_t fault_of(enum function f, uint64_t nth, uint64_t any);

/* Notes that a kernel, copy or fill failed. If errors stick, every later call fails with that error. */
void fault_on_stream(hipError_t e);

/* Reads the rules, and whether errors stick, from the environment. */
void fault_configure(void);

#endif
