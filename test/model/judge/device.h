/* See device.c. */
#ifndef MGPU_MODEL_DEVICE_H
#define MGPU_MODEL_DEVICE_H

#include <stdint.h>

enum operation {
  do_launch,
  do_synchronize,
  do_idle,
  do_usable,
  do_record,
  do_host_sees,
  do_copy,
  do_fill,
  do_wait_event,
  do_wait_device,
  do_free_memory,
};

/* Returns the address of the driver's function for an operation. */
uintptr_t driver_function(enum operation op);

/* Makes a call that Go has left to C. */
int32_t driver_wait(uintptr_t fn, const uintptr_t *arg);

#endif
