/* The C functions of driver.DirectCalls. */
#ifndef MGPU_HIP_DIRECT_H
#define MGPU_HIP_DIRECT_H

#include <stdint.h>

uintptr_t hip_direct_launch(void);

#endif
