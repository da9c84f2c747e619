/* struct vendor: the C functions that package gpuapi's Driver calls, under names that
 * do not depend on the vendor. hip and cuda define one each. */
#ifndef MGPU_GPUAPI_VENDOR_H
#define MGPU_GPUAPI_VENDOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The addresses of one library's functions: see table.h. Its first member is the
 * struct vendor. */
typedef struct table table;

/* A status is 0 for success; of a failure it has the row of the function to blame
 * above 16 bits of what that returned. A value is zero where the call failed. */
struct given {
  uintptr_t value;
  int32_t status;
};

/* Memory of the current device, in bytes. */
struct memory {
  uint64_t available, total;
  int32_t status;
};

/* An allocation, by an address in it. */
struct extent {
  uintptr_t base;
  uint64_t bytes;
  int32_t status;
};

/* What a kernel node of a graph launches. */
struct kernel {
  uintptr_t function;
  uint32_t grid[3], block[3], shared;
  uintptr_t params, extra;
};

/* The calls, by name and number of parameters:
 *
 *   CALL  gives a status
 *   GIVE  gives a status and a value
 *   NODE  adds a node to a graph, and gives it; its parameters come behind the graph
 *         and the nodes that it waits for
 *
 * All parameters are integers, so that no Go pointer check takes handles for pointers. */
#define VENDOR_CALLS(CALL, GIVE, NODE)                                         \
  GIVE(device_count, 0)                                                        \
  CALL(device_set, 1)                                                          \
  GIVE(device_get, 0)                                                          \
  CALL(device_synchronize, 0)                                                  \
                                                                               \
  GIVE(module_load, 1) /* image */                                             \
  CALL(module_unload, 1)                                                       \
  GIVE(module_function, 2) /* module, name */                                  \
  GIVE(module_has, 2) /* module, name of a kernel; 0: the module is gone */    \
  CALL(launch_cooperative, 10) /* as launch, without extra */                  \
                                                                               \
  GIVE(stream_create, 0)                                                       \
  CALL(stream_destroy, 1)                                                      \
  CALL(stream_synchronize, 1)                                                  \
  CALL(stream_query, 1)                                                        \
  CALL(stream_wait_event, 3) /* stream, event, flags */                        \
  GIVE(stream_capturing, 1)                                                    \
  GIVE(end_capture, 1)  /* stream; 1: it belongs to another's capture */       \
  GIVE(capture_mode, 1) /* new mode; the calling thread's before */            \
                                                                               \
  GIVE(event_create, 1) /* flags */                                            \
  CALL(event_destroy, 1)                                                       \
  CALL(event_record, 2) /* event, stream */                                    \
  CALL(event_synchronize, 1)                                                   \
  CALL(event_query, 1)                                                         \
  GIVE(event_elapsed, 2) /* from, to; nanoseconds, as a signed number */       \
                                                                               \
  GIVE(mem_alloc, 1)                                                           \
  GIVE(mem_alloc_managed, 2) /* bytes, flags */                                \
  CALL(mem_free, 1)                                                            \
  GIVE(canary_alloc, 1)  /* bytes */                                           \
  GIVE(memory_number, 1) /* address */                                         \
  CALL(copy, 4)          /* dst, src, bytes, stream */                         \
  CALL(memset32, 4)      /* dst, value, count, stream */                       \
  CALL(memset16, 4)                                                            \
  CALL(host_register, 3) /* address, bytes, flags */                           \
  CALL(host_unregister, 1)                                                     \
  GIVE(host_device_pointer, 2) /* address, flags */                            \
  GIVE(place, 1)               /* address; a driver.Place */                   \
                                                                               \
  GIVE(graph_create, 1) /* flags */                                            \
  CALL(graph_destroy, 1)                                                       \
  NODE(graph_copy, 3) /* dst, src, bytes */                                    \
  NODE(graph_fill, 4) /* dst, value, size, count */                            \
  NODE(graph_empty, 0)                                                         \
  GIVE(graph_instantiate, 2) /* graph, flags */                                \
  CALL(graph_launch, 2)      /* exec, stream */                                \
  CALL(graph_exec_destroy, 1)                                                  \
  CALL(graph_set_copy, 5) /* exec, node, and as graph_copy */                  \
  CALL(graph_set_fill, 6) /* exec, node, and as graph_fill */

