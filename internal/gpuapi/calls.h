/* Code generated from symbols.h of hip and cuda and from calls.def; DO NOT EDIT. */
/* clang-format off */
#ifndef MGPU_GPUAPI_CALLS_H
#define MGPU_GPUAPI_CALLS_H

#include "api.h"

/* The calls, by pointers to a vendor's functions. */
struct calls {
  const char *(*error_name)(table *t, unsigned status);
  const char *(*error_string)(table *t, unsigned status);
  bool (*device_name)(table *t, int device, char *name, int bytes);
  int32_t (*device_synchronize)(table *t);
  struct given (*module_has)(table *t, uintptr_t module, uintptr_t name);
  struct given (*module_compile)(table *t, uintptr_t source, uintptr_t opt);
  int32_t (*launch)(uintptr_t driver, uintptr_t function, uint32_t gx, uint32_t gy, uint32_t gz, uint32_t bx, uint32_t by, uint32_t bz, uint32_t shared, uintptr_t stream, uintptr_t params, uintptr_t extra);
  int32_t (*launch_node)(uintptr_t driver, uintptr_t exec, uintptr_t node, uintptr_t function, uint32_t gx, uint32_t gy, uint32_t gz, uint32_t bx, uint32_t by, uint32_t bz, uintptr_t stream, uintptr_t params, bool set);
  struct given (*stream_capturing)(table *t, uintptr_t stream);
  struct given (*end_capture)(table *t, uintptr_t stream);
  struct given (*capture_mode)(table *t, uintptr_t mode);
  struct given (*event_elapsed)(table *t, uintptr_t from, uintptr_t to);
  struct memory (*mem_info)(table *t);
  struct extent (*extent)(table *t, uintptr_t address);
  struct given (*canary_alloc)(table *t, uintptr_t bytes);
  struct given (*memory_number)(table *t, uintptr_t address);
  struct given (*place)(table *t, uintptr_t address);
  struct given (*graph_kernel)(table *t, uintptr_t graph, const uintptr_t *after, size_t count, struct kernel does);
  struct given (*graph_copy)(table *t, uintptr_t graph, const uintptr_t *after, size_t count, uintptr_t dst, uintptr_t src, uintptr_t bytes);
  struct given (*graph_fill)(table *t, uintptr_t graph, const uintptr_t *after, size_t count, uintptr_t dst, uintptr_t value, uintptr_t size, uintptr_t n);
  struct given (*graph_empty)(table *t, uintptr_t graph, const uintptr_t *after, size_t count);
  int32_t (*graph_set_kernel)(table *t, uintptr_t exec, uintptr_t node, struct kernel does);
  int32_t (*graph_set_copy)(table *t, uintptr_t exec, uintptr_t node, uintptr_t dst, uintptr_t src, uintptr_t bytes);
  int32_t (*graph_set_fill)(table *t, uintptr_t exec, uintptr_t node, uintptr_t dst, uintptr_t value, uintptr_t size, uintptr_t n);
  struct given (*device_count)(table *t);
  int32_t (*device_set)(table *t, uintptr_t device);
  struct given (*device_get)(table *t);
  struct given (*module_load)(table *t, uintptr_t image);
  int32_t (*module_unload)(table *t, uintptr_t module);
  struct given (*module_function)(table *t, uintptr_t module, uintptr_t name);
  int32_t (*launch_cooperative)(table *t, uintptr_t function, uintptr_t gx, uintptr_t gy, uintptr_t gz, uintptr_t bx, uintptr_t by, uintptr_t bz, uintptr_t shared, uintptr_t stream, uintptr_t params);
  struct given (*stream_create)(table *t);
  int32_t (*stream_destroy)(table *t, uintptr_t stream);
  int32_t (*stream_synchronize)(table *t, uintptr_t stream);
  int32_t (*stream_query)(table *t, uintptr_t stream);
  int32_t (*stream_wait_event)(table *t, uintptr_t stream, uintptr_t event, uintptr_t flags);
  struct given (*event_create)(table *t, uintptr_t flags);
  int32_t (*event_destroy)(table *t, uintptr_t event);
  int32_t (*event_record)(table *t, uintptr_t event, uintptr_t stream);
  int32_t (*event_synchronize)(table *t, uintptr_t event);
  int32_t (*event_query)(table *t, uintptr_t event);
  struct given (*mem_alloc)(table *t, uintptr_t bytes);
  struct given (*mem_alloc_managed)(table *t, uintptr_t bytes, uintptr_t flags);
  int32_t (*mem_free)(table *t, uintptr_t address);
  int32_t (*memset32)(table *t, uintptr_t dst, uintptr_t value, uintptr_t count, uintptr_t stream);
  int32_t (*memset16)(table *t, uintptr_t dst, uintptr_t value, uintptr_t count, uintptr_t stream);
  int32_t (*host_register)(table *t, uintptr_t address, uintptr_t bytes, uintptr_t flags);
  int32_t (*host_unregister)(table *t, uintptr_t address);
  struct given (*host_device_pointer)(table *t, uintptr_t address, uintptr_t flags);
  struct given (*graph_create)(table *t, uintptr_t flags);
  int32_t (*graph_destroy)(table *t, uintptr_t graph);
  struct given (*graph_instantiate)(table *t, uintptr_t graph, uintptr_t flags);
  int32_t (*graph_launch)(table *t, uintptr_t exec, uintptr_t stream);
  int32_t (*graph_exec_destroy)(table *t, uintptr_t exec);
  int32_t (*copy)(table *t, uintptr_t dst, uintptr_t src, uintptr_t bytes, uintptr_t stream);
};

