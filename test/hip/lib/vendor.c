/* Compiles only where types.h, errors.h, attributes.h and functions.h say what the vendor's header says. */
#define TESTHIP_VENDOR
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

#define A(name, number, value) _Static_assert(hipDeviceAttribute##name == number, #name);
#include "attributes.h"
#undef A

_Static_assert(sizeof(hipError_t) == sizeof(unsigned) && (hipError_t)-1 > 0, "hipError_t");
_Static_assert(sizeof(hipMemcpyKind) == sizeof(unsigned) && sizeof(hipDeviceAttribute_t) == sizeof(unsigned), "enumerations");
_Static_assert(hipMemcpyHostToHost == 0 && hipMemcpyHostToDevice == 1 && hipMemcpyDeviceToHost == 2 &&
	hipMemcpyDeviceToDevice == 3 && hipMemcpyDefault == 4, "hipMemcpyKind");
_Static_assert(hipStreamDefault == 0 && hipStreamNonBlocking == 1 && hipEventDisableTiming == 2 &&
	hipMemAttachGlobal == 1 && hipMemAttachHost == 2 && hipHostRegisterMapped == 2, "flags");
_Static_assert(HIP_LAUNCH_PARAM_BUFFER_POINTER == (void *)1 && HIP_LAUNCH_PARAM_BUFFER_SIZE == (void *)2 &&
	HIP_LAUNCH_PARAM_END == (void *)3, "extra");
