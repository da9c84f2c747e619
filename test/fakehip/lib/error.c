/* Errors, by name and as the last of a thread. */
#include "call.h"
#include "real.h"

hipError_t real_hipGetLastError(void) { return call_last_error(true); }
hipError_t real_hipPeekAtLastError(void) { return call_last_error(false); }

#define E(name, value, text) {#name, text, value},
static const struct {
  const char *name, *text;
  hipError_t value;
} error[] = {
#include "errors.h"
};
#undef E

const char *real_hipGetErrorName(hipError_t e) {
  for (size_t i = 0; i < sizeof error / sizeof *error; i++)
    if (error[i].value == e)
      return error[i].name;
  return "hipErrorUnknown";
}

const char *real_hipGetErrorString(hipError_t e) {
  for (size_t i = 0; i < sizeof error / sizeof *error; i++)
    if (error[i].value == e)
      return error[i].text;
  return "unknown error";
}
