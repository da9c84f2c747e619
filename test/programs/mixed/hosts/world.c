/* The current device, what can be asked of things, and the beginning and end of a program. */
#include "operations.h"

#include <string.h>

bool op_device(const struct operation *o) {
  int device = (int)(o->a % (uint32_t)world.devices);
  if (device == world.device || world.region)
    return false;
  say("device %d by %s", device, o->b & 1 ? "HIP" : "mgpu");
  set_device(device, o->b & 1);
  return true;
}

bool op_attributes(const struct operation *o) {
  struct stream *s = stream_at(o->a);
  struct block *b = block_in(o->b);
  unsigned flags = 99;
  int priority = 99;
  if (!s || world.region)
    return false;
  if (s->handle && hip.hipStreamGetFlags) {
    OK(hipStreamGetFlags(s->handle, &flags));
    if (flags != (s->blocking ? hip_stream_default : hip_stream_non_blocking))
      fail("stream %u has the flags %u", s->id, flags);
  }
  if (s->handle && hip.hipStreamGetPriority) {
    OK(hipStreamGetPriority(s->handle, &priority));
    if (priority != 0)
      fail("stream %u has the priority %d", s->id, priority);
  }
  if (b && b->kind <= hip_managed && hip.hipMemGetAddressRange) {
    void *base = NULL;
    size_t bytes = 0;
    OK(hipMemGetAddressRange(&base, &bytes, b->at + b->words / 2));
    if (base != b->at || bytes < 4 * b->words ||
        (options.stock && bytes != 4 * b->words))
      fail("a block of %u words at %p is %zu bytes at %p", b->words,
           (void *)b->at, bytes, base);
  }
  if (b && b->kind <= hip_managed && hip.hipPointerGetAttribute) {
    bool managed = false;
    OK(hipPointerGetAttribute(&managed, hip_attribute_is_managed, b->at));
    if (managed != (b->kind == mgpu_managed || b->kind == hip_managed))
      fail("%s is managed: %d", kind_names[b->kind], managed);
  }
  int device = -1;
  OK(hipGetDevice(&device));
  if (device != world.device)
    fail("the current device is %d and not %d", device, world.device);
  return true;
}

/* Gives everything back. */
void world_end(void) {
  struct operation none = {0};
  if (world.region)
    op_region_end(&none);
  for (uint32_t i = 0; i < stream_slots - 1; i++)
    if (world.stream[i].live && world.stream[i].capturing)
      op_capture_end(&(struct operation){.a = i});
  if (world.graph.live)
    op_graph_destroy(&none);
  for (int d = 0; d < world.devices; d++) {
    set_device(d, true);
    OK(hipDeviceSynchronize());
    waited_for_device(d, false);
  }
  for (uint32_t i = 0; i < print_slots; i++)
    op_printed(&(struct operation){.a = i});
  for (uint32_t i = 0; i < all_slots; i++) {
    struct block *b = any_in(i);
    if (!b)
      continue;
    set_device(b->device, false);
    if (b->host)
      op_host_read(&(struct operation){.a = i});
    op_check(&(struct operation){.a = i, .b = stream_slots - 1, .c = i});
  }
  for (uint32_t i = 0; i < block_slots; i++)
    if (block_in(i) &&
        !op_free(&(struct operation){.a = i, .b = world.ids >> i}))
      fail("block %u can't be freed", i);
  for (uint32_t i = 0; i < module_slots; i++)
    if (!op_module_unload(&(struct operation){.a = i, .b = world.ids >> i}))
      op_module_unload(&(struct operation){.a = i});
  for (uint32_t i = 0; i < event_slots; i++)
    op_event_destroy(&(struct operation){.a = i, .b = world.ids >> i});
  for (uint32_t i = 0; i < stream_slots - 1; i++)
    op_stream_destroy(&(struct operation){.a = i, .b = world.ids >> i});
  for (int d = 0; d < world.devices; d++)
    OK(hipModuleUnload(world.helper[d]));
}

void world_begin(void) {
  unsigned ids = world.ids, lines = world.lines;
  memset(&world, 0, sizeof world);
  world.ids = ids;
  world.lines = lines;
  OK(hipGetDeviceCount(&world.devices));
  if (world.devices > most_devices)
    world.devices = most_devices;
  for (int d = world.devices - 1; d >= 0; d--) {
    world.device = d;
    MGPU(mgpuSetDefaultDevice(d));
    OK(hipModuleLoadData(&world.helper[d], image[0]));
    OK(hipModuleGetFunction(&world.spin[d], world.helper[d], "spin"));
    world.null[d] =
        (struct stream){.live = true,
                        .blocking = true,
                        .device = d,
                        .id = ++world.ids * most_devices + (unsigned)d};
  }
}

bool op_reset(const struct operation *o) {
  (void)o;
  if (!hip.hipDeviceReset || options.no_reset || o->a % 4 != 0 || world.region)
    return false;
  say("everything is given back, then hipDeviceReset");
  world_end();
  for (int i = 0; i < world.devices; i++) {
    OK(hipSetDevice(i));
    OK(hipDeviceReset());
  }
  world_begin();
  return true;
}
