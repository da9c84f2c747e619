/* Compiles only where internal/hip declares HIP as HIP's header does. */
#define __HIP_PLATFORM_AMD__
#include <hip/hip_runtime_api.h>

#include "types.h"

/* Redeclaring a function with another type is an error. One that the header does
 * not know is new to it, and not compared. */
#define SYMBOL(need, result, name, params) result name params;
#include "symbols.h"

#define SAME(ours, theirs, value) _Static_assert(theirs == value, #theirs);
HIP_NUMBERS(SAME)

_Static_assert(sizeof(hipError_t) == sizeof(hip_status), "hipError_t");
_Static_assert(sizeof(hipMemcpyKind) == sizeof(hip_enum), "hipMemcpyKind");
