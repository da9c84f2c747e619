/* The time that calls take. */
#ifndef FAKEHIP_COST_H
#define FAKEHIP_COST_H

#include "call.h"

/* Spends a function's time on the calling thread. */
void cost_charge(enum function f);

/* Reads the costs from the environment. */
void cost_configure(void);

#endif
