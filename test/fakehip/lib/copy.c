/* Copies and fills. */
#include <stdlib.h>
#include <string.h>

#include "capture.h"
#include "host.h"
#include "memory.h"
#include "real.h"
#include "stream.h"
#include "violation.h"

/* A copy from at most this many bytes of the program reads them at the call; a larger one is waited for. */
enum { most_staged = 64 << 10 };

/* One side of a copy, or the memory of a fill. */
struct side {
  struct block *block; /* with a reference; NULL: the program's own memory */
  char *at;            /* the host's address */
  uint64_t offset;     /* in the block */
};

struct transfer {
  struct work work;
  struct side to, from;
  uint64_t bytes;
  uint32_t pattern;      /* of a fill, whose elements have */
  unsigned pattern_size; /* so many bytes; 0: a copy */
  char staged[];
};

/* Whether so many bytes at an address are read and written at once, as devices do it. */
static bool at_once(const void *p, uint64_t bytes) {
  return (bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8) &&
         (uintptr_t)p % bytes == 0;
}

static void load(void *to, const void *from, uint64_t bytes) {
  switch (at_once(from, bytes) ? bytes : 0) {
  case 1: {
    uint8_t v = __atomic_load_n((const uint8_t *)from, __ATOMIC_SEQ_CST);
    memcpy(to, &v, 1);
  } break;
  case 2: {
    uint16_t v = __atomic_load_n((const uint16_t *)from, __ATOMIC_SEQ_CST);
    memcpy(to, &v, 2);
  } break;
  case 4: {
    uint32_t v = __atomic_load_n((const uint32_t *)from, __ATOMIC_SEQ_CST);
    memcpy(to, &v, 4);
  } break;
  case 8: {
    uint64_t v = __atomic_load_n((const uint64_t *)from, __ATOMIC_SEQ_CST);
    memcpy(to, &v, 8);
  } break;
  default:
    memmove(to, from, bytes);
  }
}

static void store(void *to, const void *from, uint64_t bytes) {
  switch (at_once(to, bytes) ? bytes : 0) {
  case 1:
    __atomic_store_n((uint8_t *)to, *(const uint8_t *)from, __ATOMIC_SEQ_CST);
    break;
  case 2: {
    uint16_t v;
    memcpy(&v, from, 2);
    __atomic_store_n((uint16_t *)to, v, __ATOMIC_SEQ_CST);
  } break;
  case 4: {
    uint32_t v;
    memcpy(&v, from, 4);
    __atomic_store_n((uint32_t *)to, v, __ATOMIC_SEQ_CST);
  } break;
  case 8: {
    uint64_t v;
    memcpy(&v, from, 8);
    __atomic_store_n((uint64_t *)to, v, __ATOMIC_SEQ_CST);
  } break;
  default:
    memmove(to, from, bytes);
  }
}

static bool move(const struct transfer *t) {
  uint64_t word;
  const char *from = t->from.at;
  if (t->bytes <= sizeof word && t->from.block) {
    load(&word, from, t->bytes);
    from = (const char *)&word;
  }
  if (t->to.block && (t->from.block || from == t->staged)) {
    store(t->to.at, from, t->bytes);
    return true;
  }
  return t->to.block ? host_read(t->to.at, from, t->bytes)
                     : host_write(t->to.at, from, t->bytes);
}

static hipError_t run_copy(struct work *w) {
  const struct transfer *t = (const struct transfer *)w;
  hipError_t e = call_on_stream(call_copy);
  if (e == hipSuccess && !move(t)) {
    violation(violation_memory,
              "the program's memory of a copy of %llu bytes is gone",
              (unsigned long long)t->bytes);
    e = hipErrorIllegalAddress;
  }
  return e;
}

static hipError_t run_fill(struct work *w) {
  const struct transfer *t = (const struct transfer *)w;
  hipError_t e = call_on_stream(call_fill);
  for (uint64_t i = 0; e == hipSuccess && i < t->bytes; i += t->pattern_size)
    store(t->to.at + i, &t->pattern, t->pattern_size);
  return e;
}

static void transfer_end(struct work *w) {
  struct transfer *t = (struct transfer *)w;
  if (t->to.block)
    memory_release(t->to.block);
  if (t->from.block)
    memory_release(t->from.block);
  free(t);
}

/* Finds out which memory an address belongs to. */
static hipError_t resolve(const void *p, uint64_t bytes, struct side *s) {
  uint64_t address = (uint64_t)(uintptr_t)p;
  bool wrong;
  *s = (struct side){.block = memory_take(address, bytes, &wrong)};
  if (wrong)
    return hipErrorInvalidValue;
  if (s->block) {
    s->offset = address - s->block->address;
    s->at = s->block->host + s->offset;
    return hipSuccess;
  }
  if (!host_reachable(p, bytes)) {
    violation(
        violation_memory,
        "%llu bytes at %p are neither a device's memory nor the program's",
        (unsigned long long)bytes, p);
    return hipErrorInvalidValue;
  }
  s->at = (char *)(uintptr_t)p;
  return hipSuccess;
}

static struct touch touch_of(const struct side *s, uint64_t bytes, bool write) {
  enum use use = write ? USE_OUT : USE_IN;
  if (at_once(s->at, bytes))
    use = write ? USE_FLAG : USE_PEEK;
  return (struct touch){s->block, s->offset, s->offset + bytes, use};
}

