/* See device.c. */
#ifndef MGPU_MODEL_DEVICE_H
#define MGPU_MODEL_DEVICE_H

#include <stdbool.h>
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

/* Returns the address of the driver's function for launches by graphs. */
uintptr_t driver_graph_function(void);

/* A launch that is made by graph. */
struct graph_launch {
  uintptr_t exec, function, stream;
  uint32_t grid[3], block[3];
  uint64_t value; /* of the kernel's parameter */
  bool set;
};

/* Returns the value of a launch's only parameter. */
uint64_t launch_value(uintptr_t params);

/* Makes a call that Go has left to C. */
int32_t driver_wait(uintptr_t fn, const uintptr_t *arg);

#endif
