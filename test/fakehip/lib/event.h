/* Events: what was submitted to a stream when they were recorded. */
#ifndef FAKEHIP_EVENT_H
#define FAKEHIP_EVENT_H

#include "order.h"
#include "types.h"

/* Makes *c what an event has recorded; empty where that is nothing, or done. */
hipError_t event_clock(hipEvent_t handle, struct clock *c);

#endif
