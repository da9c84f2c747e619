/* What each function does, by its name with real_ in front; for what destroys also forgive_: that it was tried. */
#ifndef FAKEHIP_REAL_H
#define FAKEHIP_REAL_H

#include "types.h"

#define F(name, fault, parameters, arguments) hipError_t real_##name parameters;
#define D(name, fault, type)                                                   \
  hipError_t real_##name(type handle);                                         \
  void forgive_##name(type handle);
#define S(name) const char *real_##name(hipError_t);
#include "functions.h"
#undef F
#undef D
#undef S

#endif
