/* Compiles where functions.h declares libcuda's functions as the vendor's header does. */
#define FAKEHIP_VENDOR_CUDA
#include "libcuda.h"

#define C(name, parameters)                                                    \
  static unsigned(*const same_##name) parameters __attribute__((unused)) = name;
#include "functions.h"
