#include "vendor.h"

int32_t vendor_host_sees(table *t, uintptr_t address) {
  struct given at = vendor_place(t, address);
  return at.status != 0 || at.value == place_shared;
}
