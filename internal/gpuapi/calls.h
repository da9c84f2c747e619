/* The functions that table.h declares, and the rows of the table. CALL_ROW(t, row, call)
 * is how a row's call is made. */
#define SYMBOL(need, result, name, params)
#define CALLED(need, name, params, ...)                                        \
  CALLED_FUNCTION(name, params) {                                              \
    return blame(                                                              \
        row_##name,                                                            \
        CALL_ROW(t, row_##name, name((FIRST params)p0 ARGUMENTS params)));     \
  }
#define GIVING(need, name, params, ...)                                        \
  GIVING_FUNCTION(name, params) {                                              \
    __typeof__(*(FIRST params)0) value = 0;                                    \
    int32_t status = blame(                                                    \
        row_##name, CALL_ROW(t, row_##name, name(&value ARGUMENTS params)));   \
    return given(status, (uintptr_t)value);                                    \
  }
#include "symbols.h"
#undef SYMBOL

static const struct row table_rows[rows] = {
#define required true
#define optional false
#define SYMBOL(need, result, name, params) {#name, need},
#include "symbols.h"
#undef SYMBOL
#undef required
#undef optional
};
