/* HIP before 6.3 stores a function's arguments in one place. Plain launches lock that place;
 * calls that add, change or launch kernel nodes do not (AMD's SWDEV-454247), so that kernels
 * run with another thread's arguments. */
#ifndef MGPU_HIP_EXCLUSIVE_H
#define MGPU_HIP_EXCLUSIVE_H

#include "table.h"

/* Makes the calls about kernel nodes exclude each other and plain launches. */
void hip_exclude_graphs(table *t);

#endif
