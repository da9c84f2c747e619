/* Events: the work that a stream had when they were recorded. */
#ifndef FAKEHIP_EVENT_H
#define FAKEHIP_EVENT_H

#include "order.h"
#include "types.h"

/* Stores in *c the work that an event has recorded; nothing if there is none or all is done. */
hipError_t event_clock(hipEvent_t handle, struct clock *c);

#endif
