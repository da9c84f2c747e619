/* Compiles only where internal/hip declares HIP as HIP's header does. */
#define __HIP_PLATFORM_AMD__
#include <hip/hip_runtime_api.h>

#include "types.h"

#include "same.h"

/* Redeclaring a function with another type is an error. One that the header does
 * not know is new to it, and not compared. */
#define SYMBOL(need, result, name, params) result name params;
#include "symbols.h"

HIP_NUMBERS(SAME)

_Static_assert(sizeof(hipError_t) == sizeof(hip_status), "hipError_t");
_Static_assert(sizeof(hipMemcpyKind) == sizeof(hip_enum), "hipMemcpyKind");
_Static_assert(sizeof(hipPointer_attribute) == sizeof(hip_enum) &&
                   sizeof(hipStreamCaptureStatus) == sizeof(hip_enum) &&
                   sizeof(hipStreamCaptureMode) == sizeof(hip_enum),
               "enumerations");

_Static_assert(sizeof(hipKernelNodeParams) == sizeof(struct hip_kernel_node),
               "hipKernelNodeParams");
_Static_assert(sizeof(hipMemsetParams) == sizeof(struct hip_fill_node),
               "hipMemsetParams");
FIELD(hipKernelNodeParams, blockDim, hip_kernel_node, block)
FIELD(hipKernelNodeParams, extra, hip_kernel_node, extra)
FIELD(hipKernelNodeParams, func, hip_kernel_node, function)
FIELD(hipKernelNodeParams, gridDim, hip_kernel_node, grid)
FIELD(hipKernelNodeParams, kernelParams, hip_kernel_node, params)
FIELD(hipKernelNodeParams, sharedMemBytes, hip_kernel_node, shared)
FIELD(hipMemsetParams, dst, hip_fill_node, dst)
FIELD(hipMemsetParams, elementSize, hip_fill_node, size)
FIELD(hipMemsetParams, height, hip_fill_node, height)
FIELD(hipMemsetParams, pitch, hip_fill_node, pitch)
FIELD(hipMemsetParams, value, hip_fill_node, value)
FIELD(hipMemsetParams, width, hip_fill_node, width)
