/* Fills, copies, and comparisons of what memory holds. */
#include "operations.h"

#include <string.h>

static void fill(struct block *b, struct stream *s, uint32_t value,
                 uint32_t words, bool by_hip, bool half) {
  void *at = b->at;
  if (by_hip)
    OK(hipMemsetD32Async(at, (int)value, words, s->handle));
  else if (half)
    MGPU(mgpuMemset16(at, (uint16_t)value, 2 * (size_t)words, s->handle));
  else
    MGPU(mgpuMemset32(at, value, words, s->handle));
}

bool op_fill(const struct operation *o) {
  struct block *b = any_in(o->a);
  struct stream *s = stream_at(o->b);
  if (!b || !s || b->kind == pageable || b->device != s->device ||
      !may_use(&b->use, s) || (options.no_host_fills && b->host))
    return false;
  uint32_t words = 1 + o->c % b->words, value = o->d;
  bool by_hip = hip_works(o->c >> 12), half = !by_hip && (o->c & 1 << 13);
  if (half)
    value = (value & 0xffff) * 0x10001;
  if (s->capturing) {
    if (b->kind == variable || half ||
        !capture((struct node){node_fill, slot_of(b), -1, words, value}))
      return false;
  }
  name_block(b);
  say(": %u words of %#x", words, value);
  name_stream(s, by_hip);
  if (s->capturing) {
    set_device(s->device, false);
    fill(b, s, value, words, by_hip, false);
    return true;
  }
  use_block(b, s, by_hip);
  set_device(s->device, false);
  fill(b, s, value, words, by_hip, half);
  put(b, 0, words, value);
  return true;
}

bool op_copy(const struct operation *o) {
  struct block *to = any_in(o->a), *from = any_in(o->b);
  struct stream *s = stream_at(o->c);
  if (!to || !from || to == from || !s || !may_use(&to->use, s) ||
      !may_use(&from->use, s) ||
      (to->kind == pageable && from->kind == pageable) ||
      (from->kind == pageable && from->use.stream != 0 && options.test_hip) ||
      /* HIP 5.2.3 faults in copies between devices. */
      (options.test_hip
           ? to->device != s->device && from->device != s->device
           : to->device != s->device || from->device != s->device) ||
      (to->kind == variable && from->kind == variable) ||
      (options.no_downloads && to->host && to->kind != pageable))
    return false;
  bool by_hip = hip_works(o->c >> 12);
  uint32_t words = to->words < from->words ? to->words : from->words;
  words = 1 + o->d % words;
  if (s->capturing && (to->kind == variable || from->kind == variable ||
                       !capture((struct node){node_copy, slot_of(to),
                                              slot_of(from), words, 0})))
    return false;
  name_block(to);
  say(" = ");
  name_block(from);
  say(": %u words", words);
  name_stream(s, by_hip);
  if (!s->capturing) {
    use_block(to, s, by_hip);
    use_block(from, s, by_hip);
  }
  set_device(s->device, false);
  void *p = to->host && (o->d & 1 << 20) ? to->host : to->at,
       *q = from->host && (o->d & 1 << 21) ? from->host : from->at;
  if (by_hip)
    OK(hipMemcpyAsync(p, q, 4 * words, hip_copy_default, s->handle));
  else
    MGPU(mgpuMemcpy(p, q, 4 * words, s->handle));
  if (s->capturing)
    return true;
  memcpy(to->model, from->model, 4 * words);
  /* A copy to pageable memory is done when its call returns. The test HIP's is not. */
  if (to->kind == pageable && options.test_hip)
    to->use.host_unseen = true;
  else if (to->kind == pageable && !world.region)
    to->use = (struct pending){0};
  return true;
}

/* Copies memory to the host, waits and compares. */
bool op_check(const struct operation *o) {
  static uint32_t words[most_words];
  struct block *b = any_in(o->a);
  struct stream *s = stream_at(o->b);
  if (!b || !s || s->capturing || world.region || b->kind == pageable ||
      b->device != s->device || !may_use(&b->use, s))
    return false;
  bool by_hip = hip_works(o->c);
  name_block(b);
  name_stream(s, by_hip);
  use_block(b, s, by_hip);
  set_device(s->device, false);
  if (by_hip)
    OK(hipMemcpyAsync(words, b->at, 4 * b->words, hip_copy_default, s->handle));
  else
    MGPU(mgpuMemcpy(words, b->at, 4 * b->words, s->handle));
  if (by_hip)
    OK(hipStreamSynchronize(s->handle));
  else
    MGPU(mgpuStreamSynchronize(s->handle));
  waited(s, s->id, s->number);
  expect(b, words, "copied to the host");
  return true;
}
