/* Times of calls. */
#ifndef FAKEHIP_COST_H
#define FAKEHIP_COST_H

#include "call.h"

/* Makes the calling thread spend a function's time. */
void cost_charge(enum function f);

/* Reads the costs from the environment. */
void cost_configure(void);

#endif
