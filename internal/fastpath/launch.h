/* Kernel launches without entering Go. */
#ifndef MGPU_FASTPATH_LAUNCH_H
#define MGPU_FASTPATH_LAUNCH_H

#include <stdbool.h>
#include <stdint.h>

#include "layout.h"

/* Makes a launch. Returns false if Go has to make it. */
bool launch_kernel(const struct launch *l);

/* Makes a launch by the driver's function. Returns the driver's status. */
int32_t launch_plain(const struct launch *l);

/* Reports whether drivers accept such numbers of workgroups or work-items. */
static inline bool launch_dims_fit(const int64_t v[3]) {
  return dim_fits(v[0]) && dim_fits(v[1]) && dim_fits(v[2]);
}

/* Returns a launch's numbers in the driver's type. */
static inline struct dim3 launch_dims(const int64_t v[3]) {
  return (struct dim3){(uint32_t)v[0], (uint32_t)v[1], (uint32_t)v[2]};
}

#endif
