/* Initializes what symbols.h says of a struct vendor: to be included in its initializer. */
.row = table_rows, .rows = rows, .bytes = sizeof(table),
#define SYMBOL(need, result, name, params)
#define CALLED(need, name, params, ...)                                        \
  __VA_OPT__(.__VA_ARGS__ = {call_##name, row_##name}, )
#define GIVING CALLED
#include "symbols.h"
#undef SYMBOL
