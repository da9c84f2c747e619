/* The table of a vendor's functions, and one C function per call. The package that
 * includes this has a symbols.h with a row for each function:
 *
 *   SYMBOL(need, result, name, (parameters))  one that C calls
 *   CALLED(need, name, (parameters), as)      one behind call_NAME
 *   GIVING(need, name, (parameters), as)      one whose first parameter points to what it
 *                                             gives, which is what call_NAME returns
 *
 * need is required or optional. as is the call of vendor.h that call_NAME is, if it is
 * one. What a call gives comes back by value, so that nothing escapes to Go's heap.
 * Every call_NAME may be called from any thread, and with more arguments than it has
 * parameters, as a driver.Blocking does: the calling convention lets them be.
 *
 * STATE, if it is defined, is what a table holds behind its functions. */
#ifndef MGPU_GPUAPI_TABLE_H
#define MGPU_GPUAPI_TABLE_H

#include "vendor.h"

#ifndef STATE
#define STATE
#endif

struct table {
  const struct vendor *vendor;
#define SYMBOL(need, result, name, params) result(*name) params;
#include "symbols.h"
#undef SYMBOL
  STATE
};

enum {
#define SYMBOL(need, result, name, params) row_##name,
#include "symbols.h"
#undef SYMBOL
  rows
};

static inline int32_t blame(int i, unsigned status) {
  return (int32_t)(status == 0 || status >> 16
                       ? status
                       : (unsigned)i << 16 | (status & 0xffff));
}

static inline struct given given(int32_t status, uintptr_t value) {
  return (struct given){status == 0 ? value : 0, status};
}

/* What a list of parameters' types makes behind the first: parameters of call_NAME,
 * and arguments of the vendor's function. */
#define PARAMETERS(T, ...) __VA_OPT__(COUNTED(PARAMETERS_, __VA_ARGS__))
#define ARGUMENTS(T, ...)                                                      \
  __VA_OPT__(COUNTED(ARGUMENTS_, __VA_ARGS__)(__VA_ARGS__))
#define FIRST(T, ...) T
#define COUNTED(name, ...)                                                     \
  NTH(name, __VA_ARGS__, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1)
#define NTH(name, a, b, c, d, e, f, g, h, i, j, k, n, ...) name##n

#define ARGUMENTS_1(T) , (T)p1
#define ARGUMENTS_2(T, ...) , (T)p2 ARGUMENTS_1(__VA_ARGS__)
#define ARGUMENTS_3(T, ...) , (T)p3 ARGUMENTS_2(__VA_ARGS__)
#define ARGUMENTS_4(T, ...) , (T)p4 ARGUMENTS_3(__VA_ARGS__)
#define ARGUMENTS_5(T, ...) , (T)p5 ARGUMENTS_4(__VA_ARGS__)
#define ARGUMENTS_6(T, ...) , (T)p6 ARGUMENTS_5(__VA_ARGS__)
#define ARGUMENTS_7(T, ...) , (T)p7 ARGUMENTS_6(__VA_ARGS__)
#define ARGUMENTS_8(T, ...) , (T)p8 ARGUMENTS_7(__VA_ARGS__)
#define ARGUMENTS_9(T, ...) , (T)p9 ARGUMENTS_8(__VA_ARGS__)
#define ARGUMENTS_10(T, ...) , (T)p10 ARGUMENTS_9(__VA_ARGS__)
#define ARGUMENTS_11(T, ...) , (T)p11 ARGUMENTS_10(__VA_ARGS__)

#define CALLED_FUNCTION(name, params)                                          \
  int32_t call_##name(table *t, uintptr_t p0 PARAMETERS params)
#define GIVING_FUNCTION(name, params)                                          \
  struct given call_##name(table *t PARAMETERS params)

#define SYMBOL(need, result, name, params)
#define CALLED(need, name, params, ...) CALLED_FUNCTION(name, params);
#define GIVING(need, name, params, ...) GIVING_FUNCTION(name, params);
#include "symbols.h"
#undef SYMBOL

#endif
