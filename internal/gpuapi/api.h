/* A vendor's part of package gpuapi's Driver: the C functions that it calls, with names that
 * do not depend on the vendor (calls.h), and the numbers for them. hip and cuda each define
 * a struct api. */
#ifndef MGPU_GPUAPI_API_H
#define MGPU_GPUAPI_API_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The addresses of one library's functions, with the vendor's names: see table.h of hip and
 * cuda. The first member points to the vendor's struct calls. */
typedef struct table table;

/* A status is 0 for success. For a failure, it has the row of the failed function above 16
 * bits of the function's result. The value of a failed call is zero. */
struct given {
  uintptr_t value;
  int32_t status;
};

/* Memory of the current device, in bytes. */
struct memory {
  uint64_t available, total;
  int32_t status;
};

/* The allocation that contains an address. */
struct extent {
  uintptr_t base;
  uint64_t bytes;
  int32_t status;
};

/* The launch of a graph's kernel node. */
struct kernel {
  uintptr_t function;
  uint32_t grid[3], block[3], shared;
  uintptr_t params, extra;
};

/* Results of place: driver.Place. */
enum { place_pageable, place_device_only, place_shared };

struct calls;     /* see calls.h */
struct call_rows; /* likewise */

struct api {
  /* The functions of the table, by row. */
  const struct symbol {
    const char *name;
    bool required;
  } *symbols;
  int rows;

  unsigned (*missing)(
      void);    /* replaces an optional function that a library lacks */
  size_t bytes; /* of the table */

  const struct calls *calls;
  const struct call_rows *row; /* row of the function that a call needs */

  /* Statuses of calls. */
  struct {
    uintptr_t event, managed, registered;
  } flags;
  /* Statuses of what the driver refuses itself. */
  struct {
    int32_t no_device, invalid_device, invalid_value, invalid_image, not_found;
  } status;
};

/* Adds a row to a function's result. A status that already has a row is unchanged. */
static inline int32_t blame(int row, unsigned status) {
  return (int32_t)(status == 0 || status >> 16
                       ? status
                       : (unsigned)row << 16 | (status & 0xffff));
}

static inline struct given given(int32_t status, uintptr_t value) {
  return (struct given){status == 0 ? value : 0, status};
}

/* driver.CFunctions' StreamIdle, StreamUsable and HostSees. */
int32_t gpu_stream_idle(table *t, uintptr_t stream);
int32_t gpu_stream_usable(table *t, uintptr_t stream);
int32_t gpu_event_record_uncaptured(table *t, uintptr_t event,
                                    uintptr_t stream);
int32_t gpu_host_sees(table *t, uintptr_t address);

#endif
