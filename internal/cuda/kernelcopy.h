/* Copies that a kernel makes, between addresses that are aligned to 16 bytes. */
#ifndef MGPU_CUDA_KERNELCOPY_H
#define MGPU_CUDA_KERNELCOPY_H

#include "calls.h"

/* Loads the kernel for the thread's current device, where it is not loaded yet: to
 * have succeeded before copies are made there. */
int32_t cuda_prepare_copier(table *t);

int32_t cuda_kernel_copy(table *t, uintptr_t dst, uintptr_t src,
                         uintptr_t bytes, uintptr_t stream);

#endif
