/* Compiles only where types.h, errors.h, attributes.h and functions.h say what the vendor's header says. */
#define FAKEHIP_VENDOR
#include "types.h"

#define F(name, fault, parameters, arguments) hipError_t name parameters;
#define D(name, fault, type) hipError_t name(type);
#define S(name) const char *name(hipError_t);
#include "functions.h"
#undef F
#undef D
#undef S

#define E(name, value, text) _Static_assert(name == value, #name);
#include "errors.h"
#undef E

#define A(name, number, value)                                                 \
  _Static_assert(hipDeviceAttribute##name == number, #name);
#include "attributes.h"
#undef A

_Static_assert(sizeof(hipError_t) == sizeof(unsigned) && (hipError_t)-1 > 0,
               "hipError_t");
_Static_assert(sizeof(hipMemcpyKind) == sizeof(unsigned) &&
                   sizeof(hipDeviceAttribute_t) == sizeof(unsigned),
               "enumerations");
_Static_assert(hipMemcpyHostToHost == 0 && hipMemcpyHostToDevice == 1 &&
                   hipMemcpyDeviceToHost == 2 && hipMemcpyDeviceToDevice == 3 &&
                   hipMemcpyDefault == 4,
               "hipMemcpyKind");
_Static_assert(hipStreamDefault == 0 && hipStreamNonBlocking == 1 &&
                   hipEventDisableTiming == 2 && hipMemAttachGlobal == 1 &&
                   hipMemAttachHost == 2 && hipHostRegisterMapped == 2,
               "flags");
_Static_assert(HIP_LAUNCH_PARAM_BUFFER_POINTER == (void *)1 &&
                   HIP_LAUNCH_PARAM_BUFFER_SIZE == (void *)2 &&
                   HIP_LAUNCH_PARAM_END == (void *)3,
               "extra");
_Static_assert(offsetof(hipKernelNodeParams, func) == 24 &&
                   offsetof(hipKernelNodeParams, gridDim) == 32 &&
                   offsetof(hipKernelNodeParams, kernelParams) == 48 &&
                   offsetof(hipKernelNodeParams, sharedMemBytes) == 56,
               "hipKernelNodeParams");
_Static_assert(offsetof(hipMemsetParams, elementSize) == 8 &&
                   offsetof(hipMemsetParams, pitch) == 24 &&
                   offsetof(hipMemsetParams, value) == 32 &&
                   offsetof(hipMemsetParams, width) == 40,
               "hipMemsetParams");
_Static_assert(hipMemoryTypeHost == 0 && hipMemoryTypeDevice == 1 &&
                   hipStreamCaptureStatusNone == 0 &&
                   hipStreamCaptureStatusActive == 1 &&
                   hipStreamCaptureStatusInvalidated == 2 &&
                   hipStreamCaptureModeRelaxed == 2 &&
                   HIP_POINTER_ATTRIBUTE_MEMORY_TYPE == 2 &&
                   HIP_POINTER_ATTRIBUTE_IS_MANAGED == 8,
               "attributes");
_Static_assert(sizeof(hipPointer_attribute) == sizeof(unsigned) &&
                   sizeof(hipStreamCaptureStatus) == sizeof(unsigned) &&
                   sizeof(hipStreamCaptureMode) == sizeof(unsigned),
               "enumerations");
