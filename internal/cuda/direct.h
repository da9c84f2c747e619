/* The C functions of driver.DirectCalls. */
#ifndef MGPU_CUDA_DIRECT_H
#define MGPU_CUDA_DIRECT_H

#include <stdint.h>

uintptr_t cuda_direct_launch(void);

#endif