/* Rows of the vendor's functions that the calls need. */
struct call_rows {
  int error_name;
  int error_string;
  int device_name;
  int device_synchronize;
  int module_has;
  int module_compile;
  int launch;
  int launch_node;
  int stream_capturing;
  int end_capture;
  int capture_mode;
  int event_elapsed;
  int mem_info;
  int extent;
  int canary_alloc;
  int memory_number;
  int place;
  int graph_kernel;
  int graph_copy;
  int graph_fill;
  int graph_empty;
  int graph_set_kernel;
  int graph_set_copy;
  int graph_set_fill;
  int device_count;
  int device_set;
  int device_get;
  int module_load;
  int module_unload;
  int module_function;
  int launch_cooperative;
  int stream_create;
  int stream_destroy;
  int stream_synchronize;
  int stream_query;
  int stream_wait_event;
  int event_create;
  int event_destroy;
  int event_record;
  int event_synchronize;
  int event_query;
  int mem_alloc;
  int mem_alloc_managed;
  int mem_free;
  int memset32;
  int memset16;
  int host_register;
  int host_unregister;
  int host_device_pointer;
  int graph_create;
  int graph_destroy;
  int graph_instantiate;
  int graph_launch;
  int graph_exec_destroy;
  int copy;
};

/* Go calls these, since cgo can't call through a pointer. */
static inline const char *gpu_error_name(table *t, unsigned status) {
  return (*(const struct calls *const *)t)->error_name(t, status);
}
static inline const char *gpu_error_string(table *t, unsigned status) {
  return (*(const struct calls *const *)t)->error_string(t, status);
}
static inline bool gpu_device_name(table *t, int device, char *name, int bytes) {
  return (*(const struct calls *const *)t)->device_name(t, device, name, bytes);
}
static inline int32_t gpu_device_synchronize(table *t) {
  return (*(const struct calls *const *)t)->device_synchronize(t);
}
static inline struct given gpu_module_has(table *t, uintptr_t module, uintptr_t name) {
  return (*(const struct calls *const *)t)->module_has(t, module, name);
}
static inline struct given gpu_module_compile(table *t, uintptr_t source, uintptr_t opt) {
  return (*(const struct calls *const *)t)->module_compile(t, source, opt);
}
static inline int32_t gpu_launch(uintptr_t driver, uintptr_t function, uint32_t gx, uint32_t gy, uint32_t gz, uint32_t bx, uint32_t by, uint32_t bz, uint32_t shared, uintptr_t stream, uintptr_t params, uintptr_t extra) {
  return (*(const struct calls *const *)driver)->launch(driver, function, gx, gy, gz, bx, by, bz, shared, stream, params, extra);
}
static inline int32_t gpu_launch_node(uintptr_t driver, uintptr_t exec, uintptr_t node, uintptr_t function, uint32_t gx, uint32_t gy, uint32_t gz, uint32_t bx, uint32_t by, uint32_t bz, uintptr_t stream, uintptr_t params, bool set) {
  return (*(const struct calls *const *)driver)->launch_node(driver, exec, node, function, gx, gy, gz, bx, by, bz, stream, params, set);
}
static inline struct given gpu_stream_capturing(table *t, uintptr_t stream) {
  return (*(const struct calls *const *)t)->stream_capturing(t, stream);
}
static inline struct given gpu_end_capture(table *t, uintptr_t stream) {
  return (*(const struct calls *const *)t)->end_capture(t, stream);
}
static inline struct given gpu_capture_mode(table *t, uintptr_t mode) {
  return (*(const struct calls *const *)t)->capture_mode(t, mode);
}
static inline struct given gpu_event_elapsed(table *t, uintptr_t from, uintptr_t to) {
  return (*(const struct calls *const *)t)->event_elapsed(t, from, to);
}
static inline struct memory gpu_mem_info(table *t) {
  return (*(const struct calls *const *)t)->mem_info(t);
}
static inline struct extent gpu_extent(table *t, uintptr_t address) {
  return (*(const struct calls *const *)t)->extent(t, address);
}
static inline struct given gpu_canary_alloc(table *t, uintptr_t bytes) {
  return (*(const struct calls *const *)t)->canary_alloc(t, bytes);
}
static inline struct given gpu_memory_number(table *t, uintptr_t address) {
  return (*(const struct calls *const *)t)->memory_number(t, address);
}
static inline struct given gpu_place(table *t, uintptr_t address) {
  return (*(const struct calls *const *)t)->place(t, address);
}
static inline struct given gpu_graph_kernel(table *t, uintptr_t graph, const uintptr_t *after, size_t count, struct kernel does) {
  return (*(const struct calls *const *)t)->graph_kernel(t, graph, after, count, does);
}
static inline struct given gpu_graph_copy(table *t, uintptr_t graph, const uintptr_t *after, size_t count, uintptr_t dst, uintptr_t src, uintptr_t bytes) {
  return (*(const struct calls *const *)t)->graph_copy(t, graph, after, count, dst, src, bytes);
}
static inline struct given gpu_graph_fill(table *t, uintptr_t graph, const uintptr_t *after, size_t count, uintptr_t dst, uintptr_t value, uintptr_t size, uintptr_t n) {
  return (*(const struct calls *const *)t)->graph_fill(t, graph, after, count, dst, value, size, n);
}
static inline struct given gpu_graph_empty(table *t, uintptr_t graph, const uintptr_t *after, size_t count) {
  return (*(const struct calls *const *)t)->graph_empty(t, graph, after, count);
}
static inline int32_t gpu_graph_set_kernel(table *t, uintptr_t exec, uintptr_t node, struct kernel does) {
  return (*(const struct calls *const *)t)->graph_set_kernel(t, exec, node, does);
}
static inline int32_t gpu_graph_set_copy(table *t, uintptr_t exec, uintptr_t node, uintptr_t dst, uintptr_t src, uintptr_t bytes) {
  return (*(const struct calls *const *)t)->graph_set_copy(t, exec, node, dst, src, bytes);
}
static inline int32_t gpu_graph_set_fill(table *t, uintptr_t exec, uintptr_t node, uintptr_t dst, uintptr_t value, uintptr_t size, uintptr_t n) {
  return (*(const struct calls *const *)t)->graph_set_fill(t, exec, node, dst, value, size, n);
}
static inline struct given gpu_device_count(table *t) {
  return (*(const struct calls *const *)t)->device_count(t);
}
static inline int32_t gpu_device_set(table *t, uintptr_t device) {
  return (*(const struct calls *const *)t)->device_set(t, device);
}
static inline struct given gpu_device_get(table *t) {
  return (*(const struct calls *const *)t)->device_get(t);
}
static inline struct given gpu_module_load(table *t, uintptr_t image) {
  return (*(const struct calls *const *)t)->module_load(t, image);
}
static inline int32_t gpu_module_unload(table *t, uintptr_t module) {
  return (*(const struct calls *const *)t)->module_unload(t, module);
}
static inline struct given gpu_module_function(table *t, uintptr_t module, uintptr_t name) {
  return (*(const struct calls *const *)t)->module_function(t, module, name);
}
static inline int32_t gpu_launch_cooperative(table *t, uintptr_t function, uintptr_t gx, uintptr_t gy, uintptr_t gz, uintptr_t bx, uintptr_t by, uintptr_t bz, uintptr_t shared, uintptr_t stream, uintptr_t params) {
  return (*(const struct calls *const *)t)->launch_cooperative(t, function, gx, gy, gz, bx, by, bz, shared, stream, params);
}
static inline struct given gpu_stream_create(table *t) {
  return (*(const struct calls *const *)t)->stream_create(t);
}
static inline int32_t gpu_stream_destroy(table *t, uintptr_t stream) {
  return (*(const struct calls *const *)t)->stream_destroy(t, stream);
}
static inline int32_t gpu_stream_synchronize(table *t, uintptr_t stream) {
  return (*(const struct calls *const *)t)->stream_synchronize(t, stream);
}
static inline int32_t gpu_stream_query(table *t, uintptr_t stream) {
  return (*(const struct calls *const *)t)->stream_query(t, stream);
}
static inline int32_t gpu_stream_wait_event(table *t, uintptr_t stream, uintptr_t event, uintptr_t flags) {
  return (*(const struct calls *const *)t)->stream_wait_event(t, stream, event, flags);
}
static inline struct given gpu_event_create(table *t, uintptr_t flags) {
  return (*(const struct calls *const *)t)->event_create(t, flags);
}
static inline int32_t gpu_event_destroy(table *t, uintptr_t event) {
  return (*(const struct calls *const *)t)->event_destroy(t, event);
}
static inline int32_t gpu_event_record(table *t, uintptr_t event, uintptr_t stream) {
  return (*(const struct calls *const *)t)->event_record(t, event, stream);
}
static inline int32_t gpu_event_synchronize(table *t, uintptr_t event) {
  return (*(const struct calls *const *)t)->event_synchronize(t, event);
}
static inline int32_t gpu_event_query(table *t, uintptr_t event) {
  return (*(const struct calls *const *)t)->event_query(t, event);
}
static inline struct given gpu_mem_alloc(table *t, uintptr_t bytes) {
  return (*(const struct calls *const *)t)->mem_alloc(t, bytes);
}
static inline struct given gpu_mem_alloc_managed(table *t, uintptr_t bytes, uintptr_t flags) {
  return (*(const struct calls *const *)t)->mem_alloc_managed(t, bytes, flags);
}
static inline int32_t gpu_mem_free(table *t, uintptr_t address) {
  return (*(const struct calls *const *)t)->mem_free(t, address);
}
static inline int32_t gpu_memset32(table *t, uintptr_t dst, uintptr_t value, uintptr_t count, uintptr_t stream) {
  return (*(const struct calls *const *)t)->memset32(t, dst, value, count, stream);
}
static inline int32_t gpu_memset16(table *t, uintptr_t dst, uintptr_t value, uintptr_t count, uintptr_t stream) {
  return (*(const struct calls *const *)t)->memset16(t, dst, value, count, stream);
}
static inline int32_t gpu_host_register(table *t, uintptr_t address, uintptr_t bytes, uintptr_t flags) {
  return (*(const struct calls *const *)t)->host_register(t, address, bytes, flags);
}
static inline int32_t gpu_host_unregister(table *t, uintptr_t address) {
  return (*(const struct calls *const *)t)->host_unregister(t, address);
}
static inline struct given gpu_host_device_pointer(table *t, uintptr_t address, uintptr_t flags) {
  return (*(const struct calls *const *)t)->host_device_pointer(t, address, flags);
}
static inline struct given gpu_graph_create(table *t, uintptr_t flags) {
  return (*(const struct calls *const *)t)->graph_create(t, flags);
}
static inline int32_t gpu_graph_destroy(table *t, uintptr_t graph) {
  return (*(const struct calls *const *)t)->graph_destroy(t, graph);
}
static inline struct given gpu_graph_instantiate(table *t, uintptr_t graph, uintptr_t flags) {
  return (*(const struct calls *const *)t)->graph_instantiate(t, graph, flags);
}
static inline int32_t gpu_graph_launch(table *t, uintptr_t exec, uintptr_t stream) {
  return (*(const struct calls *const *)t)->graph_launch(t, exec, stream);
}
static inline int32_t gpu_graph_exec_destroy(table *t, uintptr_t exec) {
  return (*(const struct calls *const *)t)->graph_exec_destroy(t, exec);
}
static inline int32_t gpu_copy(table *t, uintptr_t dst, uintptr_t src, uintptr_t bytes, uintptr_t stream) {
  return (*(const struct calls *const *)t)->copy(t, dst, src, bytes, stream);
}

#endif
