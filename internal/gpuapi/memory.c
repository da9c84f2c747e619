#include "calls.h"

int32_t gpu_host_sees(table *t, uintptr_t address) {
  struct given at = gpu_place(t, address);
  return at.status != 0 || at.value == place_shared;
}
