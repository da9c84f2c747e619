//go:build race && invariants

/* The driver's C functions of the model device: each enters Go. What they do there orders
 * nothing, as a driver's work orders nothing for its callers. */
#include "device.h"

#include "tsan.h"

#include "_cgo_export.h"

static uintptr_t make_call(enum operation op, uintptr_t a, uintptr_t b,
                           uintptr_t c, uintptr_t d) {
  judge_quiet(true);
  uintptr_t result = goDriverCall(op, a, b, c, d);
  judge_quiet(false);
  return result;
}

#define CALL(name)                                                             \
  static int32_t name(uintptr_t driver, uintptr_t a, uintptr_t b, uintptr_t c, \
                      uintptr_t d) {                                           \
    (void)driver;                                                              \
    return (int32_t)make_call(do_##name, a, b, c, d);                          \
  }
CALL(synchronize)
CALL(idle)
CALL(usable)
CALL(record)
CALL(host_sees)
CALL(copy)
CALL(fill)
CALL(wait_event)
CALL(wait_device)
CALL(free_memory)

static int32_t launch(uintptr_t driver, uintptr_t function, uint32_t gx,
                      uint32_t gy, uint32_t gz, uint32_t bx, uint32_t by,
                      uint32_t bz, uint32_t shared, uintptr_t stream,
                      uintptr_t params, uintptr_t extra) {
  (void)driver, (void)gx, (void)gy, (void)gz, (void)bx, (void)by, (void)bz;
  (void)shared, (void)params, (void)extra;
  return (int32_t)make_call(do_launch, function, stream, 0, 0);
}

uint64_t launch_value(uintptr_t params) { return **(uint64_t *const *)params; }

static int32_t launch_graph(uintptr_t driver, uintptr_t exec, uintptr_t node,
                            uintptr_t function, uint32_t gx, uint32_t gy,
                            uint32_t gz, uint32_t bx, uint32_t by, uint32_t bz,
                            uintptr_t stream, uintptr_t params, bool set) {
  (void)driver, (void)node;
  struct graph_launch l = {exec,         function,     stream,
                           {gx, gy, gz}, {bx, by, bz}, launch_value(params),
                           set};
  judge_quiet(true);
  goGraphLaunch(&l);
  judge_quiet(false);
  return 0;
}

uintptr_t driver_graph_function(void) { return (uintptr_t)launch_graph; }

uintptr_t driver_function(enum operation op) {
  static void *const functions[] = {
      [do_launch] = launch,
      [do_synchronize] = synchronize,
      [do_idle] = idle,
      [do_usable] = usable,
      [do_record] = record,
      [do_host_sees] = host_sees,
      [do_copy] = copy,
      [do_fill] = fill,
      [do_wait_event] = wait_event,
      [do_wait_device] = wait_device,
      [do_free_memory] = free_memory,
  };
  return (uintptr_t)functions[op];
}

int32_t driver_wait(uintptr_t fn, const uintptr_t *arg) {
  int32_t (*call)(uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t) =
      (void *)fn;
  return call(arg[0], arg[1], arg[2], arg[3], arg[4]);
}
