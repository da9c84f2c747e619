/* HIP before 6.3 has one place for a function's arguments, and of those who use it only
 * plain launches take its lock: not the calls that add, change and launch kernel nodes
 * (AMD's SWDEV-454247). Beside each other, kernels run with another launch's arguments. */
#ifndef MGPU_HIP_EXCLUSIVE_H
#define MGPU_HIP_EXCLUSIVE_H

#include "types.h"

#include "../vendor/table.h"

/* Makes each of these calls wait for plain launches, for each other, and reverse. */
void hip_exclude_graphs(table *t);

#endif