static bool on_device(const struct side *s) {
  return s->block && s->block->place <= place_variable;
}

/* Whether a copy goes the way that the program says: memory that both sides reach may be either. */
static bool goes(hipMemcpyKind kind, const struct side *to,
                 const struct side *from) {
  bool to_host = kind == hipMemcpyHostToHost || kind == hipMemcpyDeviceToHost;
  bool from_host = kind == hipMemcpyHostToHost || kind == hipMemcpyHostToDevice;
  if (kind == hipMemcpyDefault)
    return true;
  return kind < hipMemcpyDefault &&
         (to_host ? !on_device(to) : to->block != NULL) &&
         (from_host ? !on_device(from) : from->block != NULL);
}

/* Submits a copy or fill whose sides are known. */
static hipError_t submit(struct transfer *t, struct stream *s) {
  struct touch touch[2];
  size_t touches = 0;
  bool waits = !t->pattern_size && !t->from.block && t->from.at != t->staged;
  if (t->from.block)
    touch[touches++] = touch_of(&t->from, t->bytes, false);
  if (t->to.block)
    touch[touches++] = touch_of(&t->to, t->bytes, true);
  uint64_t number = stream_submit(s, &t->work, NULL, touch, touches);
  if (waits)
    stream_wait(s, number);
  return hipSuccess;
}

static struct transfer *transfer_new(const char *name,
                                     hipError_t (*run)(struct work *),
                                     uint64_t bytes, uint64_t staged) {
  struct transfer *t = calloc(1, sizeof *t + staged);
  if (!t)
    return NULL;
  t->work.name = name;
  t->work.run = run;
  t->work.end = transfer_end;
  t->bytes = bytes;
  return t;
}

static hipError_t copy(void *dst, const void *src, uint64_t bytes,
                       hipMemcpyKind kind, struct stream *s) {
  struct transfer *t = transfer_new("hipMemcpyAsync", run_copy, bytes,
                                    bytes <= most_staged ? bytes : 0);
  if (!t)
    return hipErrorOutOfMemory;
  hipError_t e = resolve(dst, bytes, &t->to);
  if (e == hipSuccess)
    e = resolve(src, bytes, &t->from);
  if (e == hipSuccess && !goes(kind, &t->to, &t->from)) {
    violation(violation_argument, "kind %d is not the way from %p to %p",
              (int)kind, src, dst);
    e = hipErrorInvalidMemcpyDirection;
  }
  if (e == hipSuccess && !t->from.block && bytes <= most_staged) {
    if (!host_read(t->staged, src, bytes))
      e = hipErrorInvalidValue;
    t->from.at = t->staged;
  }
  if (e != hipSuccess) {
    transfer_end(&t->work);
    return e;
  }
  return submit(t, s);
}

hipError_t real_hipMemcpyAsync(void *dst, const void *src, size_t bytes,
                               hipMemcpyKind kind, hipStream_t stream) {
  hipError_t e;
  struct stream *s = stream_take(stream, &e);
  if (!s)
    return e;
  e = kind > hipMemcpyDefault ? hipErrorInvalidMemcpyDirection
      : !bytes                ? hipSuccess
      : capture_has(s)        ? capture_copy(s, dst, src, bytes, kind)
                              : copy(dst, src, bytes, kind, s);
  stream_release(s);
  return e;
}

static hipError_t fill(void *p, uint32_t value, unsigned size, uint64_t count,
                       struct stream *s, const char *name) {
  if (count > UINT64_MAX / size) {
    violation(violation_argument, "%llu elements of %u bytes",
              (unsigned long long)count, size);
    return hipErrorInvalidValue;
  }
  struct transfer *t = transfer_new(name, run_fill, count * size, 0);
  if (!t)
    return hipErrorOutOfMemory;
  hipError_t e = resolve(p, t->bytes, &t->to);
  if (e == hipSuccess && !t->to.block) {
    violation(violation_memory,
              "%p is the program's memory, which no device reaches", p);
    e = hipErrorInvalidValue;
  }
  if (e == hipSuccess && on_device(&t->to) &&
      t->to.block->device != s->object.device) {
    violation(violation_device,
              "%p is memory of device %d, and the stream is of device %d", p,
              t->to.block->device, s->object.device);
    e = hipErrorInvalidValue;
  }
  if (e != hipSuccess) {
    transfer_end(&t->work);
    return e;
  }
  t->pattern = value;
  t->pattern_size = size;
  return submit(t, s);
}

static hipError_t fill_on(void *p, uint32_t value, unsigned size,
                          uint64_t count, hipStream_t stream,
                          const char *name) {
  hipError_t e;
  struct stream *s = stream_take(stream, &e);
  if (!s)
    return e;
  e = !count           ? hipSuccess
      : capture_has(s) ? capture_fill(s, p, value, size, count)
                       : fill(p, value, size, count, s, name);
  stream_release(s);
  return e;
}

hipError_t real_hipMemsetD16Async(hipDeviceptr_t p, unsigned short value,
                                  size_t count, hipStream_t stream) {
  return fill_on(p, value, 2, count, stream, "hipMemsetD16Async");
}

hipError_t real_hipMemsetD32Async(hipDeviceptr_t p, int value, size_t count,
                                  hipStream_t stream) {
  return fill_on(p, (uint32_t)value, 4, count, stream, "hipMemsetD32Async");
}
