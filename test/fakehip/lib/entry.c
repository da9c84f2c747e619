/* The functions that the library exports. Each is its real_ namesake between call_begin and call_end. */
#include "call.h"
#include "real.h"

#define EXPORT __attribute__((visibility("default")))

#define F(name, fault, parameters, arguments)                                  \
  EXPORT hipError_t name parameters;                                           \
  hipError_t name parameters {                                                 \
    hipError_t e = call_begin(call_##name);                                    \
    return call_end(call_##name, e == hipSuccess ? real_##name arguments : e); \
  }
/* An object whose destroy failed by a rule is not a leak. */
#define D(name, fault, type)                                                   \
  EXPORT hipError_t name(type);                                                \
  hipError_t name(type handle) {                                               \
    hipError_t e = call_begin(call_##name);                                    \
    if (e != hipSuccess)                                                       \
      forgive_##name(handle);                                                  \
    return call_end(call_##name, e == hipSuccess ? real_##name(handle) : e);   \
  }
#define S(name)                                                                \
  EXPORT const char *name(hipError_t);                                         \
  const char *name(hipError_t e) {                                             \
    (void)call_begin(call_##name);                                             \
    const char *text = real_##name(e);                                         \
    (void)call_end(call_##name, hipSuccess);                                   \
    return text;                                                               \
  }
#include "functions.h"