/* So many parameters behind the first, and the same as arguments. */
#define PARAMETERS_0
#define PARAMETERS_1 , uintptr_t p1
#define PARAMETERS_2 , uintptr_t p2 PARAMETERS_1
#define PARAMETERS_3 , uintptr_t p3 PARAMETERS_2
#define PARAMETERS_4 , uintptr_t p4 PARAMETERS_3
#define PARAMETERS_5 , uintptr_t p5 PARAMETERS_4
#define PARAMETERS_6 , uintptr_t p6 PARAMETERS_5
#define PARAMETERS_7 , uintptr_t p7 PARAMETERS_6
#define PARAMETERS_8 , uintptr_t p8 PARAMETERS_7
#define PARAMETERS_9 , uintptr_t p9 PARAMETERS_8
#define PARAMETERS_10 , uintptr_t p10 PARAMETERS_9
#define PARAMETERS_11 , uintptr_t p11 PARAMETERS_10

#define FORWARD_0
#define FORWARD_1 , p1
#define FORWARD_2 , p2 FORWARD_1
#define FORWARD_3 , p3 FORWARD_2
#define FORWARD_4 , p4 FORWARD_3
#define FORWARD_5 , p5 FORWARD_4
#define FORWARD_6 , p6 FORWARD_5
#define FORWARD_7 , p7 FORWARD_6
#define FORWARD_8 , p8 FORWARD_7
#define FORWARD_9 , p9 FORWARD_8
#define FORWARD_10 , p10 FORWARD_9

/* A C function, and the row to blame for what the driver refuses in its place. */
#define FIELD(result, name, ...)                                               \
  struct {                                                                     \
    result (*call)(table * t __VA_ARGS__);                                     \
    int row;                                                                   \
  } name;
