/* Modules. */
#include "operations.h"

static void find_variable(struct module *m, struct block *b, const char *name,
                          bool table) {
  void *at;
  size_t bytes;
  OK(hipModuleGetGlobal(&at, &bytes, m->handle, name));
  if (bytes != 4 * table_words)
    fail("%s has %zu bytes", name, bytes);
  *b = (struct block){
      .kind = variable, .device = m->device, .at = at, .words = table_words};
  for (uint32_t i = 0; i < table_words; i++)
    b->model[i] = first_value(m->image, table, i);
}

static handle function_of(struct module *m, const char *name) {
  handle f = NULL;
  if (m->by_hip)
    OK(hipModuleGetFunction(&f, m->handle, name));
  else
    MGPU(f = mgpuModuleGetFunction(m->handle, name));
  if (!f)
    fail("no function %s", name);
  return f;
}

bool op_module_load(const struct operation *o) {
  struct module *m = &world.module[o->a % module_slots];
  if (m->live || world.region ||
      (o->c % images != 0 && (!hip.hipModuleGetGlobal || options.no_variables)))
    return false;
  *m = (struct module){.live = true,
                       .by_hip = o->b % 4 == 1 && !options.no_own_modules,
                       .image = (int)(o->c % images),
                       .device = world.device};
  say("module %d: image %d on device %d by %s", (int)(m - world.module),
      m->image, m->device, m->by_hip ? "HIP" : "mgpu");
  /* docs/semantics.md: mgpuModuleGetFunction goes by mgpu's calls. */
  MGPU(mgpuSetDefaultDevice(world.device));
  if (m->by_hip)
    OK(hipModuleLoadData(&m->handle, image[m->image]));
  else
    MGPU(m->handle = mgpuModuleLoad(image[m->image], 0));
  if (!m->handle)
    fail("no module");
  world.recent_module = (uint32_t)(m - world.module);
  m->step = function_of(m, "step");
  m->look = function_of(m, "look");
  m->bump = function_of(m, "bump");
  if (m->image > 0)
    find_variable(m, &m->table, "table", true);
  if (m->image > 1)
    find_variable(m, &m->counter, "counter", false);
  return true;
}

bool op_module_unload(const struct operation *o) {
  struct module *m = &world.module[o->a % module_slots];
  bool by_hip = hip_ends(m->by_hip, o->b);
  if (!m->live || (by_hip && world.region) || m->code.stream ||
      m->table.use.stream || m->counter.use.stream || world.graph.n > 0)
    return false;
  say("module %d, %s's, by %s", (int)(m - world.module),
      m->by_hip ? "HIP" : "mgpu", by_hip ? "HIP" : "mgpu");
  if (by_hip)
    OK(hipModuleUnload(m->handle));
  else
    MGPU(mgpuModuleUnload(m->handle));
  m->live = false;
  return true;
}
