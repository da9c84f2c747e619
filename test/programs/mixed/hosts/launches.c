/* Launches of kernels. */
#include "operations.h"

void launch(handle f, uint32_t words, struct stream *s, bool by_hip,
            void **params, size_t n) {
  uint32_t groups = (words + 63) / 64;
  if (by_hip)
    OK(hipModuleLaunchKernel(f, groups, 1, 1, 64, 1, 1, 0, s->handle, params,
                             NULL));
  else
    MGPU(mgpuLaunchKernel(f, groups, 1, 1, 64, 1, 1, 0, s->handle, params, NULL,
                          n));
}

/* The module in a slot, if it is of the stream's device. */
static struct module *module_for(uint32_t slot, const struct stream *s) {
  struct module *m = &world.module[slot % module_slots];
  return m->live && m->device == s->device && may_use(&m->code, s) ? m : NULL;
}

/* Reports whether a kernel may use a block. */
static bool kernels_use(const struct block *b, const struct stream *s) {
  return b && b->kind != pageable && b->kind != variable &&
         b->device == s->device && may_use(&b->use, s) &&
         (!s->capturing || options.test_hip) && !(world.region && b->host);
}

/* A launch does not tell mgpu what memory of the vendor's its arguments point to. */
static void used_by_kernel(struct block *b, struct stream *s, bool by_hip) {
  use_block(b, s, by_hip);
  if (b->kind == hip_pinned || b->kind == hip_managed ||
      b->kind == hip_registered) {
    use_unseen(&b->use);
  }
}

bool op_step(const struct operation *o) {
  struct block *b = block_in(o->a);
  struct stream *s = stream_at(o->b);
  struct module *m = s ? module_for(o->c, s) : NULL;
  if (!m || !kernels_use(b, s))
    return false;
  bool by_hip = hip_works(o->c >> 12);
  uint32_t words = 1 + (o->c >> 14) % b->words, k = o->d;
  if (s->capturing &&
      (by_hip || !capture((struct node){node_step, slot_of(b), -1, words, k})))
    return false;
  say("module %d's step of ", (int)(m - world.module));
  name_block(b);
  say(": %u words, %#x", words, k);
  name_stream(s, by_hip);
  if (!s->capturing) {
    used_by_kernel(b, s, by_hip);
    use(&m->code, s, by_hip);
  }
  set_device(s->device, false);
  launch(m->step, words, s, by_hip, (void *[]){&b->at, &words, &k}, 3);
  for (uint32_t i = 0; i < words && !s->capturing; i++)
    b->model[i] = b->model[i] * 3 + k;
  return true;
}

bool op_look(const struct operation *o) {
  struct block *b = block_in(o->a);
  struct stream *s = stream_at(o->b);
  struct module *m = s ? module_for(o->c, s) : NULL;
  if (!m || s->capturing || !kernels_use(b, s) ||
      (m->table.kind && !may_use(&m->table.use, s)) ||
      (m->counter.kind && !may_use(&m->counter.use, s)))
    return false;
  bool by_hip = hip_works(o->c >> 12);
  uint32_t words = b->words;
  say("module %d's variables into ", (int)(m - world.module));
  name_block(b);
  name_stream(s, by_hip);
  used_by_kernel(b, s, by_hip);
  use(&m->code, s, by_hip);
  if (m->table.kind)
    use(&m->table.use, s, by_hip);
  if (m->counter.kind)
    use(&m->counter.use, s, by_hip);
  set_device(s->device, false);
  launch(m->look, words, s, by_hip, (void *[]){&b->at, &words}, 2);
  for (uint32_t i = 0; i < words; i++)
    b->model[i] = (m->table.kind ? m->table.model[i & 15]
                                 : first_value(m->image, true, i & 15)) *
                      1000 +
                  (m->counter.kind ? m->counter.model[i & 15]
                                   : first_value(m->image, false, i & 15));
  return true;
}

bool op_bump(const struct operation *o) {
  struct stream *s = stream_at(o->b);
  struct module *m = s ? module_for(o->c, s) : NULL;
  if (!m || s->capturing || !m->counter.kind || !may_use(&m->counter.use, s))
    return false;
  bool by_hip = hip_works(o->c >> 12);
  uint32_t k = o->d;
  void *none = NULL;
  say("module %d's counter + %#x", (int)(m - world.module), k);
  name_stream(s, by_hip);
  use(&m->counter.use, s, by_hip);
  use(&m->code, s, by_hip);
  set_device(s->device, false);
  launch(m->bump, 16, s, by_hip, (void *[]){&none, &k}, 2);
  for (uint32_t i = 0; i < table_words; i++)
    m->counter.model[i] += k;
  return true;
}

/* Keeps a stream busy for some milliseconds, so that later work is pending. */
bool op_delay(const struct operation *o) {
  struct stream *s = stream_at(o->a);
  if (!s || s->capturing)
    return false;
  bool by_hip =
      hip_works(o->c >> 12) || (s->by_hip && !s->passed && !world.region);
  struct pending p = {0};
  uint32_t rounds = 5000 + o->b % 60000;
  if (o->b / 60000 % 4 == 1) /* where others keep the machine busy too */
    rounds *= 8;
  void *none = NULL;
  say("%u rounds", rounds);
  name_stream(s, by_hip);
  use(&p, s, by_hip);
  set_device(s->device, false);
  launch(world.spin[s->device], 1, s, by_hip, (void *[]){&none, &rounds}, 2);
  return true;
}