#define CALL_FIELD(name, n) FIELD(int32_t, name, PARAMETERS_##n)
#define GIVE_FIELD(name, n) FIELD(struct given, name, PARAMETERS_##n)
#define NODE_PARAMETERS , uintptr_t graph, const uintptr_t *after, size_t count
#define NODE_FIELD(name, n)                                                    \
  FIELD(struct given, name, NODE_PARAMETERS PARAMETERS_##n)

struct vendor {
  /* What the table consists of, by row; missing stands in for an optional function
   * that the library lacks. bytes is the table's size. */
  const struct row {
    const char *name;
    bool required;
  } *row;
  int rows;
  unsigned (*missing)(void);
  size_t bytes;

  VENDOR_CALLS(CALL_FIELD, GIVE_FIELD, NODE_FIELD)
  FIELD(struct given, graph_kernel, NODE_PARAMETERS, struct kernel does)
  FIELD(int32_t, graph_set_kernel, , uintptr_t exec, uintptr_t node,
        struct kernel does)
  FIELD(struct memory, mem_info)
  FIELD(struct extent, extent, , uintptr_t address)

  /* NULL where the vendor knows no name. */
  const char *(*error_name)(table *t, unsigned status);
  const char *(*error_string)(table *t, unsigned status);
  /* False where the vendor knows no name. */
  bool (*device_name)(table *t, int device, char *name, int bytes);

  /* driver.DirectCalls' LaunchKernel and GraphLaunch. */
  int32_t (*launch)(uintptr_t driver, uintptr_t function, uint32_t gx,
                    uint32_t gy, uint32_t gz, uint32_t bx, uint32_t by,
                    uint32_t bz, uint32_t shared, uintptr_t stream,
                    uintptr_t params, uintptr_t extra);
  int32_t (*launch_node)(uintptr_t driver, uintptr_t exec, uintptr_t node,
                         uintptr_t function, uint32_t gx, uint32_t gy,
                         uint32_t gz, uint32_t bx, uint32_t by, uint32_t bz,
                         uintptr_t stream, uintptr_t params, bool set);

  /* driver.DirectCalls' ModuleCompile. */
  struct given (*module_compile)(table *t, uintptr_t source, uintptr_t opt);

  /* The flags that calls are made with, and the statuses of what the driver
   * refuses by itself. */
  struct {
    uintptr_t event, managed, registered;
  } flags;
  struct {
    int32_t no_device, invalid_device, invalid_value, invalid_image, not_found;
  } status;
};

static inline const struct vendor *vendor_of(table *t) {
  return *(const struct vendor **)t;
}

/* What Go calls, because cgo can't call through a pointer: vendor_NAME for each call. */
#define CALL_FUNCTION(name, n)                                                 \
  static inline int32_t vendor_##name(table *t PARAMETERS_##n) {               \
    return vendor_of(t)->name.call(t FORWARD_##n);                             \
  }
#define GIVE_FUNCTION(name, n)                                                 \
  static inline struct given vendor_##name(table *t PARAMETERS_##n) {          \
    return vendor_of(t)->name.call(t FORWARD_##n);                             \
  }
#define NODE_FUNCTION(name, n)                                                 \
  static inline struct given vendor_##name(                                    \
      table *t NODE_PARAMETERS PARAMETERS_##n) {                               \
    return vendor_of(t)->name.call(t, graph, after, count FORWARD_##n);        \
  }
VENDOR_CALLS(CALL_FUNCTION, GIVE_FUNCTION, NODE_FUNCTION)

static inline struct given vendor_graph_kernel(table *t NODE_PARAMETERS,
                                               struct kernel does) {
  return vendor_of(t)->graph_kernel.call(t, graph, after, count, does);
}

static inline int32_t vendor_graph_set_kernel(table *t, uintptr_t exec,
                                              uintptr_t node,
                                              struct kernel does) {
  return vendor_of(t)->graph_set_kernel.call(t, exec, node, does);
}

static inline struct memory vendor_mem_info(table *t) {
  return vendor_of(t)->mem_info.call(t);
}

static inline struct extent vendor_extent(table *t, uintptr_t address) {
  return vendor_of(t)->extent.call(t, address);
}

static inline const char *vendor_error_name(table *t, unsigned status) {
  return vendor_of(t)->error_name(t, status);
}

static inline const char *vendor_error_string(table *t, unsigned status) {
  return vendor_of(t)->error_string(t, status);
}

static inline bool vendor_device_name(table *t, int device, char *name,
                                      int bytes) {
  return vendor_of(t)->device_name(t, device, name, bytes);
}

static inline int32_t vendor_launch(table *t, uintptr_t function, uint32_t gx,
                                    uint32_t gy, uint32_t gz, uint32_t bx,
                                    uint32_t by, uint32_t bz, uint32_t shared,
                                    uintptr_t stream, uintptr_t params,
                                    uintptr_t extra) {
  return vendor_of(t)->launch((uintptr_t)t, function, gx, gy, gz, bx, by, bz,
                              shared, stream, params, extra);
}

/* What place gives: driver.Place. */
enum { place_pageable, place_device_only, place_shared };

/* driver.DirectCalls' StreamIdle, StreamUsable and HostSees. */
int32_t vendor_stream_idle(table *t, uintptr_t stream);
int32_t vendor_stream_usable(table *t, uintptr_t stream);
int32_t vendor_host_sees(table *t, uintptr_t address);

/* module_load and module_function with Go's memory. */
static inline struct given vendor_load(table *t, const void *image) {
  return vendor_module_load(t, (uintptr_t)image);
}

static inline struct given vendor_find(table *t, uintptr_t module,
                                       const char *name) {
  return vendor_module_function(t, module, (uintptr_t)name);
}

#endif
